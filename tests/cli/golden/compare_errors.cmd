try() { gpuhisto "$@"; echo "exit $?" >&2; }
printf 'P5 4 1 255\n\012\012\024\024' > a.pgm
printf 'P6 2 1 255\n\310\310\310\012\012\012' > c.ppm
printf 'P5 4 1 255\n\012' > short.pgm
gpuhisto hist --bins 4 a.pgm > 4.csv
gpuhisto hist --bins 8 a.pgm > 8.csv
try compare a.pgm short.pgm missing.png c.ppm
try compare short.pgm a.pgm
try compare 4.csv 8.csv a.pgm
try compare --bins 8 4.csv a.pgm
try compare --channels red c.ppm a.pgm
try compare --channels red a.pgm c.ppm
try compare a.pgm
try compare --sort best a.pgm c.ppm
try compare --shard 1/2 a.pgm c.ppm
