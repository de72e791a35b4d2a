printf 'P5 4 1 255\n\012\012\024\024' > a.pgm
printf 'P5 4 1 255\n\012\024\024\024' > b.pgm
printf 'P6 2 1 255\n\310\310\310\012\012\012' > c.ppm
gpuhisto compare a.pgm b.pgm c.ppm a.pgm
gpuhisto compare --sort intersection --format csv a.pgm c.ppm b.pgm a.pgm
gpuhisto compare --channels all c.ppm c.ppm b.pgm
gpuhisto compare --format json c.ppm b.pgm c.ppm
gpuhisto compare --format jsonl --bins 2 c.ppm b.pgm
gpuhisto hist --format jsonl a.pgm b.pgm c.ppm | gpuhisto compare --sort emd b.pgm -
