# --gray: the reference becomes gray by the same --luma, so that an image matched to itself is its own gray image
for rule in bt601 bt709 average value; do
  gpuhisto equalize --strip -q --gray --luma $rule --roi 0,0,1,1 $DATA/flower.jpg gray.pgm
  gpuhisto match --strip -q --gray --luma $rule $DATA/flower.jpg $DATA/flower.jpg same.pgm
  gpuhisto hist --luma $rule --format json -o table.json $DATA/flower.jpg
  gpuhisto match --strip -q --gray --luma $rule table.json $DATA/flower.jpg by_table.pgm
  cmp gray.pgm same.pgm && cmp gray.pgm by_table.pgm && echo $rule: same
done
gpuhisto match --gray --luma average table.json $DATA/flower.jpg no.pgm; echo $?
