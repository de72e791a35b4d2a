gpuhisto stats --max-pixels 1000 $DATA/bricks.png
gpuhisto equalize --max-memory 10K $DATA/rose.ppm out.png
