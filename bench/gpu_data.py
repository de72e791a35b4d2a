#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""Measures whole data sets with gpuhisto on the CPU, on a GPU and by its own choice (auto), in turn.

gpu_data.py PHOTOS --gpuhisto PROGRAM [--decoder decode_only] [--pinned GBPS] [--csv FILE] [--rounds N] [--folder DIR]

For a machine with many cores and a GPU and no compiler: prebuilt programs and Python's standard library are enough. PHOTOS is
a folder of JPEGs; thumbnails and PGMs are made of them in DIR (0.5 GB) and deleted after. Every data set's
results on the GPU are compared with the CPU's, byte for byte, before anything is timed. Times are medians; the table comes last.
"""
import argparse
import csv
import json
import os
import random
import shutil
import statistics
import struct
import subprocess
import tempfile
import time
import zlib

DEVICES = ('cpu', 'gpu', 'auto')
SIDE, PGMS, DISTINCT_PGMS = 10000, 20, 3
DISTINCT_THUMBNAILS = 500


def timed(command):
    """-> (wall seconds, CPU seconds)"""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit('%s: exit code %d' % (' '.join(command[:6]), child.returncode))
    return wall, usage.ru_utime + usage.ru_stime


def pnm_fields(data):
    """-> (width, height, samples) of a binary PNM without comments"""
    fields, at = [], 0
    while len(fields) < 4:
        end = at
        while not data[end:end + 1].isspace():
            end += 1
        fields.append(data[at:end])
        at = end + 1
    return int(fields[1]), int(fields[2]), data[at:]


def png(width, rows):
    """An RGB PNG whose rows are filtered by the difference to the pixel before, as photos are."""
    lines = []
    for row in rows:
        before = bytes(3) + row[:-3]
        lines.append(b'\1' + bytes((a - b) & 255 for a, b in zip(row, before)))
    chunks = [(b'IHDR', struct.pack('>IIBBBBB', width, len(rows), 8, 2, 0, 0, 0)), (b'IDAT', zlib.compress(b''.join(lines), 4)),
              (b'IEND', b'')]
    return b'\x89PNG\r\n\x1a\n' + b''.join(
        struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body)) for kind, body in chunks)


class Data:
    """Inputs made of the photos."""

    def __init__(self, options, folder):
        self.options, self.folder, self.draw = options, folder, random.Random(1)
        names = sorted(name for name in os.listdir(options.photos) if name.lower().endswith(('.jpg', '.jpeg')))
        if not names:
            raise SystemExit('gpu_data.py: no JPEGs in %s' % options.photos)
        self.photos = [os.path.join(options.photos, name) for name in names]

    def pixels(self, photo, *flags):
        made = os.path.join(self.folder, 'one.pnm')
        subprocess.run([self.options.gpuhisto, 'equalize', '-q', '--to', 'pnm', *flags, photo, made], check=True)
        with open(made, 'rb') as file:
            return pnm_fields(file.read())

    def jpegs(self):
        """As many JPEGs as asked for, links or copies of the photos."""
        folder = os.path.join(self.folder, 'jpegs')
        os.mkdir(folder)
        copies = [shutil.copy(photo, os.path.join(folder, '%06d.jpg' % i)) for i, photo in enumerate(self.photos)]
        for i in range(len(copies), self.options.jpegs):
            os.link(copies[i % len(copies)], os.path.join(folder, '%06d.jpg' % i))
        return folder

    def thumbnails(self):
        """Crops of 128x128, DISTINCT_THUMBNAILS of them different, a thousand a folder."""
        folder = os.path.join(self.folder, 'thumbnails')
        width, height, samples = self.pixels(self.photos[0])
        made = []
        for i in range(self.options.thumbnails):
            part = os.path.join(folder, '%04d' % (i // 1000))
            os.makedirs(part, exist_ok=True)
            name = os.path.join(part, '%04d.png' % (i % 1000))
            if i < DISTINCT_THUMBNAILS:
                left, top = self.draw.randrange(width - 128), self.draw.randrange(height - 128)
                rows = [samples[3 * (y * width + left):3 * (y * width + left + 128)] for y in range(top, top + 128)]
                with open(name, 'wb') as file:
                    file.write(png(128, rows))
                made.append(name)
            else:
                os.link(made[i % len(made)], name)
        return folder

    def pgms(self):
        """-> PGMS names of 100-Mpix files, DISTINCT_PGMS of them different, the others links"""
        folder = os.path.join(self.folder, 'pgms')
        os.mkdir(folder)
        names = [os.path.join(folder, '%02d.pgm' % i) for i in range(PGMS)]
        for i, name in enumerate(names):
            if i >= DISTINCT_PGMS:
                os.link(names[i % DISTINCT_PGMS], name)
                continue
            width, height, samples = self.pixels(self.photos[i % len(self.photos)], '--gray')
            with open(name, 'wb') as file:
                file.write(b'P5 %d %d 255\n' % (SIDE, SIDE))
                for y in range(SIDE):
                    row = samples[y % height * width:(y % height + 1) * width]
                    file.write((row * (SIDE // width + 1))[:SIDE])
        return names


def pinned_rate():
    """GB/s of copies of 64 MiB from pinned memory to the GPU by PyTorch; None where that is missing."""
    try:
        import torch
        host, device = torch.empty(1 << 26, dtype=torch.uint8, pin_memory=True), torch.empty(1 << 26, dtype=torch.uint8, device='cuda')
    except (ImportError, RuntimeError, AssertionError) as error:
        print('skipped: the pinned copy rate, give --pinned (%s)' % error)
        return None
    rates = []
    for _ in range(9):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(8):
            device.copy_(host, non_blocking=True)
        end.record()
        end.synchronize()
        rates.append(8 * host.numel() / 1e6 / begin.elapsed_time(end))
    return statistics.median(rates)


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder, self.rows = options, folder, []

    def command(self, device, *inputs, form='csv'):
        return [self.options.gpuhisto, 'stats', '-q', '-j0', '--device', device, '--format', form, *inputs]

    def output(self, *arguments, **more):
        return subprocess.run(self.command(*arguments, **more), check=True, stdout=subprocess.PIPE).stdout

    def total(self, device, *inputs):
        document = json.loads(self.output(device, '--total-only', *inputs, form='json'))['total']
        return {name: channel['histogram'] for name, channel in document['channels'].items()}

    def verify(self, name, *inputs):
        """All results of each device and each total histogram are the CPU's."""
        table, total = self.output('cpu', *inputs), self.total('cpu', *inputs)
        for device in DEVICES[1:]:
            if self.output(device, *inputs) != table or self.total(device, *inputs) != total:
                raise SystemExit('%s: %s counts differently from cpu' % (name, device))
        print('%s: equal on %s' % (name, ', '.join(DEVICES)), flush=True)
        return total

    def compare(self, name, commands, megabytes):
        samples = {who: [] for who in commands}
        for _ in range(self.options.rounds):
            for who, command in commands.items():
                samples[who].append(timed(command))
        walls = {}
        for who, taken in samples.items():
            walls[who] = statistics.median(wall for wall, _ in taken)
            cpu = statistics.median(cpu for _, cpu in taken)
            self.rows.append((name, who, f'{walls[who]:.4f}', f'{cpu:.3f}', f'{1e-3 * megabytes / walls[who]:.3f}', '', ''))
        return walls

    def figure(self, name, what, value, wanted):
        self.rows.append((name, what, '', '', '', f'{value:.3f}', wanted))

    def devices(self, name, inputs, megabytes, more=None):
        self.verify(name, *inputs)
        walls = self.compare(name, {**{device: self.command(device, *inputs) for device in DEVICES}, **(more or {})}, megabytes)
        self.figure(name, 'auto / the faster of cpu and gpu', walls['auto'] / min(walls['cpu'], walls['gpu']), '<= 1.10')
        return walls

    def jpegs(self, data):
        folder = data.jpegs()
        files = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
        more = {}
        if self.options.decoder:
            more = {'decoding only': [self.options.decoder, '-j%d' % len(os.sched_getaffinity(0)), *files]}
        else:
            print('skipped: decoding only, no --decoder was given')
        name = '%d JPEGs' % len(files)
        walls = self.devices(name, ['-r', folder], sum(map(os.path.getsize, files)) / 1e6, more)
        for device in DEVICES if more else ():
            self.figure(name, 'decoding only / ' + device, walls['decoding only'] / walls[device], '>= 0.85')

    def thumbnails(self, data):
        count = self.options.thumbnails
        self.devices('%d thumbnails' % count, ['-r', data.thumbnails()], count * 128 * 128 * 3 / 1e6)

    def pgms(self, data):
        files = data.pgms()
        name = '%d PGMs of 100 Mpix' % PGMS
        self.devices(name, files, PGMS * SIDE * SIDE / 1e6)
        self.long_run(files, self.options.repeat)

    def long_run(self, files, times):
        name = '%d PGMs, %d times' % (PGMS, times)
        listing = os.path.join(self.folder, 'list')
        with open(listing, 'w', encoding='utf-8') as file:
            file.write(''.join(path + '\n' for path in files * times))
        once = self.total('cpu', *files)
        if self.total('gpu', '--files-from', listing) != {channel: [times * n for n in counts] for channel, counts in once.items()}:
            raise SystemExit('%s: not %d times the counts of one' % (name, times))
        megabytes = times * PGMS * SIDE * SIDE / 1e6
        walls = self.compare(name, {'gpu': self.command('gpu', '--total-only', '--files-from', listing)}, megabytes)
        pinned = self.options.pinned or pinned_rate()
        if pinned:
            self.figure(name, 'pinned copies to the GPU, GB/s', pinned, '')
            self.figure(name, 'gpu / pinned copies', 1e-3 * megabytes / walls['gpu'] / pinned, '>= 0.70')

    def show(self):
        print('\n%-26s %-34s %9s %9s %8s %7s  %s' % ('data', 'what', 'wall s', 'CPU s', 'GB/s', 'ratio', 'wanted'))
        for row in self.rows:
            print(('%-26s %-34s %9s %9s %8s %7s  %s' % row).rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('photos')
    parser.add_argument('--gpuhisto', required=True)
    parser.add_argument('--decoder', help='decode_only of bench/peers')
    parser.add_argument('--only', choices=('jpegs', 'thumbnails', 'pgms'))
    parser.add_argument('--pinned', type=float, help='GB/s of a copy from pinned memory to the GPU; default: measured with PyTorch')
    parser.add_argument('--jpegs', type=int, default=1000)
    parser.add_argument('--thumbnails', type=int, default=10000)
    parser.add_argument('--repeat', type=int, default=500, help='of the PGMs in the long run')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--folder', help='for the inputs')
    parser.add_argument('--csv', help='write the figures there')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        bench, data = Bench(options, folder), Data(options, folder)
        for name in ('jpegs', 'thumbnails', 'pgms'):
            if options.only in (None, name):
                getattr(bench, name)(data)
    if options.csv:
        with open(options.csv, 'w', encoding='utf-8', newline='') as file:
            writer = csv.writer(file, lineterminator='\n')
            writer.writerows([('data', 'what', 'wall_s', 'cpu_s', 'gb_per_s', 'ratio', 'wanted'), *bench.rows])
    bench.show()


if __name__ == '__main__':
    main()
