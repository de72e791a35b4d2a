printf 'P5 2 2 255\n\001\002\002\375' > gray.pgm
gpuhisto hist --cumulative gray.pgm | head -n 5
gpuhisto hist --cumulative gray.pgm | tail -n 4
