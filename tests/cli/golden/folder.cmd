mkdir -p photos/more
printf 'P5 2 1 255\n\001\002' > photos/b.pgm
printf 'P5 2 1 255\n\003\004' > photos/more/a.pgm
echo hello > photos/notes.txt
gpuhisto stats --format csv --channels luma --percentiles 50 -r photos
gpuhisto stats -v --device cpu -j 2 -r photos 2>&1 > /dev/null | sed '/ Mpix in /s/;.*//' >&2
mkdir nothing
gpuhisto stats -r nothing
