printf 'P5 1 1 255\n\007' > -x.pgm
cp ./-x.pgm "$(printf 'a\033[31m\377.pgm')"
gpuhisto stats --format csv --channels luma --percentiles 50 -- -x.pgm
gpuhisto stats --format text -- *.pgm
gpuhisto stats --format jsonl --device cpu --channels red a*.pgm | head -n 1
gpuhisto stats "$(printf 'missing\n\033[2J.png')"
