# bash completion for gpuhisto, made by `gpuhisto --generate bash`
_gpuhisto() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= words= word
  COMPREPLY=()
  # --option=VALUE comes as three words
  [[ $current == = ]] && current=
  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      --) return ;;
      stats|hist|equalize|stretch|match|plot|compare|bench|merge|devices) [[ $command ]] || command=$word ;;
    esac
  done
  case $command in
  stats)
    case $before in
    --files-from) return ;;
    --shard) words='slurm-array slurm mpi k8s:' ;;
    --include) compopt +o default 2>/dev/null; return ;;
    --exclude) compopt +o default 2>/dev/null; return ;;
    --format) words='text csv json jsonl' ;;
    --channels) words='all luma red green blue alpha' ;;
    -o|--output) return ;;
    --bins) compopt +o default 2>/dev/null; return ;;
    --percentiles) compopt +o default 2>/dev/null; return ;;
    --luma) words='bt601 bt709 average value' ;;
    --alpha) words='count skip' ;;
    --roi) compopt +o default 2>/dev/null; return ;;
    --mask) return ;;
    --max-pixels) compopt +o default 2>/dev/null; return ;;
    --max-memory) compopt +o default 2>/dev/null; return ;;
    --max-seconds) compopt +o default 2>/dev/null; return ;;
    --device) words='auto cpu gpu emulated' ;;
    --method) words='auto cpu per-grid per-grid-vec4 wave-aggregated per-block per-block-partial per-thread vendor' ;;
    --policy) compopt +o default 2>/dev/null; return ;;
    -j|--threads) compopt +o default 2>/dev/null; return ;;
    --progress) words='auto always never' ;;
    *) [[ $current == -* ]] && words='-h --help -r --recursive --files-from -0 --null --shard --include --exclude --fail-fast --format --channels -o --output --no-header --total-only --no-total --histograms --bins --percentiles --luma --alpha --roi --mask --strict --tolerate-damage --max-pixels --max-memory --max-seconds --device --method --policy -j --threads -q --quiet -v --verbose --progress --sandbox' ;;
    esac ;;
  hist)
    case $before in
    --files-from) return ;;
    --shard) words='slurm-array slurm mpi k8s:' ;;
    --include) compopt +o default 2>/dev/null; return ;;
    --exclude) compopt +o default 2>/dev/null; return ;;
    --format) words='text csv json jsonl' ;;
    --channels) words='all luma red green blue alpha' ;;
    -o|--output) return ;;
    --bins) compopt +o default 2>/dev/null; return ;;
    --plot) return ;;
    --luma) words='bt601 bt709 average value' ;;
    --alpha) words='count skip' ;;
    --roi) compopt +o default 2>/dev/null; return ;;
    --mask) return ;;
    --max-pixels) compopt +o default 2>/dev/null; return ;;
    --max-memory) compopt +o default 2>/dev/null; return ;;
    --max-seconds) compopt +o default 2>/dev/null; return ;;
    --device) words='auto cpu gpu emulated' ;;
    --method) words='auto cpu per-grid per-grid-vec4 wave-aggregated per-block per-block-partial per-thread vendor' ;;
    --policy) compopt +o default 2>/dev/null; return ;;
    -j|--threads) compopt +o default 2>/dev/null; return ;;
    --progress) words='auto always never' ;;
    *) [[ $current == -* ]] && words='-h --help -r --recursive --files-from -0 --null --shard --include --exclude --fail-fast --format --channels -o --output --no-header --total-only --no-total --cumulative --bins --plot --luma --alpha --roi --mask --strict --tolerate-damage --max-pixels --max-memory --max-seconds --device --method --policy -j --threads -q --quiet -v --verbose --progress --sandbox' ;;
    esac ;;
  equalize)
    case $before in
    --files-from) return ;;
    --shard) words='slurm-array slurm mpi k8s:' ;;
    --include) compopt +o default 2>/dev/null; return ;;
    --exclude) compopt +o default 2>/dev/null; return ;;
    --channels) words='luma each joint' ;;
    --output-dir) mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
    --plot) return ;;
    --to) words='png jpeg pnm pam bmp' ;;
    --quality) compopt +o default 2>/dev/null; return ;;
    --background) compopt +o default 2>/dev/null; return ;;
    --luma) words='bt601 bt709 average value' ;;
    --alpha) words='count skip' ;;
    --roi) compopt +o default 2>/dev/null; return ;;
    --mask) return ;;
    --max-pixels) compopt +o default 2>/dev/null; return ;;
    --max-memory) compopt +o default 2>/dev/null; return ;;
    --max-seconds) compopt +o default 2>/dev/null; return ;;
    --device) words='auto cpu gpu emulated' ;;
    --method) words='auto cpu per-grid per-grid-vec4 wave-aggregated per-block per-block-partial per-thread vendor' ;;
    --policy) compopt +o default 2>/dev/null; return ;;
    -j|--threads) compopt +o default 2>/dev/null; return ;;
    --progress) words='auto always never' ;;
    --clip) compopt +o default 2>/dev/null; return ;;
    --tiles) compopt +o default 2>/dev/null; return ;;
    *) [[ $current == -* ]] && words='-h --help -r --recursive --files-from -0 --null --shard --include --exclude --fail-fast --channels --gray --output-dir --plot --to --quality --background --strip -n --no-clobber --luma --alpha --roi --mask --strict --tolerate-damage --max-pixels --max-memory --max-seconds --device --method --policy -j --threads -q --quiet -v --verbose --progress --sandbox --clahe --clip --tiles' ;;
    esac ;;
  stretch)
    case $before in
    --files-from) return ;;
    --shard) words='slurm-array slurm mpi k8s:' ;;
    --include) compopt +o default 2>/dev/null; return ;;
    --exclude) compopt +o default 2>/dev/null; return ;;
    --channels) words='luma each joint' ;;
    --output-dir) mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
    --plot) return ;;
    --to) words='png jpeg pnm pam bmp' ;;
    --quality) compopt +o default 2>/dev/null; return ;;
    --background) compopt +o default 2>/dev/null; return ;;
    --luma) words='bt601 bt709 average value' ;;
    --alpha) words='count skip' ;;
    --roi) compopt +o default 2>/dev/null; return ;;
    --mask) return ;;
    --max-pixels) compopt +o default 2>/dev/null; return ;;
    --max-memory) compopt +o default 2>/dev/null; return ;;
    --max-seconds) compopt +o default 2>/dev/null; return ;;
    --device) words='auto cpu gpu emulated' ;;
    --method) words='auto cpu per-grid per-grid-vec4 wave-aggregated per-block per-block-partial per-thread vendor' ;;
    --policy) compopt +o default 2>/dev/null; return ;;
    -j|--threads) compopt +o default 2>/dev/null; return ;;
    --progress) words='auto always never' ;;
    --low) compopt +o default 2>/dev/null; return ;;
    --high) compopt +o default 2>/dev/null; return ;;
    *) [[ $current == -* ]] && words='-h --help -r --recursive --files-from -0 --null --shard --include --exclude --fail-fast --channels --gray --output-dir --plot --to --quality --background --strip -n --no-clobber --luma --alpha --roi --mask --strict --tolerate-damage --max-pixels --max-memory --max-seconds --device --method --policy -j --threads -q --quiet -v --verbose --progress --sandbox --low --high --auto-gamma' ;;
    esac ;;
  match)
    case $before in
    --files-from) return ;;
    --shard) words='slurm-array slurm mpi k8s:' ;;
    --include) compopt +o default 2>/dev/null; return ;;
    --exclude) compopt +o default 2>/dev/null; return ;;
    --channels) words='luma each joint' ;;
    --output-dir) mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
    --plot) return ;;
    --to) words='png jpeg pnm pam bmp' ;;
    --quality) compopt +o default 2>/dev/null; return ;;
    --background) compopt +o default 2>/dev/null; return ;;
    --luma) words='bt601 bt709 average value' ;;
    --alpha) words='count skip' ;;
    --roi) compopt +o default 2>/dev/null; return ;;
    --mask) return ;;
    --max-pixels) compopt +o default 2>/dev/null; return ;;
    --max-memory) compopt +o default 2>/dev/null; return ;;
    --max-seconds) compopt +o default 2>/dev/null; return ;;
    --device) words='auto cpu gpu emulated' ;;
    --method) words='auto cpu per-grid per-grid-vec4 wave-aggregated per-block per-block-partial per-thread vendor' ;;
    --policy) compopt +o default 2>/dev/null; return ;;
    -j|--threads) compopt +o default 2>/dev/null; return ;;
    --progress) words='auto always never' ;;
    *) [[ $current == -* ]] && words='-h --help -r --recursive --files-from -0 --null --shard --include --exclude --fail-fast --channels --gray --output-dir --plot --to --quality --background --strip -n --no-clobber --luma --alpha --roi --mask --strict --tolerate-damage --max-pixels --max-memory --max-seconds --device --method --policy -j --threads -q --quiet -v --verbose --progress --sandbox' ;;
    esac ;;
  plot)
    case $before in
    -o|--output) return ;;
    --to) words='png svg' ;;
    --size) compopt +o default 2>/dev/null; return ;;
    --scale) compopt +o default 2>/dev/null; return ;;
    --theme) words='light dark' ;;
    --layout) words='overlaid stacked' ;;
    --channels) words='all luma red green blue alpha' ;;
    --luma) words='bt601 bt709 average value' ;;
    --alpha) words='count skip' ;;
    --roi) compopt +o default 2>/dev/null; return ;;
    --mask) return ;;
    --max-pixels) compopt +o default 2>/dev/null; return ;;
    --max-memory) compopt +o default 2>/dev/null; return ;;
    --max-seconds) compopt +o default 2>/dev/null; return ;;
    --device) words='auto cpu gpu emulated' ;;
    --method) words='auto cpu per-grid per-grid-vec4 wave-aggregated per-block per-block-partial per-thread vendor' ;;
    --policy) compopt +o default 2>/dev/null; return ;;
    -j|--threads) compopt +o default 2>/dev/null; return ;;
    --progress) words='auto always never' ;;
    *) [[ $current == -* ]] && words='-h --help -o --output --to --size --scale --theme --layout --log --cumulative --channels --luma --alpha --roi --mask --strict --tolerate-damage --max-pixels --max-memory --max-seconds --device --method --policy -j --threads -q --quiet -v --verbose --progress --sandbox' ;;
    esac ;;
  compare)
    case $before in
    --files-from) return ;;
    --include) compopt +o default 2>/dev/null; return ;;
    --exclude) compopt +o default 2>/dev/null; return ;;
    --format) words='text csv json jsonl' ;;
    --channels) words='all luma red green blue alpha' ;;
    -o|--output) return ;;
    --bins) compopt +o default 2>/dev/null; return ;;
    --sort) words='l1 chi_square intersection bhattacharyya emd' ;;
    --luma) words='bt601 bt709 average value' ;;
    --alpha) words='count skip' ;;
    --roi) compopt +o default 2>/dev/null; return ;;
    --mask) return ;;
    --max-pixels) compopt +o default 2>/dev/null; return ;;
    --max-memory) compopt +o default 2>/dev/null; return ;;
    --max-seconds) compopt +o default 2>/dev/null; return ;;
    --device) words='auto cpu gpu emulated' ;;
    --method) words='auto cpu per-grid per-grid-vec4 wave-aggregated per-block per-block-partial per-thread vendor' ;;
    --policy) compopt +o default 2>/dev/null; return ;;
    -j|--threads) compopt +o default 2>/dev/null; return ;;
    --progress) words='auto always never' ;;
    *) [[ $current == -* ]] && words='-h --help -r --recursive --files-from -0 --null --include --exclude --fail-fast --format --channels -o --output --no-header --bins --sort --luma --alpha --roi --mask --strict --tolerate-damage --max-pixels --max-memory --max-seconds --device --method --policy -j --threads -q --quiet -v --verbose --progress --sandbox' ;;
    esac ;;
  bench)
    case $before in
    --preset) words='hip-tutorial cuda-handbook leetcuda mi300x book' ;;
    --method) words='all cpu per-grid per-grid-vec4 wave-aggregated per-block per-block-partial per-thread vendor unsafe-nonatomic' ;;
    --policy) compopt +o default 2>/dev/null; return ;;
    --device) words='auto cpu gpu emulated' ;;
    -j|--threads) compopt +o default 2>/dev/null; return ;;
    --pattern) words='all constant two-level ramp uniform gauss photo every-4th-fixed hot-90 zipf entropy-2 entropy-3 entropy-4 entropy-5' ;;
    --pixels) compopt +o default 2>/dev/null; return ;;
    --channels) words='gray rgb rgb+luma' ;;
    --batch) compopt +o default 2>/dev/null; return ;;
    --input) return ;;
    --keys) words='u8 u32' ;;
    --bins) compopt +o default 2>/dev/null; return ;;
    --map) words='mod range' ;;
    --key-range) compopt +o default 2>/dev/null; return ;;
    --rounds) compopt +o default 2>/dev/null; return ;;
    --min-time) compopt +o default 2>/dev/null; return ;;
    --seed) compopt +o default 2>/dev/null; return ;;
    --format) words='text csv json' ;;
    -o|--output) return ;;
    --plot) return ;;
    *) [[ $current == -* ]] && words='-h --help --preset --method --policy --device -j --threads --pattern --pixels --channels --batch --input --keys --bins --map --key-range --rounds --min-time --seed --hot --format -o --output --plot -q --quiet' ;;
    esac ;;
  merge)
    case $before in
    --format) words='text csv json jsonl' ;;
    --channels) words='all luma red green blue alpha' ;;
    -o|--output) return ;;
    --percentiles) compopt +o default 2>/dev/null; return ;;
    --progress) words='auto always never' ;;
    *) [[ $current == -* ]] && words='-h --help --partial --format --channels -o --output --no-header --histograms --percentiles -q --quiet -v --verbose --progress --sandbox' ;;
    esac ;;
  devices)
    case $before in
    --format) words='text csv json' ;;
    *) [[ $current == -* ]] && words='-h --help --format' ;;
    esac ;;
  *)
    case $before in
    --generate) words='man bash zsh fish' ;;
    *) words='stats hist equalize stretch match plot compare bench merge devices -h --help --version --generate' ;;
    esac ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o bashdefault -o default -F _gpuhisto gpuhisto
