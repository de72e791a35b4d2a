#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures gpuhisto beside other tools, all in one run:

run.py --build BUILD_FOLDER [--rounds N] [--only NAME] [--csv FILE] [--svg FILE]

Every comparison runs its commands in turn, round after round, so that what else the machine does hits all alike; figures are
medians, and what counts is their ratio. Photos come from ../shared/photos where that folder exists, else they are enlarged
from data/; what is larger or more is made of crops at native size. Results of the compared programs are checked first.
"""
import argparse
import csv
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import textwrap

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(SOURCE, 'bench', 'methods'))
import data_sets
import plot

PHOTOS = os.path.join(os.path.dirname(SOURCE), 'shared', 'photos')
PARTS = ('start', 'stats', 'batch', 'thumbnails', 'many', 'pgm', 'equalize', 'maps', 'tools', 'counting', 'clahe')


def large_photo():
    path = os.path.join(PHOTOS, 'large', 'p12.jpg')
    return path if os.path.exists(path) else os.path.join(SOURCE, 'data', 'landscape.jpg')


def make_inputs(folder):
    """-> dict of paths: tiny (16x16 PNG), p12 (12 Mpix JPEG), p100 (100 Mpix JPEG), camera (100 JPEGs), photo.ppm."""
    try:
        from PIL import Image
    except ImportError:
        raise SystemExit('run.py: Pillow, which makes the photos, is not here') from None
    Image.MAX_IMAGE_PIXELS = None
    paths = {'tiny': os.path.join(folder, 'tiny.png'), 'p12': os.path.join(folder, 'p12.jpg'),
             'p100': os.path.join(folder, 'p100.jpg'), 'camera': []}
    Image.linear_gradient('L').resize((16, 16)).save(paths['tiny'])
    photo = Image.open(large_photo()).convert('RGB')
    if photo.size[0] * photo.size[1] >= 12000000:
        shutil.copy(large_photo(), paths['p12'])
    else:
        photo = photo.resize((4032, 3024), Image.BICUBIC)
        photo.save(paths['p12'], quality=95, subsampling=1)
    draw = random.Random(1)
    mosaic = Image.new('RGB', (11584, 8640))
    for y in range(0, mosaic.size[1], 720):
        for x in range(0, mosaic.size[0], 1448):
            left, top = draw.randrange(photo.size[0] - 1448), draw.randrange(photo.size[1] - 720)
            mosaic.paste(photo.crop((left, top, left + 1448, top + 720)), (x, y))
    mosaic.save(paths['p100'], quality=92, subsampling=2)
    for i in range(100):
        width, height = draw.choice([(2592, 1944), (2272, 1704), (1728, 2304), (2048, 1536)])
        left, top = draw.randrange(photo.size[0] - width), draw.randrange(photo.size[1] - height)
        name = os.path.join(folder, 'camera%03d.jpg' % i)
        photo.crop((left, top, left + width, top + height)).save(name, quality=draw.choice([85, 90, 92, 95]),
                                                                 subsampling=draw.choice([1, 2, 2]))
        paths['camera'].append(name)
    return paths


def timed(measure, command):
    """-> (wall seconds, CPU seconds, peak RSS in MB)"""
    done = subprocess.run([measure, *command], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit('%s: exit code %d' % (' '.join(command[:4]), done.returncode))
    wall, cpu, peak = done.stdout.split()
    return float(wall), float(cpu), float(peak) / 1024.0


class Comparison:
    """Commands measured in turn; the first is gpuhisto."""

    def __init__(self, title, measure, commands, rounds):
        self.title, self.samples, self.figures = title, {name: [] for name, _ in commands}, []
        for name, command in commands:
            timed(measure, command)
        for _ in range(rounds):
            for name, command in commands:
                self.samples[name].append(timed(measure, command))

    def median(self, name, field=0):
        return statistics.median(sample[field] for sample in self.samples[name])

    def show(self, bars):
        """bars: {peer: text of the bar}"""
        first = next(iter(self.samples))
        print('\n### ' + self.title + '\n')
        print('| program | wall ms | CPU ms | peak RSS MB | wall, as a share of gpuhisto\'s | wanted |')
        print('|---|---|---|---|---|---|')
        for name in self.samples:
            print('| %s | %.1f | %.1f | %.1f | %.2f | %s |' % (
                name, 1e3 * self.median(name), 1e3 * self.median(name, 1), self.median(name, 2),
                self.median(name) / self.median(first), bars.get(name, '')))
        sys.stdout.flush()

    def figure(self, name, value, wanted=''):
        """A number that follows from several medians."""
        print('%s%s: %.4g%s' % ('' if self.figures else '\n', name, value, ' (wanted: %s)' % wanted if wanted else ''), flush=True)
        self.figures.append((name, value, wanted))


def write_csv(path, comparisons):
    with open(path, 'w', encoding='utf-8', newline='') as file:
        writer = csv.writer(file, lineterminator='\n')
        writer.writerow(['comparison', 'program', 'rounds', 'wall_ms', 'cpu_ms', 'peak_rss_mb', 'wall_share_of_gpuhisto',
                         'figure', 'wanted'])
        for one in comparisons:
            first = next(iter(one.samples))
            for name, samples in one.samples.items():
                wall, cpu, peak = (one.median(name, field) for field in range(3))
                writer.writerow([one.title, name, len(samples), f'{1e3 * wall:.2f}', f'{1e3 * cpu:.2f}', f'{peak:.1f}',
                                 f'{wall / one.median(first):.3f}', '', ''])
            for name, value, wanted in one.figures:
                writer.writerow([one.title, name, '', '', '', '', '', f'{value:.4g}', wanted])


def picture(comparisons):
    """SVG: of each comparison the speeds, gpuhisto's is 100 %."""
    charts = []
    for one in comparisons:
        first = next(iter(one.samples))
        speeds = {name: 100 * one.median(first) / one.median(name) for name in one.samples}
        letters = 120 // len(speeds)  # that fit below a bar
        groups = [('\n'.join(textwrap.wrap(name, letters)), [speed]) for name, speed in speeds.items()]
        top = max(100, 20 * -int(-max(speeds.values()) // 20))
        charts.append(plot.bars(one.title, ["speed, gpuhisto's is 100 %"], groups, top))
    return plot.stack(charts)


def have(program):
    if os.path.exists(program) or shutil.which(program):
        return True
    print('\nskipped: %s is not here' % program)
    return False


class Bench(data_sets.Parts):
    def __init__(self, build, rounds, folder):
        self.program = os.path.join(build, 'bin', 'gpuhisto')
        self.peers = os.path.join(build, 'bin', 'peers')
        self.rounds, self.folder, self.done = rounds, folder, []
        self.measure = self.peer('measure')
        print('Making photos ...', file=sys.stderr)
        self.inputs = make_inputs(folder)

    def peer(self, name):
        return os.path.join(self.peers, name)

    def commands(self, *pairs):
        return [(name, command) for name, command in pairs if have(command[0])]

    def compare(self, title, commands, rounds, wanted):
        self.done.append(Comparison(title, self.measure, commands, rounds))
        self.done[-1].show(wanted)
        return self.done[-1]

    def start(self):
        self.compare('Start: statistics of a 16x16 PNG', self.commands(
            ('gpuhisto stats', [self.program, 'stats', self.inputs['tiny']]),
            ('an empty C++ program', [self.peer('empty')]),
            ('the same with libstdc++ loaded', [self.peer('empty_cxx')]),
            ('identify', ['identify', self.inputs['tiny']])), 10 * self.rounds,
            {'an empty C++ program': '>= 0.67', 'identify': '>= 5'})

    def stats(self):
        for name, text in (('p12', '12 Mpix'), ('p100', '100 Mpix')):
            pairs = [('gpuhisto stats -j2', [self.program, 'stats', '-j2', self.inputs[name]]),
                     ('libjpeg-turbo, decoding only', [self.peer('decode_only'), self.inputs[name]])]
            if name == 'p12':
                pairs.append(('vips stats', ['vips', 'stats', self.inputs[name], os.path.join(self.folder, 'stats.v')]))
            self.compare('stats of a %s JPEG (peak RSS wanted: 16 MB; the two within 4 MB)' % text, self.commands(*pairs),
                         self.rounds, {'libjpeg-turbo, decoding only': '>= 0.87', 'vips stats': '>= 4'})

    def equalize(self):
        self.beside_opencv((('gray', ['--gray'], '>= 2'), ('luma', [], '>= 4')))

    def clahe(self):
        self.in_memory('CLAHE in memory (wanted: 1.3 of gray)', 'clahe_bench', '2')
        self.beside_opencv((('clahe-gray', ['--clahe', '--gray'], ''), ('clahe-luma', ['--clahe'], '')))

    def beside_opencv(self, modes):
        for mode, flags, bar in modes:
            ours, theirs = (os.path.join(self.folder, name + mode + '.png') for name in ('ours', 'theirs'))
            pairs = self.commands(
                ('gpuhisto equalize -j2', [self.program, 'equalize', '-q', '-j2', *flags, self.inputs['p12'], ours]),
                ('OpenCV (imread ... imwrite)', [self.peer('opencv_equalize'), mode, self.inputs['p12'], theirs]))
            self.compare('equalize a 12 Mpix JPEG to PNG, ' + mode, pairs, max(3, self.rounds // 3),
                         {'OpenCV (imread ... imwrite)': bar})
            if os.path.exists(theirs):
                print('\nfile: %d bytes, OpenCV\'s %d: %.3f (wanted: <= 1.05); %s' % (
                    os.path.getsize(ours), os.path.getsize(theirs), os.path.getsize(ours) / os.path.getsize(theirs),
                    difference(ours, theirs)))

    def maps(self):
        """What else maps pixels by their counts takes no longer than equalising does."""
        photo = self.inputs['p12']
        for flags in ([], ['--channels', 'each']):
            out = os.path.join(self.folder, 'mapped.png')
            run = lambda *words: [self.program, words[0], '-q', '-j2', *flags, *words[1:], photo, out]
            self.compare('equalize, stretch and match a 12 Mpix JPEG to PNG' + ' '.join(['', *flags]), self.commands(
                ('gpuhisto equalize', run('equalize')), ('gpuhisto stretch', run('stretch')),
                ('gpuhisto stretch --auto-gamma', run('stretch', '--auto-gamma')),
                ('gpuhisto match, to a photo of 0.2 Mpix', run('match', os.path.join(SOURCE, 'data', 'flower.jpg')))),
                self.rounds, {name: '<= 1.1' for name in ('gpuhisto stretch', 'gpuhisto stretch --auto-gamma',
                                                          'gpuhisto match, to a photo of 0.2 Mpix')})

    def tools(self):
        """What other command-line tools take for the whole job, each by its own rules and at its own defaults."""
        photo = self.inputs['p12']
        out = {name: os.path.join(self.folder, name + '.png') for name in ('ours', 'vips', 'im', 'gm', 'pil')}
        convert = next((name for name in ('convert-im6.q16', 'magick') if shutil.which(name)), 'convert')
        self.compare('histogram of a 12 Mpix JPEG: other tools', self.commands(
            ('gpuhisto stats -j2', [self.program, 'stats', '-j2', photo]),
            ('vips hist_find', ['vips', 'hist_find', photo, os.path.join(self.folder, 'hist.v')]),
            ('netpbm, gray', pipe('jpegtopnm', 'ppmtopgm', 'pgmhist', source=photo)),
            ('identify -verbose', ['identify', '-verbose', photo]),
            ('gm identify -verbose', ['gm', 'identify', '-verbose', photo]),
            ('Pillow', pillow('Image.open(sys.argv[1]).histogram()', photo))), max(3, self.rounds // 3), {})
        self.compare('equalize a 12 Mpix JPEG to PNG: other tools', self.commands(
            ('gpuhisto equalize -j2', [self.program, 'equalize', '-q', '-j2', photo, out['ours']]),
            ('vips hist_equal', ['vips', 'hist_equal', photo, out['vips']]),
            ('netpbm, pnmhisteq', pipe('jpegtopnm', 'pnmhisteq', 'pnmtopng', source=photo)),
            ('convert -equalize', [convert, photo, '-equalize', out['im']]),
            ('gm convert -equalize', ['gm', 'convert', photo, '-equalize', out['gm']]),
            ('Pillow', pillow('ImageOps.equalize(Image.open(sys.argv[1])).save(sys.argv[2])', photo, out['pil']))),
            max(3, self.rounds // 3), {})

    def counting(self):
        self.in_memory('counting in memory, 16 Mpix, one thread', 'count_bench', '--benchmark_filter=NONE')

    def in_memory(self, title, name, argument):
        program = os.path.join(os.path.dirname(self.peers), name)
        if have(program):
            print('\n### %s\n' % title, flush=True)
            subprocess.run([program, argument], check=True, env={**os.environ, 'GPUHISTO_BENCH_PHOTO': self.inputs['p12']})


def pipe(*programs, source):
    """A command that runs them one into the other; the first one's name where one is missing, which have() then tells."""
    missing = [name for name in (words.split()[0] for words in programs) if not shutil.which(name)]
    if missing:
        return missing[:1]
    return ['/bin/sh', '-c', programs[0] + ' "$1" | ' + ' | '.join(programs[1:]), 'sh', source]


def pillow(words, *paths):
    return [sys.executable, '-c', 'import sys; from PIL import Image, ImageOps; ' + words, *paths]


def difference(a, b):
    import numpy
    from PIL import Image
    Image.MAX_IMAGE_PIXELS = None
    first, second = (numpy.asarray(Image.open(name)).astype(int) for name in (a, b))
    if first.shape != second.shape:
        return 'shapes differ: %s and %s' % (first.shape, second.shape)
    apart = abs(first - second)
    return 'pixels: %d of %d samples differ, by at most %d' % ((apart > 0).sum(), apart.size, apart.max())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', required=True)
    parser.add_argument('--rounds', type=int, default=9)
    parser.add_argument('--only', choices=PARTS)
    parser.add_argument('--csv', help='write the figures of the programs there')
    parser.add_argument('--svg', help='draw them there')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(arguments.build), arguments.rounds, folder)
        for name in PARTS:
            if arguments.only in (None, name):
                getattr(bench, name)()
        if arguments.csv:
            write_csv(arguments.csv, bench.done)
        if arguments.svg and bench.done:
            with open(arguments.svg, 'w', encoding='utf-8') as file:
                file.write(picture(bench.done))


if __name__ == '__main__':
    main()
