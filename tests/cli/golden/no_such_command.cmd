# Help is of a command that there is.
try() { gpuhisto "$@"; echo "exit $?" >&2; }
try nosuch --help
try --help nosuch
try nosuch stats --help
try stast -h
