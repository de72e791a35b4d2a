printf 'P5 2 2 255\n\012\024\036\050' > gray.pgm
printf 'P5 3 1 255\n\007\007\007' > flat.pgm
gpuhisto stats --format jsonl --device cpu gray.pgm flat.pgm
