# A quarter of the pixels at each of four levels takes the reference's quartiles; an image or a table, of gray or of colors
printf 'P2\n4 1\n255\n10 20 30 40\n' > in.pgm
printf 'P2\n8 1\n255\n100 100 101 101 110 110 200 200\n' > reference.pgm
gpuhisto match reference.pgm in.pgm - --to pnm | od -A n -t u1 -j 11
echo '# by a table, as CSV and as JSON'
gpuhisto hist reference.pgm | gpuhisto match - in.pgm - --to pnm | od -A n -t u1 -j 11
gpuhisto hist --format json reference.pgm > reference.json
gpuhisto match reference.json - - --to pnm < in.pgm | od -A n -t u1 -j 11
echo '# of several images together'
printf 'P2\n8 1\n255\n0 0 0 0 0 0 0 0\n' > black.pgm
gpuhisto hist reference.pgm black.pgm | gpuhisto match - in.pgm - --to pnm | od -A n -t u1 -j 11
echo '# a gray reference serves every channel'
printf 'P3\n2 1\n255\n 10 20 30  110 70 130\n' > color.ppm
for how in luma each joint; do
  gpuhisto match --channels $how reference.pgm color.ppm - --to pnm | od -A n -t u1 -j 11
done
echo '# an image matched to itself stays as it is'
gpuhisto match color.ppm color.ppm - --to pnm | od -A n -t u1 -j 11
gpuhisto match --output-dir out reference.pgm in.pgm color.ppm && ls out
