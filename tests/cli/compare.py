#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""compare.py GPUHISTO [unittest arguments]: distances against fractions and long decimals, and what compare takes and tells."""
import csv
import decimal
import fractions
import io
import json
import math
import os
import random
import subprocess
import unittest

from behaviour import InFolder, run

decimal.getcontext().prec = 60
EXACT, LONG = ('l1', 'intersection', 'emd'), ('chi_square', 'bhattacharyya')
METRICS = ('l1', 'chi_square', 'intersection', 'bhattacharyya', 'emd')


def write_gray(name, values):
    with open(name, 'wb') as file:
        file.write(b'P5 %d 1 255\n' % len(values) + bytes(values))


def bins_of(values):
    return [values.count(v) for v in range(256)]


def long_of(fraction):
    return decimal.Decimal(fraction.numerator) / decimal.Decimal(fraction.denominator)


def distances_of(a, b):
    p = [fractions.Fraction(count, sum(a)) for count in a]
    q = [fractions.Fraction(count, sum(b)) for count in b]
    running = [abs(sum(p[:v + 1]) - sum(q[:v + 1])) for v in range(256)]
    coefficient = sum((long_of(x * y).sqrt() for x, y in zip(p, q)), decimal.Decimal(0))
    return {'l1': sum(abs(x - y) for x, y in zip(p, q)), 'intersection': sum(map(min, p, q)), 'emd': sum(running),
            'chi_square': sum((x - y) ** 2 / x for x, y in zip(p, q) if x),
            'bhattacharyya': max(decimal.Decimal(0), 1 - coefficient).sqrt()}


