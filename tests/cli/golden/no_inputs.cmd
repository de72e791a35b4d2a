try() { gpuhisto "$@"; echo "exit $?" >&2; }
try stats
try hist
try equalize
try plot
try equalize a.png
try stats --files-from /dev/null
