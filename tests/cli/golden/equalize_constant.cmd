printf 'P5 3 1 255\n\177\177\177' > gray.pgm
gpuhisto equalize gray.pgm - | tail -c 3 | od -A n -t u1
printf 'P7\nWIDTH 3\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\144\000\310\377\307\200' > alpha.pam
gpuhisto equalize alpha.pam - | tail -c 6 | od -A n -t u1
gpuhisto equalize --alpha skip alpha.pam - | tail -c 6 | od -A n -t u1
