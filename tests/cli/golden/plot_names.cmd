cp $DATA/scan.png 写真.png
gpuhisto plot 写真.png -o x.png && ls x.png
gpuhisto plot 写真.png -o x.svg && grep -o '<title id.*title>' x.svg
gpuhisto plot 写真.png | head -1
cp $DATA/scan.png Größe.png
gpuhisto plot Größe.png -o x.png
