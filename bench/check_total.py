#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""Checks the total of very many files, damaged ones among them, against an independent sum.

check_total.py sums PHOTOS SUMS.json     counts each image by Pillow and numpy, luma by the documented integers
check_total.py run PHOTOS SUMS.json --gpuhisto PROGRAM [--files N] [--devices cpu,gpu] [--folder DIR]

`run` needs Python alone: it makes a folder of N names for the images, every 50th of a copy that is cut in half, and compares
what `gpuhisto stats` gives for it with N times the sums.
"""
import argparse
import json
import os
import shutil
import subprocess
import tempfile
import time

DAMAGED_EACH, FOLDER_SIZE, LINKS = 50, 1000, 20000  # ext4 allows 65,000 links of one file


def images(folder):
    names = sorted(name for name in os.listdir(folder) if name.lower().endswith(('.jpg', '.jpeg', '.png', '.ppm', '.pgm')))
    return [os.path.join(folder, name) for name in names]


def sums(options):
    import numpy
    from PIL import Image
    result = {}
    for name in images(options.photos):
        with Image.open(name) as image:
            if image.mode != 'RGB':
                raise SystemExit('%s: only RGB images are summed, this is %s' % (name, image.mode))
            pixels = numpy.asarray(image).astype(numpy.int64)
        red, green, blue = (pixels[..., c] for c in range(3))
        luma = (9798 * red + 19235 * green + 3735 * blue + 16384) >> 15
        channels = {'luma': luma, 'red': red, 'green': green, 'blue': blue}
        result[os.path.basename(name)] = {key: numpy.bincount(values.ravel(), minlength=256).tolist() for key, values in channels.items()}
    with open(options.sums, 'w', encoding='utf-8') as file:
        json.dump(result, file)


def fill(options, sources, folder):
    """-> how often each image is there whole, and how many are damaged"""
    copies, whole, damaged = {}, dict.fromkeys(sources, 0), 0
    for i in range(options.files):
        source = sources[i % len(sources)]
        cut = i % DAMAGED_EACH == DAMAGED_EACH - 1
        part = os.path.join(folder, '%03d' % (i // FOLDER_SIZE))
        os.makedirs(part, exist_ok=True)
        name = os.path.join(part, '%06d%s' % (i, os.path.splitext(source)[1]))
        known = copies.setdefault((source, cut), [None, LINKS])
        if known[1] == LINKS:
            shutil.copyfile(source, name)
            if cut:
                os.truncate(name, os.path.getsize(name) // 2)
            known[:] = [name, 0]
        else:
            os.link(known[0], name)
        known[1] += 1
        if cut:
            damaged += 1
        else:
            whole[source] += 1
    return whole, damaged


def check(result, expected, whole, damaged):
    if result['files'] != {'ok': sum(whole.values()), 'failed': damaged, 'flagged': result['files']['flagged'], 'skipped': 0}:
        raise SystemExit('%s files, expected %d ok and %d failed' % (result['files'], sum(whole.values()), damaged))
    for channel, counts in expected.items():
        got = result['channels'][channel]['histogram']
        if got != counts:
            bin_ = next(v for v in range(256) if got[v] != counts[v])
            raise SystemExit('%s, bin %d: %d expected, %d counted' % (channel, bin_, counts[bin_], got[bin_]))


def run(options):
    with open(options.sums, encoding='utf-8') as file:
        known = json.load(file)
    sources = images(options.photos)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        whole, damaged = fill(options, sources, folder)
        expected = {channel: [0] * 256 for channel in ('luma', 'red', 'green', 'blue')}
        for source, times in whole.items():
            for channel, counts in known[os.path.basename(source)].items():
                expected[channel] = [a + times * b for a, b in zip(expected[channel], counts)]
        for device in options.devices.split(','):
            start = time.perf_counter()
            done = subprocess.run([options.gpuhisto, 'stats', '-q', '-r', folder, '--total-only', '--format', 'json', '--device', device],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
            seconds = time.perf_counter() - start
            if done.returncode != 1:
                raise SystemExit('exit code %d: with damaged files it is 1' % done.returncode)
            total = json.loads(done.stdout)['total']
            check(total, expected, whole, damaged)
            print('%s: %d files, %d of them damaged, %d pixels: the total is the independent sum; %.1f s, %.0f files/s' %
                  (device, options.files, damaged, total['pixels'], seconds, options.files / seconds), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, action in (('sums', sums), ('run', run)):
        command = commands.add_parser(name)
        command.add_argument('photos')
        command.add_argument('sums')
        command.set_defaults(action=action)
    command.add_argument('--gpuhisto', required=True)
    command.add_argument('--files', type=int, default=50000)
    command.add_argument('--devices', default='cpu,gpu')
    command.add_argument('--folder', help='for the files')
    options = parser.parse_args()
    options.action(options)


if __name__ == '__main__':
    main()
