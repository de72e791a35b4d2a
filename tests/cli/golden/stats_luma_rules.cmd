printf 'P6 3 1 255\n\377\000\000\000\377\000\000\000\377' > primaries.ppm
for rule in bt601 bt709 average value; do
  gpuhisto hist --luma $rule --channels luma --no-header primaries.ppm | grep -v ',0,,,,$'
done
