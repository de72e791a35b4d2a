head -c 20000 $DATA/flower.jpg > cut.jpg
gpuhisto stats --format csv --channels luma cut.jpg; echo "exit $?" >&2
gpuhisto stats --format csv --channels luma --tolerate-damage cut.jpg; echo "exit $?" >&2
gpuhisto equalize cut.jpg out.png; echo "exit $?" >&2
gpuhisto equalize --tolerate-damage cut.jpg out.ppm; echo "exit $?" >&2
head -n 2 out.ppm
