{ printf 'GIF89a\001\000\001\000\200\000\000\000\000\000\377\377\377'
  printf ',\000\000\000\000\001\000\001\000\000\002\002\104\001\000'
  printf ',\000\000\000\000\001\000\001\000\000\002\002\114\001\000;'; } > two.gif
gpuhisto stats --format jsonl --device cpu --channels luma two.gif | head -n 1
