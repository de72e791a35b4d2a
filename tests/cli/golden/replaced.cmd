# Results that take the place of their inputs are told; -n and -q as they say.
cp $DATA/scan.png $DATA/bricks.png .
mkdir sub && cp scan.png sub
gpuhisto equalize -r . --output-dir . && echo done
gpuhisto stretch scan.png --output-dir .
gpuhisto stretch -q scan.png --output-dir .
gpuhisto stretch -n scan.png --output-dir . ; echo "exit $?" >&2
gpuhisto stretch scan.png scan.png
try() { gpuhisto "$@"; echo "exit $?" >&2; }
try equalize scan.png -o x.png
try match scan.png bricks.png --output=x.png
try plot .
try plot -r sub
try stats -x
touch ./-x && try stats -x
try compare --sort chi-square --no-header scan.png bricks.png
# What an image's name promises and its content does not keep is told.
echo '<html>not found</html>' >sub/photo.jpg; echo text >sub/notes.txt
gpuhisto stats --channels luma --format csv -r sub | cut -d, -f1-7
