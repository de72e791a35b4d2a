printf 'P6 4 1 255\n\377\000\000\000\000\377\020\040\060\001\002\003' > color.ppm
gpuhisto hist --bins 4 color.ppm color.ppm
gpuhisto hist --bins 3 --cumulative --channels luma --format text color.ppm
gpuhisto stats --bins 4 --histograms --format json --channels luma color.ppm
gpuhisto hist --bins 4 --format json color.ppm > 4.json
gpuhisto hist --bins 8 --format json color.ppm > 8.json
gpuhisto merge --histograms 4.json
gpuhisto merge 4.json > /dev/null
gpuhisto merge 4.json 8.json
gpuhisto hist --bins 16 --channels luma $DATA/flower.jpg | gpuhisto plot -
