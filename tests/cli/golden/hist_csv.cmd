printf 'P6 2 1 255\n\377\000\000\000\000\377' > color.ppm
gpuhisto hist color.ppm | grep -v ',0,0,0,0,$'
gpuhisto hist color.ppm | wc -l
gpuhisto hist --no-header --channels luma color.ppm color.ppm | grep -v ',0,,,,$'
