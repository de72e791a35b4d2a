printf 'P5 2 1 255\n\001\002' > a.pgm
try() { gpuhisto equalize "$@" a.pgm out.pgm; echo "exit $?" >&2; }
try --clip 2
try --tiles 8x8
for clip in -1 nan inf two ''; do try --clahe --clip "$clip"; done
for tiles in 0x8 8x0 257x1 8 8x 8x8x8 -1x2 ''; do try --clahe --tiles "$tiles"; done
try --clahe --channels each
try --clahe --channels joint
try --clahe --channels some
try --clahe --alpha skip
try --clahe --roi 1x1
try --clahe --mask a.pgm
try --clahe --roi 0,0,1,1
gpuhisto stretch --clahe a.pgm out.pgm; echo "exit $?" >&2
ls
