# "help" as people type it: the same as --help.
gpuhisto --help > expected
for command in "" help --help; do gpuhisto help $command | cmp - expected; done
for command in stats hist equalize plot bench devices; do
  gpuhisto $command --help > expected
  gpuhisto help $command | cmp - expected
done
gpuhisto stats --nosuch --help || echo $?  # no help beside what is wrong
gpuhisto help stat
