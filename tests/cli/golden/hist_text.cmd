printf 'P6 2 1 255\n\001\002\003\001\004\005' > color.ppm
gpuhisto hist --format text color.ppm | head -n 9
gpuhisto hist --format text --total-only color.ppm 2>&1 | head -n 3
