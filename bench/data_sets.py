# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""The parts of run.py that count data sets: photos, thumbnails, very many files, very large ones."""
import json
import os
import random
import shutil
import subprocess
import sys

THUMBNAILS, IDENTIFIED = 10000, 1000
MANY = (1000, 100000)
LINKS = 1000  # of one file: ext4 allows 65,000
PGM_SIDE, PGM_FILES, PGM_DISTINCT = 10000, 20, 3
PILLOW_LOOP = """
import glob, sys
from PIL import Image
sums = [0] * 768
for name in glob.iglob(sys.argv[1] + '/**/*.png', recursive=True):
    with Image.open(name) as image:
        sums = [a + b for a, b in zip(sums, image.convert('RGB').histogram())]
for v in range(256):
    print('%d,%d,%d,%d' % (v, sums[v], sums[256 + v], sums[512 + v]))
"""


def output(command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def totals(program, *arguments):
    """-> {channel: 256 counts} over all inputs"""
    channels = json.loads(output([program, 'stats', '-q', '--total-only', '--format', 'json', *arguments]))['total']['channels']
    return {name: channel['histogram'] for name, channel in channels.items()}


def table(text, names):
    """-> {channel: 256 counts} of rows value,count,count,..."""
    rows = [list(map(int, line.split(','))) for line in text.split('\n') if line[:1].isdigit()]
    return {name: [row[1 + i] for row in rows] for i, name in enumerate(names)}


def check(peer, ours, theirs):
    """Ends the measurement where counts of one peer differ from gpuhisto's."""
    for name, counts in theirs.items():
        if ours[name] != counts:
            raise SystemExit('%s counts other %s values than gpuhisto' % (peer, name))
    print('\n%s: counts equal gpuhisto\'s' % peer)


def check_mean(peer, ours, theirs, within):
    if abs(ours - theirs) > within:
        raise SystemExit('%s: mean %.6f, gpuhisto\'s is %.6f' % (peer, theirs, ours))
    print('\n%s: mean equals gpuhisto\'s within %g' % (peer, within))


def mean(counts):
    return sum(v * n for v, n in enumerate(counts)) / sum(counts)


def colors(ours):
    return [mean(ours[name]) for name in ('red', 'green', 'blue')]


def make_thumbnails(folder, photo):
    """THUMBNAILS crops of 128x128, a hundred a folder."""
    from PIL import Image
    draw, image = random.Random(2), Image.open(photo).convert('RGB')
    reduced = [image.reduce(n) for n in (1, 4, 8)]
    for i in range(THUMBNAILS):
        if i % 100 == 0:
            os.makedirs(os.path.join(folder, '%03d' % (i // 100)))
        source = draw.choice(reduced)
        left, top = draw.randrange(source.size[0] - 128), draw.randrange(source.size[1] - 128)
        source.crop((left, top, left + 128, top + 128)).save(os.path.join(folder, '%03d' % (i // 100), '%05d.png' % i),
                                                             compress_level=4)


def link_many(folder, source, count):
    """count names of as few copies of source as links allow."""
    for i in range(count):
        if i % LINKS == 0:
            part = os.path.join(folder, '%04d' % (i // LINKS))
            os.makedirs(part)
            first = shutil.copy(source, os.path.join(part, '0000.png'))
        else:
            os.link(first, os.path.join(part, '%04d.png' % (i % LINKS)))


def make_pgms(folder, photo):
    """-> (names of PGM_FILES files, PGM_DISTINCT of them different, the others links; counts over all)"""
    import numpy
    from PIL import Image
    gray = numpy.asarray(Image.open(photo).convert('L'))
    sums, names = numpy.zeros(256, numpy.int64), []
    tiles = [-(-PGM_SIDE // side) for side in gray.shape]
    for i in range(PGM_FILES):
        names.append(os.path.join(folder, '%02d.pgm' % i))
        if i >= PGM_DISTINCT:
            os.link(names[i % PGM_DISTINCT], names[i])
            continue
        pixels = numpy.tile(numpy.roll(gray, 1000 * i, 1) + numpy.uint8(i), tiles)[:PGM_SIDE, :PGM_SIDE]
        sums += len(range(i, PGM_FILES, PGM_DISTINCT)) * numpy.bincount(pixels.ravel(), minlength=256)
        with open(names[i], 'wb') as file:
            file.write(b'P5 %d %d 255\n' % (PGM_SIDE, PGM_SIDE))
            file.write(pixels.tobytes())
    return names, sums.tolist()


class Parts:
    """What class Bench of run.py inherits: it has program, peer, commands, compare, inputs, folder and rounds."""

    def temporary(self, name):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder)
        return folder

    def few(self):
        return max(3, self.rounds // 3)

    def check_batch(self, files):
        """All counts against OpenCV's; one photo's means against vips's."""
        counted = totals(self.program, *files)
        if os.path.exists(self.peer('opencv_hist')):
            check('OpenCV', counted, table(output([self.peer('opencv_hist'), *files]), ('luma', 'red', 'green', 'blue')))
        if shutil.which('vips'):
            words = self.vips_csv(files[0])
            for band, expected in enumerate(colors(totals(self.program, files[0]))):
                check_mean('vips stats, band %d' % band, expected, float(words[band + 1].split()[4]), 1e-4)

    def vips_csv(self, photo):
        """vips's rows (all bands, then each) of min, max, sum, sum of squares, mean ..."""
        name = os.path.join(self.folder, 'vips.csv')
        subprocess.run(['vips', 'stats', photo, name], check=True)
        with open(name, encoding='utf-8') as file:
            return file.read().splitlines()

    def batch(self):
        files = self.inputs['camera']
        self.check_batch(files)
        names = self.temporary('names') + '/list'
        with open(names, 'w', encoding='utf-8') as file:
            file.write('\n'.join(files) + '\n')
        vips = ['xargs', '-a', names, '-P2', '-I{}', 'vips', 'stats', '{}', '{}.v'] if shutil.which('vips') else ['vips']
        decoder = self.peer('decode_only')
        one = self.compare('stats of 100 camera JPEGs, 4 histograms each', self.commands(
            ('gpuhisto stats -j2', [self.program, 'stats', '-j2', *files]),
            ('gpuhisto stats -j1', [self.program, 'stats', '-j1', *files]),
            ('gpuhisto stats -j2 --channels luma', [self.program, 'stats', '-j2', '--channels', 'luma', *files]),
            ('libjpeg-turbo, decoding only, 1 thread', [decoder, '-j1', *files]),
            ('libjpeg-turbo, decoding only, 2 threads', [decoder, '-j2', *files]),
            ('OpenCV, one thread', [self.peer('opencv_hist'), *files]),
            ('vips stats, 2 processes at a time', vips)), self.few(),
            {'OpenCV, one thread': '>= 4', 'vips stats, 2 processes at a time': '>= 8'})
        for name in os.listdir(self.folder):
            if name.endswith('.v'):
                os.remove(os.path.join(self.folder, name))
        if os.path.exists(decoder):
            self.batch_figures(one)

    @staticmethod
    def batch_figures(one):
        ours, alone = 'gpuhisto stats -j%d', 'libjpeg-turbo, decoding only, %s'
        scaling = one.median(ours % 1) / one.median(ours % 2)
        decoding = one.median(alone % '1 thread') / one.median(alone % '2 threads')
        cpu = one.median(alone % '2 threads', 1)
        one.figure('scaling of gpuhisto to 2 threads', scaling)
        one.figure('scaling of decoding alone', decoding)
        one.figure('scaling of gpuhisto / scaling of decoding alone', scaling / decoding, '>= 0.95')
        one.figure('CPU time of gpuhisto / CPU time of decoding alone', one.median(ours % 2, 1) / cpu, '<= 1.35')
        one.figure('the same with --channels luma', one.median(ours % 2 + ' --channels luma', 1) / cpu, '<= 1.2')

    def thumbnails(self):
        folder = self.temporary('thumbnails')
        make_thumbnails(folder, self.inputs['p12'])
        counted = totals(self.program, '-r', folder)
        loop = [sys.executable, '-c', PILLOW_LOOP, folder]
        check('Pillow', counted, table(output(loop), ('red', 'green', 'blue')))
        one = self.compare('stats of %d PNG thumbnails, 128x128' % THUMBNAILS, [
            ('gpuhisto stats -r', [self.program, 'stats', '-j2', '-r', folder]),
            ('gpuhisto stats -r -j1', [self.program, 'stats', '-j1', '-r', folder]),
            ('Python loop with Pillow', loop)], self.few(), {'Python loop with Pillow': '>= 5'})
        one.figure('files/s of gpuhisto', THUMBNAILS / one.median('gpuhisto stats -r'))
        if shutil.which('identify'):
            self.identify(folder, one)
        else:
            print('\nskipped: identify is not here')
        shutil.rmtree(folder)

    def identify(self, folder, one):
        """On IDENTIFIED of the files, a folder a call; its whole time is taken to grow with their number."""
        parts = sorted(os.listdir(folder))[:IDENTIFIED // 100]
        first = os.path.join(folder, parts[0])
        words = output(['identify', '-format', '%[mean]\\n', *(os.path.join(first, name) for name in os.listdir(first))])
        theirs = [float(word) / 257 for word in words.split()]  # of 16 bits; all files have the same size
        ours = sum(colors(totals(self.program, '-r', first))) / 3
        check_mean('identify', ours, sum(theirs) / len(theirs), 1e-3)
        paths = [os.path.join(folder, part) for part in parts]
        command = 'for part; do identify -format "%[mean]\\n" "$part"/*.png; done'
        some = self.compare('the first %d of them: identify' % IDENTIFIED, [
            ('gpuhisto stats -r', [self.program, 'stats', '-j2', '-r', *paths]),
            ('identify -format %[mean]', ['/bin/sh', '-c', command, 'sh', *paths])], 3, {})
        scale = THUMBNAILS / IDENTIFIED
        some.figure('identify, its time taken %g times, / gpuhisto on all %d' % (scale, THUMBNAILS),
                    scale * some.median('identify -format %[mean]') / one.median('gpuhisto stats -r'), '>= 20')

    def many(self):
        folders = []
        for count in MANY:
            folders.append(self.temporary('many%d' % count))
            link_many(folders[-1], self.inputs['tiny'], count)
        names = ['%d files' % count for count in MANY]
        one = self.compare('stats of 16x16 PNGs: very many files', [
            (name, [self.program, 'stats', '-j2', '--format', 'csv', '-r', folder]) for name, folder in zip(names, folders)],
            self.few(), {})
        counted = [totals(self.program, '-r', folder) for folder in folders]
        times = MANY[1] // MANY[0]
        check('%d times as many files' % times, counted[1], {name: [times * n for n in counts] for name, counts in counted[0].items()})
        one.figure('peak RSS of the second - of the first, MB', one.median(names[1], 2) - one.median(names[0], 2), '<= 20')
        for name, count in zip(names, MANY):
            one.figure('files/s, %s' % name, count / one.median(name))
        for folder in folders:
            shutil.rmtree(folder)

    def pgm(self):
        folder = self.temporary('pgm')
        files, sums = make_pgms(folder, self.inputs['p12'])
        check('numpy', totals(self.program, '--device', 'cpu', *files), {'luma': sums})
        one = self.compare('stats of %d PGMs of 100 Mpix' % PGM_FILES, [
            ('gpuhisto stats -j2', [self.program, 'stats', '--device', 'cpu', '-j2', *files]),
            ('gpuhisto stats -j1', [self.program, 'stats', '--device', 'cpu', '-j1', *files]),
            ('cat', ['cat', *files]),
            ('cat, 2 processes', ['/bin/sh', '-c', 'printf "%s\\n" "$@" | xargs -P2 -n1 cat', 'sh', *files]),
            ('dd, 1 MiB blocks', ['/bin/sh', '-c', 'for f; do dd if="$f" of=/dev/null bs=1M; done', 'sh', *files])], self.few(), {})
        for name in one.samples:
            one.figure('GB/s, ' + name, 1e-9 * PGM_FILES * PGM_SIDE * PGM_SIDE / one.median(name))
        shutil.rmtree(folder)
