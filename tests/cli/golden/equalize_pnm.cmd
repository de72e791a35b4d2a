# The textbook: 0, 2/5 and 5/5 of 255.
printf 'P5 8 1 255\n\144\144\144\170\170\226\226\226' > gray.pgm
gpuhisto equalize gray.pgm out.pgm && od -A n -t u1 -w16 out.pgm
printf 'P6 4 1 255\n\012\024\036\024\036\050\036\050\062\050\062\074' > color.ppm
for how in luma each joint; do gpuhisto equalize --channels $how color.ppm out.ppm && tail -c 12 out.ppm | od -A n -t u1; done
gpuhisto equalize --gray color.ppm out.pgm && od -A n -t u1 -w16 out.pgm
