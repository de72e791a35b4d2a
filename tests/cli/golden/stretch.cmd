# Ends by hand: of 10 pixels, 10 percent may go black, and 20 percent white; joint goes by the luma, each by each channel
printf 'P2\n10 1\n255\n10 20 30 40 50 60 70 80 90 100\n' > gray.pgm
echo '# the lowest and highest become 0 and 255'
gpuhisto stretch --low 0 --high 0% gray.pgm - --to pnm | od -A n -t u1 -j 12
echo '# one may fall off below, two above'
gpuhisto stretch --low 10% --high 20% gray.pgm - --to pnm | od -A n -t u1 -j 12
echo '# then the median, 55, to the middle'
gpuhisto stretch --low 10 --high 20 --auto-gamma gray.pgm - --to pnm | od -A n -t u1 -j 12
printf 'P3\n2 1\n255\n 10 20 30  110 70 130\n' > color.ppm
for how in luma each joint; do
  echo "# --channels $how"
  gpuhisto stretch --channels $how --low 0 --high 0 color.ppm - --to pnm | od -A n -t u1 -j 11
done
echo '# a constant image stays as it is'
printf 'P2\n2 1\n255\n9 9\n' | gpuhisto stretch - - --to pnm | od -A n -t u1 -j 11
