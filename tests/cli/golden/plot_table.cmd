cp $DATA/bricks.png $DATA/scan.png .
gpuhisto hist bricks.png scan.png | gpuhisto plot --cumulative --channels luma -
gpuhisto hist --format json bricks.png > bricks.json
gpuhisto plot --channels luma bricks.json > from_table
gpuhisto plot --channels luma bricks.png | cmp - from_table
echo 'file,value,luma,red,green,blue,alpha' | gpuhisto plot -
echo '{"schema":1' | gpuhisto plot -
