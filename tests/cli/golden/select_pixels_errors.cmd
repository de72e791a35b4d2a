try() { gpuhisto "$@"; echo "exit $?" >&2; }
printf 'P5 4 3 255\n\001\002\003\004\005\006\007\010\011\012\013\014' > image.pgm
printf 'P5 3 4 255\n\001\002\003\004\005\006\007\010\011\012\013\014' > turned.pgm
printf 'P5 4 3 255\n\001\002\003' > short.pgm
printf 'P5 1 1 65535\n\001\002' > deep.pgm
try stats --format csv --no-header --mask image.pgm turned.pgm image.pgm
try hist --no-header --roi 2,0,2,4 image.pgm
try stats --roi 1,2,3 image.pgm
try stats --roi 1,2,3,0 image.pgm
try stats --roi=-1,2,3,4 image.pgm
try stats --mask short.pgm --tolerate-damage image.pgm
try stats --mask deep.pgm image.pgm
try stats --mask missing.png image.pgm
try stats --bins 16 image.pgm
try hist --bins 0 image.pgm
try hist --bins 257 image.pgm
