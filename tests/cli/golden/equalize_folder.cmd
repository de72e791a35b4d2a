mkdir -p in/sub
printf 'P5 2 1 255\n\001\002' > in/a.pgm
printf 'P5 2 1 255\n\003' > in/cut.pgm
printf 'P5 2 1 255\n\003\004' > in/sub/a.pgm
echo hello > in/notes.txt
gpuhisto equalize --output-dir out --to png -r in
echo "exit $?" >&2
find out -type f | sort
