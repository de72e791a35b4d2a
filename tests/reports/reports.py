#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reports.py GPUHISTO [unittest arguments]: what users of such tools ran into, where no other test looks at it. The table in
docs/reliability.md says which report each test is for."""
import csv
import io
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from collections import Counter

PROGRAM = os.path.abspath(sys.argv.pop(1))
GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6  # the colour types of PNG
SAMPLES = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGBA: 4}


def chunk(kind, content):
    return struct.pack('>I', len(content)) + kind + content + struct.pack('>I', zlib.crc32(kind + content))


def png(width, height, samples, color=GRAY, depth=8, before_pixels=b'', keep=None):
    """samples: the bytes of all rows. keep: so many bytes of the compressed pixels, with a right checksum."""
    row = width * SAMPLES[color] * depth // 8
    packed = zlib.compress(b''.join(b'\0' + samples[y * row:(y + 1) * row] for y in range(height)))
    header = struct.pack('>IIBBBBB', width, height, depth, color, 0, 0, 0)
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + before_pixels + chunk(b'IDAT', packed[:keep]) +
            chunk(b'IEND', b''))


def palette(*colors, alpha=b''):
    return chunk(b'PLTE', b''.join(map(bytes, colors))) + (chunk(b'tRNS', alpha) if alpha else b'')


def pgm(width, height, samples):
    return b'P5 %d %d 255\n' % (width, height) + samples


def of_one_color(color, width=3, height=2):
    """-> by name, the same picture in every format that can hold it as it is."""
    red, green, blue = color
    pixels = width * height
    pad = bytes(-width * 3 % 4)
    bmp = lambda depth, data: (struct.pack('<2sIIIIiiHHIIiiII', b'BM', 54 + len(data), 0, 54, 40, width, height, 1,
                                           depth, 0, len(data), 0, 0, 0, 0) + data)
    return {'a.png': png(width, height, bytes(color) * pixels, RGB),
            'palette.png': png(width, height, bytes(pixels), PALETTE, before_pixels=palette(color)),
            'a.ppm': b'P6 %d %d 255\n' % (width, height) + bytes(color) * pixels,
            '24.bmp': bmp(24, (bytes((blue, green, red)) * width + pad) * height),
            '32.bmp': bmp(32, bytes((blue, green, red, 0)) * pixels),
            'a.tga': struct.pack('<BBBHHBHHHHBB', 0, 0, 2, 0, 0, 0, 0, 0, width, height, 24, 0) +
                     bytes((blue, green, red)) * pixels}


def run(*arguments, **more):
    more.setdefault('timeout', 120)
    return subprocess.run([PROGRAM, *arguments], capture_output=True, **more)


class Reported(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def write(self, name, content):
        with open(name, 'wb') as file:
            file.write(content)
        return name

    def histograms(self, content):
        """-> {channel: [256 counts]}, without what the image has not."""
        done = run('hist', self.write('image', content))
        self.assertEqual((0, b''), (done.returncode, done.stderr))
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.assertEqual([str(value) for value in range(256)], [row['value'] for row in rows])
        return {channel: [int(row[channel]) for row in rows]
                for channel in ('luma', 'red', 'green', 'blue', 'alpha') if rows[0][channel]}

    def channels(self, name, *flags):
        done = run('stats', '--format', 'json', *flags, name)
        self.assertEqual(0, done.returncode, done.stderr)
        return json.loads(done.stdout)['results'][0]['channels']


class Counts(Reported):
    def test_gray_and_alpha_are_counted_apart(self):
        found = self.histograms(png(2, 2, bytes((10, 0, 20, 128, 30, 255, 40, 255)), GRAY_ALPHA))
        self.assertEqual({'luma', 'alpha'}, set(found))
        self.assertEqual([10, 20, 30, 40], [value for value in range(256) if found['luma'][value]])
        self.assertEqual({0: 1, 128: 1, 255: 2}, {value: count for value, count in enumerate(found['alpha']) if count})

    def test_the_brightest_values_have_bins_of_their_own(self):
        rng = random.Random(1)
        for samples in (b'\xff' * 900, b'\xfe\xff' * 450, bytes(rng.choices(range(128, 256), k=900)),
                        bytes(rng.choices((0, 253, 254, 255), (1, 2, 3, 90), k=900))):
            counts = Counter(samples)
            self.assertEqual([counts[value] for value in range(256)], self.histograms(pgm(30, 30, samples))['luma'])

    def test_bins_are_of_values_and_not_of_the_range_that_occurs(self):
        rng = random.Random(2)
        samples = [(rng.randint(0, 10), rng.randint(100, 110), rng.randint(250, 255)) for _ in range(600)]
        found = self.histograms(png(30, 20, bytes(sum(samples, ())), RGB))
        for channel, values in zip(('red', 'green', 'blue'), zip(*samples)):
            self.assertEqual([Counter(values)[value] for value in range(256)], found[channel])

    def test_channels_are_those_of_the_image(self):
        two = palette((9, 9, 9), (3, 2, 1))
        for content, wanted in ((png(2, 1, b'\1\2'), 'luma'), (png(2, 1, b'\1\2\3\4', GRAY_ALPHA), 'luma alpha'),
                                (png(2, 1, bytes(6), RGB), 'luma red green blue'),
                                (png(2, 1, bytes(8), RGBA), 'luma red green blue alpha'),
                                (png(2, 1, b'\0\1', PALETTE, before_pixels=two), 'luma red green blue'),
                                (png(1, 1, bytes(3), RGB), 'luma red green blue')):
            found = self.histograms(content)
            self.assertEqual(wanted.split(), list(found))
            if 'alpha' not in found:  # the opacity that nobody stored is in no bin
                self.assertEqual([0] * len(found), [counts[255] for counts in found.values()])

    def test_a_gray_palette_gives_three_equal_channels(self):
        grays = palette(*[(value, value, value) for value in range(256)])
        found = self.histograms(png(16, 16, bytes(range(256)), PALETTE, before_pixels=grays))
        self.assertEqual([[1] * 256] * 4, [found[channel] for channel in ('luma', 'red', 'green', 'blue')])

    def test_more_pixels_than_32_bits_count(self):
        side = 65537
        with subprocess.Popen([PROGRAM, 'hist', '-', '--channels', 'luma', '--format', 'json'], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:
            process.stdin.write(b'P4 %d %d\n' % (side, side))
            rows = bytes((side + 7) // 8 * 256)
            for _ in range(side // 256):
                process.stdin.write(rows)
            process.stdin.write(rows[:len(rows) // 256])
            counted = json.loads(process.communicate()[0])['results'][0]['channels']['luma']['histogram']
        self.assertEqual([0] * 255 + [side * side], counted)

    def test_sums_of_squares_do_not_overflow(self):
        luma = self.channels(self.write('white', pgm(5000, 5000, b'\xff' * 25_000_000)))['luma']
        self.assertEqual((255, 0, 0), (luma['mean'], luma['std'], luma['variance']))


class Decoded(Reported):
    def test_red_green_and_blue_weigh_the_same_in_every_format(self):
        for color, luma in (((255, 0, 0), 76), ((0, 255, 0), 150), ((0, 0, 255), 29)):
            for name, content in of_one_color(color).items():
                with self.subTest(color=color, name=name):
                    found = self.channels(self.write(name, content))
                    self.assertEqual((luma, *color), tuple(found[c]['mean'] for c in ('luma', 'red', 'green', 'blue')))

    def test_12_bits_in_16_are_counted_by_their_high_byte_and_it_is_told(self):
        samples = struct.pack('>%dH' % 4096, *range(4096))
        done = run('stats', '--format', 'json', self.write('a.png', png(64, 64, samples, depth=16)))
        result = json.loads(done.stdout)['results'][0]
        self.assertEqual((15, ['reduced16']), (result['channels']['luma']['max'], result['flags']))
        self.assertRegex(done.stderr, b'^gpuhisto: a.png: .*16 bit')

    def test_jpeg_has_the_full_range(self):
        self.write('a.pgm', pgm(64, 64, (bytes(32) + b'\xff' * 32) * 64))
        self.assertEqual(0, run('equalize', '-q', 'a.pgm', 'a.jpg').returncode)
        luma = self.channels('a.jpg')['luma']
        self.assertEqual((0, 255, 127.5), (luma['min'], luma['max'], luma['mean']))

    def test_pixels_that_are_missing_are_an_error_behind_a_right_checksum_too(self):
        noise = random.Random(3).randbytes(64 * 64)
        name = self.write('short.png', png(64, 64, noise, keep=2000))
        runs = [run('stats', '--format', 'csv', '--no-header', name) for _ in range(2)]
        for done in runs:
            self.assertEqual(1, done.returncode)
            self.assertRegex(done.stdout, b'^short.png,error,')
            self.assertRegex(done.stderr, b'^gpuhisto: short.png: ')
        self.assertEqual(runs[0].stdout, runs[1].stdout)


class Equalised(Reported):
    def test_the_transparency_of_a_palette_is_kept_for_each_pixel(self):
        colors = palette((20, 40, 60), (50, 70, 90), (80, 100, 120), alpha=b'\x00\x80')
        self.write('a.png', png(3, 2, b'\0\1\2\2\1\0', PALETTE, before_pixels=colors))
        done = run('equalize', '-q', 'a.png', '-', '--to', 'pam')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(b'\x00\x80\xff\xff\x80\x00', done.stdout.split(b'ENDHDR\n', 1)[1][3::4])


class Batches(Reported):
    def test_an_empty_file_costs_itself_alone(self):
        for name in ('good.pgm', 'good2.pgm'):
            self.write(name, pgm(2, 2, b'\1\2\3\4'))
        self.write('empty.jpg', b'')
        done = run('stats', '--format', 'csv', '--no-header', '--channels', 'luma', 'good.pgm', 'empty.jpg', 'good2.pgm')
        self.assertEqual(1, done.returncode)
        self.assertEqual(['good.pgm,ok', 'empty.jpg,error', 'good2.pgm,ok'],
                         [','.join(line.split(',')[:2]) for line in done.stdout.decode().splitlines()[:3]])
        self.assertRegex(done.stderr, rb'^gpuhisto: empty.jpg: [^\n]*\n$')
        self.assertEqual(1, run('stats', 'empty.jpg', 'empty.jpg').returncode)


if __name__ == '__main__':
    unittest.main()
