#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""selection.py GPUHISTO [unittest arguments]: --roi, --mask and --bins against plain loops, on the CPU and on the emulated
device, over odd sizes."""
import csv
import fractions
import hashlib
import io
import json
import os
import random
import unittest

from behaviour import InFolder, content_of, run

SIZES = ((1, 1), (3, 5), (257, 33), (640, 401))


def devices():
    done = run('devices')
    return ('cpu', 'emulated') if b'\nemulated ' in done.stdout else ('cpu',)


def write_pnm(name, width, height, channels, values):
    """A PAM with alpha, else PGM or PPM."""
    if channels in (2, 4):
        head = 'P7\nWIDTH %d\nHEIGHT %d\nDEPTH %d\nMAXVAL 255\nTUPLTYPE %s\nENDHDR\n' % (
            width, height, channels, 'GRAYSCALE_ALPHA' if channels == 2 else 'RGB_ALPHA')
    else:
        head = 'P%d %d %d 255\n' % (5 if channels == 1 else 6, width, height)
    with open(name, 'wb') as file:
        file.write(head.encode() + bytes(values))


def random_values(count, seed):
    generator = random.Random(seed)
    return [generator.choice((0, 0, 1, 77, 255, generator.randrange(256))) for _ in range(count)]


def luma_of(pixel):
    if len(pixel) < 3:
        return pixel[0]
    return (9798 * pixel[0] + 19235 * pixel[1] + 3735 * pixel[2] + 16384) >> 15


def expected_counts(values, width, channels, counts_at):
    """The bins of luma, red, green, blue and alpha that such an image has, of the pixels that count."""
    names = ['luma'] + (['red', 'green', 'blue'] if channels > 2 else []) + (['alpha'] if channels in (2, 4) else [])
    bins = {name: [0] * 256 for name in names}
    for at in range(0, len(values), channels):
        pixel = values[at:at + channels]
        if not counts_at(at // channels % width, at // channels // width, pixel):
            continue
        bins['luma'][luma_of(pixel)] += 1
        for name, value in zip(names[1:], pixel[:3] + pixel[3:] if channels > 2 else pixel[1:]):
            bins[name][value] += 1
    return bins


def digest_of(width, height, chosen):
    return hashlib.sha256(b'%dx%d\0' % (width, height) + bytes(255 if one else 0 for one in chosen)).hexdigest()


class Selection(InFolder):
    def counted(self, *arguments):
        done = run('hist', '--format', 'json', *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def check(self, name, expected, *arguments):
        for device in devices():
            for threads in '1', '3':
                result = self.counted('--device', device, '-j', threads, *arguments, name)['results'][0]
                self.assertEqual({key: value['histogram'] for key, value in result['channels'].items()}, expected)
                self.assertEqual(result['pixels'], sum(expected['luma']))

    def test_rectangles_masks_and_transparent_pixels_together(self):
        for number, (width, height) in enumerate(SIZES):
            for channels in 1, 2, 3, 4:
                values = random_values(width * height * channels, number * 4 + channels)
                mask_channels = 1 + (number + channels) % 4
                mask = random_values(width * height * mask_channels, 100 + number)
                colors = mask_channels - (mask_channels in (2, 4))
                chosen = [any(mask[at:at + colors]) for at in range(0, len(mask), mask_channels)]
                write_pnm('image', width, height, channels, values)
                write_pnm('mask', width, height, mask_channels, mask)
                x, y = width // 3, height // 4
                roi = (x, y, max(1, (width - x) // 2), height - y)
                inside = lambda px, py: roi[0] <= px < roi[0] + roi[2] and roi[1] <= py < roi[1] + roi[3]
                in_mask = lambda px, py: chosen[py * width + px]
                seen = lambda pixel: channels not in (2, 4) or pixel[-1] > 0
                roi_words = ('--roi', ','.join(map(str, roi)))
                with self.subTest(size=(width, height), channels=channels):
                    self.check('image', expected_counts(values, width, channels, lambda px, py, _: inside(px, py)), *roi_words)
                    self.check('image', expected_counts(values, width, channels, lambda px, py, _: in_mask(px, py)),
                               '--mask', 'mask')
                    self.check('image', expected_counts(
                        values, width, channels, lambda px, py, p: inside(px, py) and in_mask(px, py) and seen(p)),
                        '--mask', 'mask', '--alpha', 'skip', *roi_words)
                    counting = self.counted('--mask', 'mask', *roi_words, 'image')['counting']
                    self.assertEqual(counting['roi'], roi_words[1])
                    self.assertEqual(counting['mask'], 'mask')
                    self.assertEqual(counting['mask_digest'], digest_of(width, height, chosen))

    def test_a_mask_from_standard_input(self):
        write_pnm('image', 2, 2, 1, [1, 2, 3, 4])
        done = run('hist', '--mask', '-', 'image', input=b'P5 2 2 255\n\0\1\1\0')
        rows = list(csv.reader(io.StringIO(done.stdout.decode())))
        self.assertEqual([row[1] for row in rows[1:] if row[2] != '0'], ['2', '3'])
        done = run('hist', '--mask', '-', '-', input=b'P5 2 2 255\n\0\1\1\0')
        self.assertEqual((done.returncode, done.stdout), (2, b''))

    def test_a_mask_does_not_become_the_output(self):
        write_pnm('image.pgm', 2, 2, 1, [1, 2, 3, 4])
        write_pnm('mask.pgm', 2, 2, 1, [1, 2, 3, 4])
        before = content_of('mask.pgm')
        self.assertEqual(run('hist', 'image.pgm', '--mask', 'mask.pgm', '-o', './mask.pgm').returncode, 2)
        self.assertEqual(content_of('mask.pgm'), before)

    def test_memory_of_a_mask_counts(self):
        write_pnm('image', 1000, 1000, 1, [0] * 1000000)
        write_pnm('mask', 1000, 1000, 1, [1] * 1000000)
        self.assertEqual(run('stats', '--max-memory', '1500K', 'image').returncode, 0)
        done = run('stats', '--max-memory', '1500K', '--mask', 'mask', 'image')
        self.assertEqual(done.returncode, 1)
        self.assertIn(b'gpuhisto: mask: the mask needs', done.stderr)
        self.assertEqual(run('stats', '--max-memory', '4M', '--mask', 'mask', 'image').returncode, 0)


def equalization_of(counts):
    lowest = next(v for v in range(256) if counts[v])
    rest = sum(counts) - counts[lowest]
    running = [sum(counts[:v + 1]) - counts[lowest] for v in range(256)]
    return [0 if v < lowest else round(fractions.Fraction(255 * running[v], rest)) for v in range(256)] if rest else range(256)


class Mapping(InFolder):
    def test_pixels_that_do_not_count_keep_their_values(self):
        width, height, roi = 61, 37, (3, 5, 40, 32)
        values, mask = random_values(width * height, 1), random_values(width * height, 2)
        write_pnm('image.pgm', width, height, 1, values)
        write_pnm('mask.pgm', width, height, 1, mask)
        chosen = [bool(mask[at]) and roi[0] <= at % width < roi[0] + roi[2] and roi[1] <= at // width < roi[1] + roi[3]
                  for at in range(width * height)]
        lut = equalization_of([sum(v == value and one for v, one in zip(values, chosen)) for value in range(256)])
        words = ('--mask', 'mask.pgm', '--roi', ','.join(map(str, roi)))
        for device in devices():
            done = run('equalize', '--device', device, *words, 'image.pgm', 'out.pgm')
            self.assertEqual(done.returncode, 0, done.stderr)
            pixels = content_of('out.pgm')[-width * height:]
            self.assertEqual(list(pixels), [lut[v] if one else v for v, one in zip(values, chosen)])

    def test_colors_outside_stay(self):
        width, height = 33, 20
        values = random_values(width * height * 3, 3)
        write_pnm('image.ppm', width, height, 3, values)
        for command in (['equalize'], ['equalize', '--channels', 'each'], ['stretch'], ['match', 'image.ppm']):
            for device in devices():
                done = run(*command, '--device', device, '--roi', '4,0,29,9', 'image.ppm', 'out.ppm')
                self.assertEqual(done.returncode, 0, done.stderr)
                pixels = content_of('out.ppm')[-len(values):]
                for at in range(0, len(values), 3):
                    if at // 3 % width < 4 or at // 3 // width >= 9:
                        self.assertEqual(list(pixels[at:at + 3]), values[at:at + 3])

    def test_what_does_not_fit_writes_nothing(self):
        write_pnm('image.pgm', 4, 3, 1, range(12))
        write_pnm('mask.pgm', 3, 4, 1, range(12))
        for words in (('--mask', 'mask.pgm'), ('--roi', '0,0,4,4')):
            done = run('equalize', *words, 'image.pgm', 'out.pgm')
            self.assertEqual((done.returncode, done.stderr.count(b'\n'), os.path.exists('out.pgm')), (1, 1, False), done.stderr)
        self.assertEqual(run('equalize', '--mask', 'image.pgm', 'image.pgm', 'image.pgm').returncode, 2)

    def test_a_mask_that_is_zero_changes_nothing(self):
        write_pnm('image.pgm', 4, 3, 1, range(12))
        write_pnm('mask.pgm', 4, 3, 1, [0] * 12)
        self.assertEqual(run('equalize', '-q', '--mask', 'mask.pgm', 'image.pgm', 'out.pgm').returncode, 0)
        self.assertEqual(content_of('out.pgm')[-12:], bytes(range(12)))


class Bins(InFolder):
    def test_bins_are_sums_of_levels(self):
        values = random_values(31 * 77 * 3, 5)
        write_pnm('image', 31, 77, 3, values)
        levels = expected_counts(values, 31, 3, lambda *_: True)
        statistics = json.loads(run('stats', '--format', 'json', 'image').stdout)['results'][0]['channels']
        for bins in (1, 2, 3, 7, 16, 100, 128, 200, 255, 256):
            expected = {name: [0] * bins for name in levels}
            for name, counts in levels.items():
                for value, count in enumerate(counts):
                    expected[name][value * bins // 256] += count
            done = run('hist', '--format', 'json', '--bins', str(bins), 'image')
            document = json.loads(done.stdout)
            channels = document['results'][0]['channels']
            self.assertEqual(document['counting']['bins'], bins)
            self.assertEqual({name: channel.pop('histogram') for name, channel in channels.items()}, expected)
            self.assertEqual(channels, statistics)
            rows = list(csv.DictReader(io.StringIO(run('hist', '--bins', str(bins), 'image').stdout.decode())))
            self.assertEqual([int(row['value']) for row in rows], [-(-b * 256 // bins) for b in range(bins)])
            for name, counts in expected.items():
                self.assertEqual([int(row[name]) for row in rows], counts)
            self.read_back(bins, expected)

    def read_back(self, bins, expected):
        """hist's tables, merged and printed again, are the same."""
        with open('table.json', 'wb') as file:
            file.write(run('hist', '--format', 'json', '--bins', str(bins), 'image').stdout)
        done = run('merge', '--histograms', '--format', 'json', 'table.json')
        self.assertEqual(done.returncode, 0, done.stderr)
        channels = json.loads(done.stdout)['total']['channels']
        self.assertEqual({name: channel['histogram'] for name, channel in channels.items()}, expected)
        if bins < 256:
            self.assertIsNone(channels['luma']['mean'])
        rows = run('hist', '--bins', str(bins), 'image').stdout
        drawn = run('plot', '--channels', 'luma', '-', input=rows)
        self.assertEqual((drawn.returncode, drawn.stderr.count(b'\n')), (0, 0) if bins > 1 else (1, 1), drawn.stderr)


if __name__ == '__main__':
    unittest.main()
