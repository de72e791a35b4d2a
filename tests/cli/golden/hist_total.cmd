printf 'P5 2 1 255\n\000\001' > a.pgm
printf 'P5 2 1 255\n\001\002' > b.pgm
gpuhisto hist --total-only a.pgm b.pgm | head -n 5
gpuhisto hist --total-only --format jsonl a.pgm b.pgm | cut -c 1-120
gpuhisto hist --total-only --format text a.pgm b.pgm | head -n 6
