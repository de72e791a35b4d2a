printf 'P5 4 3 255\n\001\002\003\004\005\006\007\010\011\012\013\014' > image.pgm
printf 'P6 4 3 255\n\000\000\000\000\000\001\000\000\000\000\000\000\000\000\000\000\000\000\010\000\000\000\000\000\000\000\000\000\000\000\000\000\000\377\377\377' > mask.ppm
gpuhisto hist --roi 1,1,2,2 image.pgm | grep -v ',0,,,,$'
gpuhisto hist --mask mask.ppm image.pgm | grep -v ',0,,,,$'
gpuhisto stats --mask mask.ppm --roi 0,0,3,3 image.pgm
gpuhisto stats --mask mask.ppm --roi 0,0,3,3 --format jsonl image.pgm | grep -o '"counting":{[^}]*}' | head -1
head -c 11 mask.ppm > nothing.ppm && head -c 36 /dev/zero >> nothing.ppm
gpuhisto stats --format csv --no-header --mask nothing.ppm image.pgm
