printf 'P5 2 2 255\n\012\024\036\050' > gray.pgm
printf 'P6 2 1 255\n\377\000\000\000\000\377' > color.ppm
printf 'P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\144\000\310\377' > 'a,"b".pam'
gpuhisto stats --format csv gray.pgm color.ppm 'a,"b".pam'
