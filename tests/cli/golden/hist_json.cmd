printf 'P5 2 2 255\n\000\024\036\377' > gray.pgm
gpuhisto hist --format json --device cpu gray.pgm
