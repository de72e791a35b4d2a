try() { gpuhisto "$@"; echo "exit $?" >&2; }
try stast a.png
try --verison
try frobnicate a.png
try stats --fromat csv a.png
try stats -x.png
try stats --method per-blok a.png
try stats --method fastest a.png
try stats --device gup a.png
try stats --device gpu:x a.png
try stats --format yaml a.png
try stats --format '[x' a.png
try hist --channels lumma a.png
try stats --luma rec2020 a.png
try stats --alpha ignore a.png
try equalize --channels hue a.png b.png
try equalize --to tiff a.png b.png
try plot --to gif a.png
try stats --policy replica=4 a.png
try stats --policy fast=yes a.png
try stats --policy overflow=merge a.png
try stats --policy overflow=perodic-merge a.png
try stats --policy layout a.png
try stats --policy replicas=many a.png
try stats --policy grid=4294967296 a.png
try stats --policy block=64, a.png
try stats --policy block=64,,replicas=1 a.png
try stats --policy , a.png
try stats --policy block=64,replicas=1,block=128 a.png
try devices --format yaml
try devices --format jsonl
try devices a.png
