# SPDX-License-Identifier: MIT
"""A small tree with the project's own `dev`: targets of the same names, made in no time, and stand-ins for the programs that
install, compile for GPUs, format and pack, which only tell what they were asked."""
import os
import shutil
import stat
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

CMAKE = '''
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES NONE)
set(source ${CMAKE_SOURCE_DIR}/program.sh)
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/bin/gpuhisto DEPENDS ${source}
  COMMAND sh -n ${source} COMMAND install -D ${source} bin/gpuhisto)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
file(WRITE ${CMAKE_BINARY_DIR}/CPackConfig.cmake "")
add_custom_target(gpuhisto_all ALL DEPENDS bin/gpuhisto)
add_custom_target(fuzz_words COMMAND install -D ${source} bin/fuzz_words)
add_custom_target(fuzz_targets DEPENDS fuzz_words)
foreach(name gpuhisto_hip gpuhisto_emulated kernel_tests kernel_report fill_device failing_cuda)
  add_custom_target(${name})
endforeach()
if(GPUHISTO_TESTS)
  enable_testing()
  add_test(NAME good COMMAND true)
  add_test(NAME bad COMMAND false)
endif()
'''
PROGRAM = '''#!/bin/sh
case $1 in
  --generate) echo "made of $2" ;;
  fail) exit 3 ;;
  *) pwd; for argument in "$@"; do echo "[$argument]"; done; cat ;;
esac
'''
# By their path in the tree. Fuzzing fails where there is a file tests/fuzz/finds.
FILES = {
    'CMakeLists.txt': CMAKE,
    'program.sh': PROGRAM,
    'app/generated/gpuhisto.1': 'made of man\n',
    'app/generated/gpuhisto.bash': 'made of bash\n',
    'app/generated/_gpuhisto': 'made of zsh\n',
    'app/generated/gpuhisto.fish': 'made of fish\n',
    'app/main.cpp': 'as it should be\n',
    'lib/include/gpuhisto/image.hpp': 'as it should be\n',
    'kernels/tools/isa.py': 'print("a table")\n',
    'bench/run.py': 'import sys\nprint("bench", *sys.argv[1:])\n',
    'bench/gpu.py': 'import sys\nprint("bench gpu", *sys.argv[1:])\n',
    'docs/amd-isa.md': 'a table\n',
    'README.md': '', 'LICENSE': '', 'cmake/package.cmake': '',
    'tests/fuzz/seeds/words/one': '',
    'tests/fuzz/run.sh': '#!/bin/sh\necho "${1##*/} for $2 s"\n[ ! -e "$(dirname "$0")/finds" ]\n',
    'tests/bundle/make.sh': 'mkdir -p "$2"\ntouch "$2/each_call.py" "$2/run.sh"\n',
}
# dpkg-query finds whatever the file `missing` of the tree does not name; apt-get installs by taking it out of there.
STAND_INS = {
    'dpkg-query': 'for name in "$@"; do :; done\ngrep -qx "$name" "$TREE/missing" || echo install ok installed\n',
    'apt-get': '''echo "apt-get $*" >>"$TREE/asked"
[ ! -e "$TREE/no_network" ] || { echo "apt says why"; exit 100; }
[ "$1" = update ] || : >"$TREE/missing"
''',
    'sudo': 'exec "$@"\n',
    'invoke-rc.d': 'echo "invoke-rc.d $*" >>"$TREE/asked"\n',
    'update-rc.d': 'echo "update-rc.d $*" >>"$TREE/asked"\n',
    'hipcc': '',
    'nvcc': '',
    'clang++': 'exit 0\n',
    'clang-format': '''for file in "$@"; do
  case $file in -*) ;; *) grep -qx "as it should be" "$file" || echo "as it should be" >"$file" ;; esac
done
''',
    'cpack': '''while [ "$1" != -B ]; do shift; done
mkdir -p "$2" && touch "$2/gpuhisto_1_any.deb" "$2/gpuhisto-draw_1_any.deb"
''',
}


def write(path, text, executable=False):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w') as file:
        file.write(text)
    if executable:
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)


class SmallTree:
    def __init__(self):
        self.outside = tempfile.mkdtemp(prefix='dev test ')
        self.root = os.path.join(self.outside, 'a tree')
        for name, text in FILES.items():
            write(self.path(name), text, text.startswith('#!'))
        for name, text in STAND_INS.items():
            write(self.path('stand-ins', name), '#!/bin/sh\n' + text, executable=True)
        for name in ('asked', 'missing'):
            write(self.path(name), '')
        for name in ('dev', 'CMakePresets.json'):
            shutil.copy(os.path.join(SOURCE, name), self.root)
        self.link = os.path.join(self.outside, 'link')
        os.symlink(self.path('dev'), self.link)

    def remove(self):
        shutil.rmtree(self.outside)

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def read(self, *parts):
        with open(self.path(*parts)) as file:
            return file.read()

    def dev(self, *arguments, stdin='', terminal=subprocess.PIPE, more={}):
        """./dev, from a folder that is not the tree's and by a link: nothing may depend on either. Standard error goes to
        `terminal` where one is given; `more` is added to the environment."""
        environment = {key: value for key, value in os.environ.items() if key != 'CI' and not key.startswith('CTEST')}
        environment.update(PATH=self.path('stand-ins') + ':' + environment['PATH'], TREE=self.root, **more)
        return subprocess.run([self.link, *arguments], cwd=self.outside, env=environment, input=stdin, text=True,
                              stdout=subprocess.PIPE, stderr=terminal, timeout=60)


if __name__ == '__main__':  # to try ./dev by hand
    tree = SmallTree()
    done = tree.dev(*sys.argv[1:])
    print(done.stdout, done.stderr, done.returncode)
    tree.remove()
