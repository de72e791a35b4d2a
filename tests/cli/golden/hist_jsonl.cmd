printf 'P6 2 1 255\n\377\000\000\000\000\377' > color.ppm
gpuhisto hist --format jsonl --device cpu --channels blue color.ppm
