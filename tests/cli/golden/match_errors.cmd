# References that are none: one line, and nothing is written
gpuhisto match $DATA/flower.jpg; echo $?
gpuhisto match $DATA/flower.jpg $DATA/scan.png; echo $?
gpuhisto match; echo $?
gpuhisto match --output-dir out; echo $?
gpuhisto match missing.jpg $DATA/scan.png out.png; echo $?
echo text > text.txt
gpuhisto match text.txt $DATA/scan.png out.png; echo $?
cp $DATA/scan.png reference.png
gpuhisto match reference.png $DATA/flower.jpg reference.png; echo $?
cmp $DATA/scan.png reference.png
gpuhisto match --output-dir . reference.png $DATA/flower.jpg reference.png; echo $?
gpuhisto hist --luma bt709 --format json $DATA/flower.jpg > bt709.json
gpuhisto match bt709.json $DATA/scan.png out.png; echo $?
gpuhisto hist --channels alpha $DATA/cutout.png > alpha.csv
gpuhisto match alpha.csv $DATA/scan.png out.png; echo $?
gpuhisto match --channels each alpha.csv $DATA/scan.png out.png; echo $?
printf 'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\007\000' > clear.pam
gpuhisto match --alpha skip clear.pam $DATA/scan.png out.png; echo $?
gpuhisto match - - out.png < $DATA/scan.png; echo $?
gpuhisto match $DATA/scan.png missing.png out.png; echo $?
ls
