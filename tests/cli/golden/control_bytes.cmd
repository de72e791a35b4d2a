# Whatever is typed, what is told about it is printable.
esc=$(printf '\033[31m')
try() { gpuhisto "$@"; echo "exit $?" >&2; }
try "$esc"
try stats "--$esc"
try stats "--strict=$esc" a.png
try stats --device "$esc" a.png
try stats --device "gpu:$esc" a.png
try stats --method "$(printf 'a\nb\\x1b')" a.png
try stats --policy "block=$esc" a.png
try stats --format "$esc" a.png
try stats --percentiles "$esc" a.png
try plot --size "$esc" a.png
try bench --pattern "$esc"
try bench --method "$esc"
GPUHISTO_DEVICE="$esc" try stats a.png
GPUHISTO_PLUGIN_PATH="/$esc" gpuhisto stats --method per-block a.png 2>&1 | grep -Fc "$esc" || true
