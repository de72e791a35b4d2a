printf 'P5 2 2 255\n\012\024\036\050' | gpuhisto equalize - - | od -A n -c
printf 'P5 2 2 255\n\012' | gpuhisto stats -
gpuhisto stats --format csv --channels luma - < /dev/null
