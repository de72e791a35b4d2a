#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""array_peer.py torch|cupy: counts with PyTorch or CuPy, in the GPU's memory and timed by events, what gpu_peers.py asks for on
standard input; the protocol is there."""
import json
import sys
import time

RANGE_CHECK = 'reads the values first for their range, and waits for it'


class Torch:
    """What someone who has a tensor on the GPU calls."""

    def __init__(self):
        import torch
        self.lib = torch
        if not torch.cuda.is_available():
            raise ImportError('PyTorch finds no GPU')
        torch.cuda.init()
        self.version = f'PyTorch {torch.__version__}'

    def upload(self, values):
        # Keys are below 2^31, and PyTorch counts no unsigned ones.
        return self.lib.from_numpy(values.view('int32') if values.dtype.itemsize == 4 else values).cuda()

    def download(self, counts):
        return counts.cpu().numpy()

    def event(self):
        event = self.lib.cuda.Event(enable_timing=True)
        event.record()
        return event

    def elapsed_us(self, begin, end):
        end.synchronize()
        return 1e3 * begin.elapsed_time(end)

    def calls(self, bins):
        lib = self.lib

        def bincount(values):
            return lib.bincount(values, minlength=bins)

        def histc(values):
            return lib.histc(values, bins=bins, min=0, max=bins)
        return [('torch.bincount', RANGE_CHECK, None, bincount),
                ('torch.histc', 'values were made float32 before', lambda values: values.float(), histc),
                ('float, torch.histc', 'makes the values float32 first', None, lambda values: histc(values.float()))]

    def free(self):
        self.lib.cuda.empty_cache()


class Cupy:
    """The same with an array of CuPy."""

    def __init__(self):
        import cupy
        self.lib = cupy
        cupy.cuda.runtime.getDeviceCount()
        self.version = f'CuPy {cupy.__version__}'

    def upload(self, values):
        return self.lib.asarray(values)

    def download(self, counts):
        return self.lib.asnumpy(counts)

    def event(self):
        event = self.lib.cuda.Event()
        event.record()
        return event

    def elapsed_us(self, begin, end):
        end.synchronize()
        return 1e3 * self.lib.cuda.get_elapsed_time(begin, end)

    def calls(self, bins):
        lib = self.lib
        return [('cupy.bincount', RANGE_CHECK, None, lambda values: lib.bincount(values, minlength=bins)),
                ('cupy.histogram', 'makes the edges of the bins too', None,
                 lambda values: lib.histogram(values, bins=bins, range=(0, bins))[0])]

    def free(self):
        self.lib.get_default_memory_pool().free_all_blocks()


class Peer:
    def __init__(self, library):
        self.arrays, self.made = library, {}

    def load(self, words):
        import numpy
        pixels, channels, bins, copies = (int(word) for word in words[:4])
        values = numpy.fromfile(words[4], dtype=numpy.uint32 if channels == 0 else numpy.uint8)
        if values.size != pixels * max(channels, 1):
            raise ValueError('the file has another size')
        self.made, self.data = {}, None
        self.arrays.free()
        self.data = [self.arrays.upload(values) for _ in range(copies)]
        self.channels, self.calls = max(channels, 1), self.arrays.calls(bins)
        of_channels = '; a call a channel, on a strided view' if channels > 1 else ''
        return {'calls': [{'name': name, 'includes': includes + of_channels} for name, includes, _, _ in self.calls]}

    def inputs(self, index):
        """The copies as the call takes them, a list of channels each; converted ones only while that call is made."""
        prepare = self.calls[index][2]
        if index not in self.made:
            self.made = {}
            self.arrays.free()
            copies = [prepare(one) for one in self.data] if prepare else self.data
            self.made[index] = [[one[c::self.channels] for c in range(self.channels)] for one in copies]
        return self.made[index]

    def call(self, words):
        index, bursts, seconds = int(words[0]), int(words[1]), float(words[2])
        count, copies, times, started = self.calls[index][3], self.inputs(index), [], time.monotonic()
        while not times or (len(times) < bursts and time.monotonic() - started < seconds):
            begin = self.arrays.event()
            for channels in copies:
                counts = [count(values) for values in channels]
            times.append(self.arrays.elapsed_us(begin, self.arrays.event()) / len(copies))
        return {'us': times, 'counts': [int(n) for row in counts for n in self.arrays.download(row)]}

    def answer(self, line):
        what, *words = line.split()
        try:
            return {'load': self.load, 'call': self.call}[what](words)
        except Exception as error:  # whatever the library throws is the answer
            return {'error': f'{type(error).__name__}: {error}'.splitlines()[0]}


def say(answer):
    print(json.dumps(answer), flush=True)


def main():
    try:
        library = {'torch': Torch, 'cupy': Cupy}[sys.argv[1]]()
    except Exception as error:  # not installed, or without a driver: each library has its own words
        return say({'error': str(error).splitlines()[0]})
    say({'version': library.version})
    peer = Peer(library)
    for line in sys.stdin:
        say(peer.answer(line))
    return None


if __name__ == '__main__':
    main()
