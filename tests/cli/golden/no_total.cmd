printf 'P5 2 1 255\n\000\001' > a.pgm
printf 'P5 2 1 255\n\001\002' > b.pgm
try() { gpuhisto "$@"; echo "exit $?" >&2; }
try stats --no-total --format csv a.pgm b.pgm | cut -d , -f 1-9
try stats --no-total a.pgm b.pgm
try hist --no-total a.pgm b.pgm | grep -c ,
try stats --no-total --total-only a.pgm b.pgm
try stats --no-total --format json a.pgm b.pgm
try hist --no-total -o a.jsonl a.pgm b.pgm
