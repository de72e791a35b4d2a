#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""generated.py GPUHISTO: the manual page and the completions of app/generated are what the program makes, shells and man
take them, and every word they offer as a value is one. `./dev generate` makes them anew."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(SOURCE, 'app', 'generated')
FILES = {'man': 'gpuhisto.1', 'bash': 'gpuhisto.bash', 'zsh': '_gpuhisto', 'fish': 'gpuhisto.fish'}
PROGRAM = os.path.abspath(sys.argv.pop(1))


def committed(kind):
    with open(os.path.join(FOLDER, FILES[kind])) as file:
        return file.read()


def run(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, **options)


def complete(*words):
    """What bash offers for the last word."""
    script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _gpuhisto; printf "%s\\n" "${COMPREPLY[@]}"'
    done = run('bash', '-c', script, 'bash', os.path.join(FOLDER, FILES['bash']), *words)
    return done.stdout.split()


class Generated(unittest.TestCase):
    def test_files_are_up_to_date(self):
        for kind in FILES:
            with self.subTest(kind):
                self.assertEqual(committed(kind), run(PROGRAM, '--generate', kind).stdout, './dev generate')

    def test_another_kind_is_refused(self):
        done = run(PROGRAM, '--generate', 'html')
        self.assertEqual((done.returncode, done.stdout), (2, ''))

    def test_shells_and_man_take_them(self):
        checks = {'bash': ['bash', '-n'], 'zsh': ['zsh', '-n'], 'fish': ['fish', '-n'],
                  'man': ['man', '--warnings', '-E', 'UTF-8', '-l', '-Tutf8']}
        for kind, check in checks.items():
            if not shutil.which(check[0]):
                print('without %s, which is not here' % check[0])
                continue
            with self.subTest(kind):
                done = run(*check, os.path.join(FOLDER, FILES[kind]))
                self.assertEqual((done.returncode, done.stderr), (0, ''))

    def test_every_command_and_option_is_told(self):
        commands = re.findall(r'^  (\w+) {2,}', run(PROGRAM, '--help').stdout.split('Commands:')[1], re.M)
        self.assertGreater(len(commands), 6)
        for command in commands:
            options = re.findall(r'(?:^|,)(--[a-z-]+)', run(PROGRAM, command, '--help').stdout.replace('  -', ',-'), re.M)
            offered = complete('gpuhisto', command, '--')
            for option in options:
                self.assertIn(option, offered, command)
                self.assertIn('\\fB' + option.replace('-', '\\-') + '\\fR', committed('man'))
                self.assertIn(option, committed('zsh'))
                self.assertIn(' -l ' + option[2:], committed('fish'))

    def test_what_bash_offers(self):
        self.assertIn('stats', complete('gpuhisto', ''))
        self.assertEqual(complete('gpuhisto', 'st'), ['stats', 'stretch'])
        self.assertEqual(complete('gpuhisto', 'stats', '--luma', 'bt'), ['bt601', 'bt709'])
        self.assertEqual(complete('gpuhisto', 'stats', '--luma', '=', 'a'), ['average'])
        self.assertEqual(complete('gpuhisto', 'stats', '--luma', '='), ['bt601', 'bt709', 'average', 'value'])
        self.assertEqual(complete('gpuhisto', 'equalize', '--channels', ''), ['luma', 'each', 'joint'])
        self.assertEqual(complete('gpuhisto', 'stats', '--', '--l'), [])
        self.assertEqual(complete('gpuhisto', 'stats', 'x'), [])  # then bash offers files

    def test_every_word_offered_is_a_value_and_no_other(self):
        names = {'equalize': ['missing.png', 'out.png'], 'stretch': ['missing.png', 'out.png'], 'devices': [],
                 'match': ['missing.png', 'missing.png', 'out.png'], 'compare': ['missing.png', 'missing.png'],
                 'bench': ['--pixels=1', '--rounds=1', '--device=cpu', '-q'], 'bench --device': ['--pixels=1', '--rounds=1', '-q'],
                 'bench --map': ['--keys=u32', '--pixels=1', '--rounds=1', '--device=cpu', '-q'], 'bench --preset': ['--device=cpu', '-q']}
        checked = 0
        for command, body in re.findall(r"^  (\w+)\)\n    case \$before in\n(.*?)\n    esac ;;", committed('bash'), re.M | re.S):
            for option, words in re.findall(r"^    (?:-\w\|)?(--[^)]*)\) words='([^']*)'", body, re.M):
                if option == '--shard':
                    continue  # of a scheduler's environment
                rest = names.get('%s %s' % (command, option), names.get(command, ['missing.png']))
                for word in [*words.split(), 'zzzqq']:
                    with self.subTest('%s %s=%s' % (command, option, word)), tempfile.TemporaryDirectory() as folder:
                        done = run(PROGRAM, command, option + '=' + word, *rest, cwd=folder)
                        if word == 'zzzqq':
                            self.assertEqual(done.returncode, 2)
                            self.assertRegex(done.stderr, "'zzzqq' (is not?|means no) |unknown [a-z]+ 'zzzqq'")
                        else:
                            self.assertNotRegex(done.stderr, "'%s' (is not?|means no) |unknown" % re.escape(word))
                        checked += 1
        self.assertGreater(checked, 200)


if __name__ == '__main__':
    unittest.main()
