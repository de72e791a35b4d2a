# No output replaces an input, a result, or with -n anything, however it came to be named: exit 2 (3), and all files as before
cp $DATA/rose.ppm a.ppm; cp $DATA/scan.png b.png; mkdir in; cp b.png in/b.png; echo b.png > list; echo old > old.svg
cksum b.png in/b.png list old.svg > before
try() { gpuhisto "$@" > out.txt; echo "$?: $(wc -c < out.txt)"; rm -f out.txt; }
try stats -r in -o in/b.png
try stats --files-from list -o b.png
try hist -r in -o in/b.png
try hist --files-from list --plot b.png -o table.csv
try compare a.ppm -r in -o in/b.png
try equalize -r in --output-dir out --plot in/b.png
try equalize -r in --output-dir out --plot out/in/../in/b.png
try equalize b.png --output-dir out --to png --plot out/b.png
try equalize -n --plot old.svg b.png c.png
try stretch -n --plot old.svg --output-dir out b.png
try match --output-dir out --plot b.png a.ppm --files-from list
cksum b.png in/b.png list old.svg | cmp - before && ls
