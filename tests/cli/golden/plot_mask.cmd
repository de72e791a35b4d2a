cp $DATA/scan.png mask.png
gpuhisto plot $DATA/scan.png --mask mask.png -o mask.png; echo $?
gpuhisto equalize $DATA/scan.png x.png --mask mask.png --plot mask.png; echo $?
cmp $DATA/scan.png mask.png
