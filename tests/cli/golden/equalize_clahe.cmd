# Two tiles, of 4 and of 200: by their own maps on the outside, between both in the middle; as OpenCV's CLAHE gives them.
printf 'P5 8 2 255\n\004\004\006\010\310\310\312\314\004\004\006\010\310\310\312\314' > gray.pgm
clahe() { gpuhisto equalize --clahe "$@" out.pnm && tail -c "$bytes" out.pnm | od -A n -t u1 -w8; }
bytes=8
clahe --tiles 2x1 gray.pgm
clahe --tiles 2x1 --clip 0 gray.pgm
clahe --tiles 1x1 --clip 0 gray.pgm
clahe gray.pgm
# Colours: the Y of YCrCb. Alpha stays.
printf 'P6 4 1 255\n\012\024\036\024\036\050\036\050\062\050\062\074' > color.ppm
bytes=12
clahe --tiles 2x1 color.ppm
bytes=4
clahe --gray --tiles 2x1 color.ppm
printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\144\000\310\377\307\200' > alpha.pam
gpuhisto equalize --clahe --tiles 1x1 alpha.pam - | tail -c 6 | od -A n -t u1
# The same bytes on a device.
for options in '' '--clip 3.5 --tiles 5x3' '--gray'; do
  gpuhisto equalize -q --clahe $options --device cpu $DATA/flower.jpg cpu.ppm
  gpuhisto equalize -q --clahe $options --device emulated $DATA/flower.jpg emulated.ppm && cmp cpu.ppm emulated.ppm
done