class Distances(InFolder):
    def expect(self, got, a, b):
        wanted = distances_of(a, b)
        for name in EXACT:
            self.assertLessEqual(abs(fractions.Fraction(got[name]) - wanted[name]), fractions.Fraction(math.ulp(got[name])), name)
        for name, exact in (('chi_square', long_of(wanted['chi_square'])), ('bhattacharyya', wanted['bhattacharyya'])):
            self.assertLess(abs(decimal.Decimal(got[name]) - exact), exact * decimal.Decimal('1e-15') + decimal.Decimal('1e-25'), name)

    def test_are_the_formulas(self):
        generator = random.Random(1)
        values = [[generator.choice((0, 3, 200, 255, generator.randrange(256))) for _ in range(generator.randrange(1, 900))]
                  for _ in range(25)]
        for number, of_one in enumerate(values):
            write_gray('%d.pgm' % number, of_one)
        names = ['%d.pgm' % number for number in range(len(values))]
        done = run('compare', '--format', 'json', '7.pgm', *names)
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document['reference'], {'input': '7.pgm', 'pixels': len(values[7])})
        self.assertEqual(len(document['results']), len(names))
        for result, of_one in zip(document['results'], values):
            self.expect(result['channels']['luma'], bins_of(values[7]), bins_of(of_one))
        self.assertEqual(list(document['results'][7]['channels']['luma'].values()), [0, 0, 1, 0, 0])
        rows = list(csv.DictReader(io.StringIO(run('compare', '--format', 'csv', '7.pgm', *names).stdout.decode())))
        self.assertEqual([{name: float(row[name]) for name in METRICS} for row in rows],
                         [result['channels']['luma'] for result in document['results']])
        lines = [json.loads(line) for line in run('compare', '--format', 'jsonl', '-j', '3', '7.pgm', *names).stdout.splitlines()]
        self.assertEqual([line['result'] for line in lines[:-1]], document['results'])
        self.assertEqual(lines[-1]['total'], document['total'])
        self.sorting(names, document['results'])

    def sorting(self, names, results):
        for metric in METRICS:
            keys = [result['channels']['luma'][metric] for result in results]
            order = sorted(range(len(names)), key=lambda i: -keys[i] if metric == 'intersection' else keys[i])
            done = run('compare', '--sort', metric, '--format', 'csv', '--no-header', '7.pgm', *names)
            self.assertEqual([line.split(',')[0] for line in done.stdout.decode().splitlines()], [names[i] for i in order])

    def test_by_bins(self):
        generator = random.Random(2)
        values = [[generator.randrange(256) for _ in range(300)] for _ in range(2)]
        for name, of_one in zip('ab', values):
            write_gray(name, of_one)
        for bins in (1, 3, 16, 200):
            first = [-(-(v * bins // 256) * 256 // bins) for v in range(256)]
            a, b = (bins_of([first[v] for v in of_one]) for of_one in values)
            by_flag = run('compare', '--format', 'json', '--bins', str(bins), 'a', 'b').stdout
            self.expect(json.loads(by_flag)['results'][0]['channels']['luma'], a, b)
            if bins == 1:
                continue
            for name in 'ab':
                run('hist', '--bins', str(bins), name, '-o', name + '.csv')
            by_tables = run('compare', '--format', 'json', 'a.csv', 'b.csv', 'b')
            self.assertEqual(by_tables.returncode, 0, by_tables.stderr)
            for result in json.loads(by_tables.stdout)['results']:
                self.expect(result['channels']['luma'], a, b)
            self.assertEqual(run('compare', 'a', 'b.csv').returncode, 1)  # by 256 bins, which the table has not


class Inputs(InFolder):
    def setUp(self):
        super().setUp()
        os.mkdir('photos')
        for number in range(1, 6):
            write_gray('photos/%d.pgm' % number, [number * 40] * 3 + [0])
        write_gray('reference.pgm', [80, 80, 80, 0])

    def names(self, *arguments):
        done = run('compare', '--format', 'csv', '--no-header', *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split(',')[0] for line in done.stdout.decode().splitlines()]

    def test_folders_lists_and_tables_of_many(self):
        photos = ['photos/%d.pgm' % number for number in range(1, 6)]
        order = ['photos/%d.pgm' % number for number in (2, 1, 3, 4, 5)]
        self.assertEqual(self.names('-r', 'reference.pgm', 'photos'), photos)
        self.assertEqual(self.names('--sort', 'emd', '-r', 'reference.pgm', 'photos'), order)
        for ending in 'csv', 'json', 'jsonl':
            run('hist', '-r', 'photos', '--format', ending, '-o', 'photos.' + ending)
            self.assertEqual(self.names('--sort', 'emd', 'reference.pgm', 'photos.' + ending), order)
        done = run('compare', '--format', 'csv', '--no-header', '--files-from', '-', input='\n'.join(['reference.pgm'] + photos).encode())
        self.assertEqual([line.split(',')[0] for line in done.stdout.decode().splitlines()], photos)
        total = run('hist', '-r', 'photos', '--total-only', '-o', 'total.csv')
        self.assertEqual(total.returncode, 0)
        self.assertEqual(run('compare', '--format', 'csv', 'photos.csv', 'reference.pgm').stdout,  # the sum of its images
                         run('compare', '--format', 'csv', 'total.csv', 'reference.pgm').stdout)

    def test_what_is_wrong_is_told_and_the_rest_is_done(self):
        with open('bad.png', 'wb') as file:
            file.write(b'\x89PNG\r\n\x1a\n')
        done = run('compare', '--format', 'json', 'reference.pgm', 'bad.png', 'missing', 'photos/1.pgm')
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count(b'\n'), 2, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual([result['status'] for result in document['results']], ['error', 'error', 'ok'])
        self.assertEqual(document['total']['files'], {'ok': 1, 'failed': 2, 'flagged': 0, 'skipped': 0})
        done = run('compare', '-j', '1', '--fail-fast', 'reference.pgm', 'bad.png', 'photos/1.pgm')
        self.assertEqual((done.returncode, b'1.pgm' in done.stdout), (1, False))

    def test_a_reference_that_fails_is_the_end(self):
        for first in ('missing', ['photos/1.pgm', '--channels', 'red'], ['photos/1.pgm', '--roi', '9,0,1,1']):
            done = run('compare', *([first] if isinstance(first, str) else first), 'reference.pgm')
            self.assertEqual((done.returncode, done.stdout, done.stderr.count(b'\n')), (1, b'', 1), done.stderr)
        write_gray('nothing.pgm', [0, 0, 0, 0])
        done = run('compare', '--mask', 'nothing.pgm', '-q', 'reference.pgm', 'photos/1.pgm')
        self.assertEqual((done.returncode, done.stdout), (1, b''))
        self.assertEqual(done.stderr, b'gpuhisto: reference.pgm: has no pixel to compare with\n')
        self.assertEqual(run('compare', 'reference.pgm').returncode, 2)

    def test_channels_without_a_pixel_in_the_reference_are_not_compared(self):
        write_gray('gray.pgm', [7])
        with open('clear.pam', 'wb') as file:
            file.write(b'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n\x01\x02\x03\x00')
        with open('color.ppm', 'wb') as file:
            file.write(b'P6 1 1 255\n\x01\x02\x03')
        run('hist', '--alpha', 'skip', 'gray.pgm', 'clear.pam', '--format', 'json', '-o', 'both.json')
        done = run('compare', 'both.json', 'color.ppm', '--alpha', 'skip', '--format', 'json')
        self.assertEqual((done.returncode, done.stderr), (0, b''))
        self.assertEqual(list(json.loads(done.stdout)['results'][0]['channels']), ['luma'])

    def test_text_that_rounds_to_the_most_says_so(self):
        write_gray('a.pgm', [0] * 100000)
        write_gray('b.pgm', [1] * 99999 + [0])
        write_gray('c.pgm', [1] * 100000)
        text = run('compare', 'a.pgm', 'b.pgm', 'c.pgm').stdout
        self.assertEqual((text.count(b' >1.9999 '), text.count(b' 2.0000 ')), (1, 1), text)

    def test_the_reference_that_was_meant_is_told(self):
        os.mkdir('in')
        write_gray('in/b.pgm', [1, 2])
        write_gray('in/c.pgm', [1, 3])
        with open('in/a.jpg', 'w') as file:
            file.write('<html>')
        done = run('compare', '-r', 'in', '--format', 'csv')
        self.assertIn(b'in/a.jpg', done.stderr)
        self.assertIn(b'in/c.pgm,', done.stdout)

    def test_the_reference_takes_no_share_of_the_memory(self):
        with open('big.ppm', 'wb') as file:
            file.write(b'P6 1500 1000 255\n' + bytes(4500000))
        write_gray('small.pgm', [1, 2])
        run('equalize', 'big.ppm', 'big.jpg')
        for names in (['small.pgm', '-'], ['-', 'small.pgm']):
            with open('big.jpg', 'rb') as image, subprocess.Popen(['cat'], stdin=image, stdout=subprocess.PIPE) as pipe:
                done = run('match', '-j', '2', '--max-memory', '12M', *names, 'out.png', stdin=pipe.stdout)
            self.assertEqual((done.returncode, done.stderr), (0, b''))

    def test_sorting_stays_within_the_memory(self):
        names = ['photos/%d.pgm' % (1 + i % 5) for i in range(3000)]
        done = run('compare', '--sort', 'emd', '--max-memory', '100K', '--files-from', '-', input='\n'.join(['reference.pgm'] + names).encode())
        self.assertEqual(done.returncode, 1)
        self.assertIn(b'sorting the results needs', done.stderr)

    def test_differently_counted_luma_is_refused(self):
        run('hist', '--luma', 'value', '--format', 'json', 'reference.pgm', '-o', 'value.json')
        done = run('compare', 'reference.pgm', 'value.json')
        self.assertEqual(done.returncode, 1)
        self.assertIn(b'luma is bt601 in the reference, value here', done.stderr)
        self.assertEqual(run('compare', '--luma', 'value', 'reference.pgm', 'value.json').returncode, 0)

    def test_a_table_of_other_pixels_is_told(self):
        run('hist', '--roi', '0,0,2,1', '--format', 'json', 'reference.pgm', '-o', 'part.json')
        run('hist', '--format', 'json', 'reference.pgm', '-o', 'whole.json')
        note = b'gpuhisto: the reference was counted with another --alpha, --roi or --mask\n'
        for arguments, told in ((['part.json'], note), (['--roi', '0,0,2,1', 'part.json'], b''), (['whole.json'], b''),
                                (['--alpha', 'skip', 'whole.json'], note)):
            done = run('compare', *arguments, 'photos/1.pgm')
            self.assertEqual((0, told), (done.returncode, done.stderr))

    def test_sums_of_tables_beyond_64_bits_are_refused(self):
        run('hist', '--format', 'json', 'reference.pgm', '-o', 'one.json')
        with open('one.json') as file:
            text = file.read()
        document = json.loads(text)
        result = document['results'][0]
        for key in ('pixels', 'width'):
            result[key] = 2 ** 63
        result['channels']['luma'] = {'count': 2 ** 63, 'histogram': [2 ** 63] + [0] * 255}
        document['results'] = [result, result]
        with open('huge.json', 'w') as file:
            json.dump(document, file)
        for command in (['compare', 'huge.json', 'reference.pgm'], ['plot', 'huge.json'], ['match', 'huge.json', 'reference.pgm', 'o.pgm']):
            done = run(*command)
            self.assertEqual(done.returncode, 1, done)
            self.assertIn(b'a total of more than 2^64 - 1 pixels', done.stderr)


class References(InFolder):
    def test_a_gray_image_costs_no_other_where_the_table_has_colors_alone(self):
        os.mkdir('in')
        for name, head, pixel in (('a.pgm', b'P5', b'\x40'), ('b.ppm', b'P6', b'\x10\x20\x30'), ('c.ppm', b'P6', b'\x99\x20\x30')):
            with open(os.path.join('in', name), 'wb') as file:
                file.write(head + b' 1 1 255\n' + pixel)
        with open('colors.json', 'wb') as file:
            file.write(run('hist', '--channels', 'red,green,blue', '--format', 'json', 'in/b.ppm').stdout)
        for mode in ('each', 'joint'):
            done = run('match', '--channels', mode, '-r', '--output-dir', mode, 'colors.json', 'in')
            self.assertEqual((done.returncode, sorted(os.listdir(os.path.join(mode, 'in')))), (1, ['b.ppm', 'c.ppm']))
            self.assertEqual(done.stderr.count(b'a.pgm'), 1, done.stderr)
            self.assertIn(b'luma', done.stderr)


if __name__ == '__main__':
    unittest.main()
