# Cut-offs that cross or make no sense: one line, and nothing is written
for cut in '--low 50 --high 50%' '--low 101' '--high x' '--low 1,2' '--low -1' '--low 0.0000000001' '--high %'; do
  gpuhisto stretch $cut $DATA/flower.jpg out.png; echo "$cut: $?"
done
gpuhisto stretch --channels hue $DATA/flower.jpg out.png; echo $?
gpuhisto stretch --luma bt709 $DATA/flower.jpg out.png; echo $?
gpuhisto stretch -q --luma bt709 --channels joint $DATA/flower.jpg out.png; echo $?
gpuhisto stretch $DATA/flower.jpg; echo $?
ls
