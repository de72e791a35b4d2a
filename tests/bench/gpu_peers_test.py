#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""bench/gpu.py with programs that stand in for gpuhisto and its peers: what is verified, timed, told and written."""
import contextlib
import importlib.util
import io
import json
import os
import shutil
import stat
import sys
import tempfile
import unittest
import unittest.mock
import xml.dom.minidom

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, 'bench'))
import gpu
import gpu_peers
import gpu_results
from gpu_peers import Failed, Gpuhisto, Peer
from gpu_results import Row

# Counts bytes or 32-bit keys as a peer does; its second call does what its argument says.
FAKE = '''
import json, sys
def say(answer): print(json.dumps(answer), flush=True)
say({'version': 'Fake 1'})
called = 0
for line in sys.stdin:
    what, *words = line.split()
    if what == 'load':
        channels, bins, data = int(words[1]), int(words[2]), open(words[4], 'rb').read()
        size, rows = (1, channels) if channels else (4, 1)
        values = [int.from_bytes(data[i:i + size], 'little') for i in range(0, len(data), size)]
        say({'calls': [{'name': 'good', 'includes': 'all'}, {'name': 'bad', 'includes': 'less'}]})
        continue
    counts = [[0] * bins for _ in range(rows)]
    for i, v in enumerate(values): counts[i % rows][v] += 1
    called += 1
    if words[0] == '1':
        if sys.argv[1] == 'wrong': counts[0][3] += 1
        if sys.argv[1] == 'late' and called > 3: counts[0][3] += 1
        if sys.argv[1] == 'dies': sys.exit(0)
        if sys.argv[1] == 'hangs': sys.stdin.read()
        if sys.argv[1] == 'fails': say({'error': 'out of memory'}); continue
        if sys.argv[1] == 'babbles': print('Segmentation fault', flush=True); continue
    say({'us': [30.0, 10.0, 20.0], 'counts': [n for row in counts for n in row]})
'''
GPUHISTO = '''#!{python}
import json, sys
if sys.argv[1] == 'devices':
    print('device,name\\ncpu,x\\ngpu:0,"Fake GPU"'); sys.exit(0)
words = sys.argv
assert words[1] == 'bench' and words[words.index('--device') + 1] == 'gpu:0', words
lines = [{{'kind': 'read', 'method': 'read', 'median_us': 5.0}}, {{'kind': 'copy', 'method': 'copy', 'median_us': 9.0}},
         {{'kind': 'method', 'method': 'per-block', 'median_us': 10.0, 'verified': '{verdict}'}},
         {{'kind': 'method', 'method': 'vendor', 'note': 'not built'}}]
print(json.dumps({{'results': lines}}))
'''

CUPY = '''
from numpy import *
__version__ = 'of NumPy'
def asnumpy(values): return values
class cuda:
    class runtime:
        getDeviceCount = staticmethod(lambda: 1)
    class Event:
        def record(self): pass
        def synchronize(self): pass
    get_elapsed_time = staticmethod(lambda a, b: 1.0)
class get_default_memory_pool:
    def free_all_blocks(self): pass
'''


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def put(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(content)
        return path

    def program(self, name, content):
        path = self.put(name, content)
        os.chmod(path, stat.S_IRWXU)
        return path

    def peer(self, behaviour, patience=20):
        peer = Peer('Fake', [sys.executable, self.put('fake.py', FAKE), behaviour], patience)
        self.addCleanup(peer.stop)
        return peer

    def gpuhisto(self, verdict='exact'):
        return Gpuhisto(self.program('gpuhisto', GPUHISTO.format(python=sys.executable, verdict=verdict)))

    def measured(self, behaviour, values=gpu.Values('some', 'uniform', 12, 1), data=bytes([1, 3, 3, 255] * 3), verdict='exact',
                 patience=20):
        """call -> row of one input whose bytes are counted here another way"""
        path = os.path.join(self.folder, 'values')
        with open(path, 'wb') as file:
            file.write(data)
        width = values.bins * max(values.channels, 1)
        step = max(values.channels, 1)
        units = data if values.channels else data[::4]
        expected = [0] * width
        for channel in range(step):
            for value in range(256):
                expected[channel * values.bins + value] = units[channel::step].count(value)
        rows = gpu.measure(values, self.gpuhisto(verdict), [self.peer(behaviour, patience)], path, expected, 2)
        return {row.call: row for row in rows}


class Measuring(Folder):
    def test_rates_are_of_the_median_of_turns(self):
        rows = self.measured('good')
        self.assertEqual(list(rows), ['read kernel', gpu.OURS, Gpuhisto.METHODS['vendor'], 'good', 'bad'])
        good = rows['good']
        self.assertEqual((good.us, good.turns, good.verified, good.includes), (20.0, 2, 'exact', 'all'))
        self.assertEqual((good.gb_per_s, good.share_of_read, good.times_gpuhisto), (12 / 20e3, 0.25, 2.0))
        self.assertEqual((rows[gpu.OURS].us, rows[gpu.OURS].share_of_read, rows[gpu.OURS].times_gpuhisto), (10.0, 0.5, 1.0))
        self.assertEqual((rows['read kernel'].us, rows['read kernel'].verified), (5.0, ''))
        self.assertEqual((rows[Gpuhisto.METHODS['vendor']].us, rows[Gpuhisto.METHODS['vendor']].note), (None, 'not built'))

    def test_colour_and_keys(self):
        self.assertEqual(self.measured('good', gpu.Values('c', 'uniform', 4, 3), bytes(range(12)))['good'].verified, 'exact')
        keys = b''.join(k.to_bytes(4, 'little') for k in (5, 6, 6, 200))
        self.assertEqual(self.measured('good', gpu.Values('k', 'zipf', 4, 0, 300), keys)['good'].verified, 'exact')

    def test_a_wrong_count_is_never_timed(self):
        for behaviour in ('wrong', 'late'):
            bad = self.measured(behaviour)['bad']
            self.assertEqual((bad.verified, bad.us, bad.note), ('wrong', None, 'bin 3: 6 expected, 7 counted'))

    def test_a_failure_costs_that_call_alone(self):
        for behaviour, words in (('dies', 'it ended'), ('fails', 'out of memory'), ('babbles', 'Segmentation fault')):
            rows = self.measured(behaviour)
            self.assertEqual((rows['bad'].us, rows['bad'].note), (None, words))
            self.assertEqual((rows['good'].us, rows['good'].verified), (20.0, 'exact'), behaviour)

    def test_who_does_not_answer_is_ended(self):
        self.assertEqual(self.measured('hangs', patience=1)['bad'].note, 'no answer in 1 s')

    def test_gpuhisto_that_counts_wrong_has_no_time(self):
        rows = self.measured('good', verdict='wrong')
        self.assertEqual((rows[gpu.OURS].us, rows[gpu.OURS].verified), (None, 'wrong'))
        self.assertEqual((rows['good'].us, rows['good'].times_gpuhisto), (20.0, None))

    def test_gpuhisto_that_fails(self):
        path = self.program('broken', '#!/bin/sh\necho "gpuhisto: error: no such thing" >&2\nexit 3\n')
        with self.assertRaisesRegex(Failed, 'exit code 3: gpuhisto: error: no such thing'):
            Gpuhisto(path).device_name()
        self.assertEqual(self.gpuhisto().device_name(), 'Fake GPU')

    def test_difference(self):
        self.assertEqual(gpu.difference([1, 2], [1, 2]), '')
        self.assertEqual(gpu.difference([1, 2], [1, 3]), 'bin 1: 3 expected, 2 counted')
        self.assertEqual(gpu.difference([1], [1, 3]), '1 counts instead of 2')

    def test_a_library_that_is_missing_is_said(self):
        peer = Peer('CuPy', [sys.executable, '-S', '-E', os.path.join(gpu_peers.PEERS, 'array_peer.py'), 'cupy'])
        with self.assertRaisesRegex(Failed, "No module named 'cupy'"):
            peer.start()

    def test_arrays_on_the_gpu(self):
        if not importlib.util.find_spec('numpy'):
            self.skipTest('NumPy, which stands in for CuPy, is not here')
        self.put('cupy.py', CUPY)
        path = self.put('values', '')
        peer = Peer('CuPy', [sys.executable, os.path.join(gpu_peers.PEERS, 'array_peer.py'), 'cupy'])
        self.addCleanup(peer.stop)
        with unittest.mock.patch.dict(os.environ, PYTHONPATH=self.folder):
            peer.start()
        for values in (gpu.Values('', 'photo', 1001, 1), gpu.Values('', 'uniform', 999, 3), gpu.Values('', 'zipf', 777, 0, 4096)):
            units = [i * i % min(values.bins, 251) for i in range(values.pixels * max(values.channels, 1))]
            with open(path, 'wb') as file:
                file.write(b''.join(unit.to_bytes(1 if values.channels else 4, 'little') for unit in units))
            step = max(values.channels, 1)
            expected = [units[c::step].count(v) for c in range(step) for v in range(values.bins)]
            calls = peer.load(values, path, 2)['calls']
            self.assertEqual([call['name'] for call in calls], ['cupy.bincount', 'cupy.histogram'])
            for index in range(2):
                self.assertEqual(peer.call(index, 3, 60), ([500.0] * 3, expected))
        with self.assertRaisesRegex(Failed, 'ValueError: the file has another size'):
            peer.load(gpu.Values('', 'photo', 5, 1), path, 1)

    def test_values_come_with_their_counts(self):
        try:
            program = gpu_peers.find_pattern_data(self.folder, self.folder)
        except Failed as error:
            self.skipTest(str(error))
        path = os.path.join(self.folder, 'values')
        for values in (gpu.Values('', 'photo', 1001, 1), gpu.Values('', 'uniform', 999, 3), gpu.Values('', 'zipf', 777, 0, 4096)):
            counts = gpu.make_values(program, values, path)
            with open(path, 'rb') as file:
                data = file.read()
            size, step = (1, values.channels) if values.channels else (4, 1)
            units = [int.from_bytes(data[i:i + size], 'little') for i in range(0, len(data), size)]
            expected = [units[c::step].count(v) for c in range(step) for v in range(values.bins)]
            self.assertEqual(len(data), values.bytes)
            self.assertEqual(counts, expected)
        with self.assertRaisesRegex(Failed, 'usage: pattern_data'):
            gpu.make_values(program, gpu.Values('', 'photo', 10, 0), path)


def some_rows():
    ours = dict(lowest_us=9.0, highest_us=11.0, turns=3, gb_per_s=4000.0, verified='exact')
    return [Row('gray', 'uniform', 64, 256, 'read kernel', us=5.0, **{**ours, 'verified': ''}, share_of_read=1.0),
            Row('gray', 'uniform', 64, 256, gpu.OURS, us=10.0, **ours, share_of_read=0.5, times_gpuhisto=1.0),
            Row('gray', 'uniform', 64, 256, 'x.y', 'waits', us=25.0, **ours, share_of_read=0.2, times_gpuhisto=2.5),
            Row('gray', 'photo', 64, 256, 'x.y', 'waits', verified='wrong', note='bin 1: 2 expected, 3 counted')]


class Results(Folder):
    FACTS = {'device': 'Fake GPU', 'date': '2026-01-02', 'driver': '1.2', 'NPP': 'NPP 13'}

    def test_csv_and_back(self):
        path = os.path.join(self.folder, 'a.csv')
        gpu_results.write_csv(path, self.FACTS, some_rows())
        self.assertEqual(gpu_results.read_csv(path), (self.FACTS, some_rows()))

    def test_text(self):
        lines = gpu_results.text_table(some_rows())
        self.assertIn('  x.y                                      25.0    4000      20.0    2.50  exact', lines)
        self.assertTrue(any(line.endswith('wrong: bin 1: 2 expected, 3 counted') for line in lines))
        self.assertEqual(lines[-1], '  x.y: waits')

    def test_picture(self):
        svg = xml.dom.minidom.parseString(gpu_results.chart(self.FACTS, some_rows()))
        titles = [node.firstChild.data for node in svg.getElementsByTagName('title')]
        self.assertEqual(titles, ['gpuhisto\nper-block, uniform: 50.0 %', 'x.y, uniform: 20.0 %'])

    def test_page(self):
        docs = os.path.join(self.folder, 'docs')
        os.mkdir(docs)
        page = 'before\n<!-- table: gpu-peers -->\nold\n<!-- end -->\nafter\n'
        self.put('docs/benchmarks.md', page)
        source = os.path.join(self.folder, 'a.csv')
        gpu_results.write_csv(source, self.FACTS, some_rows())
        gpu_results.fill_docs(source, docs)
        text = gpu_results.page.read(os.path.join(docs, 'benchmarks.md'))
        self.assertIn('| `x.y` | 0.025 (2.50) | wrong |', text)
        self.assertIn('| read kernel | 0.005 | – |', text)
        self.assertNotIn('old', text)
        self.assertTrue(text.startswith('before\n') and text.endswith('after\n'))
        gpu_results.fill_docs(os.path.join(docs, 'benchmarks', 'gpu.csv'), docs)  # again: nothing changes
        self.assertEqual(text, gpu_results.page.read(os.path.join(docs, 'benchmarks.md')))

    def test_the_page_is_what_its_results_make(self):
        docs = gpu_results.page.DOCS
        if not os.path.exists(os.path.join(docs, 'benchmarks', 'gpu.csv')):
            self.skipTest('docs/benchmarks/gpu.csv is not there: no run has been published')
        for path, content in gpu_results.made(docs).items():
            self.assertEqual(gpu_results.page.read(path), content)


class Program(Folder):
    def test_whole_run_with_stand_ins(self):
        path = os.path.join(self.folder, 'out.csv')
        options = type('Options', (), dict(gpuhisto=self.gpuhisto().program, peers=self.folder, python=sys.executable, csv=path,
                                           only='small', turns=1, seconds=60))
        saved = gpu.plan, gpu_peers.peers
        gpu.plan = lambda: [gpu.Values('small', 'uniform', 1000, 1), gpu.Values('large', 'uniform', 1000, 1)]
        gpu_peers.peers = lambda folder, python: [('Fake', self.peer('good')), ('Other', 'it is not here')]
        words = io.StringIO()
        try:
            with contextlib.redirect_stderr(words):
                facts, rows = gpu.run_all(options, self.folder)
        finally:
            gpu.plan, gpu_peers.peers = saved
        self.assertIn('Other: skipped, it is not here', words.getvalue())
        self.assertEqual((facts['device'], {row.input for row in rows}), ('Fake GPU', {'small'}))
        self.assertEqual(json.dumps([row.us for row in gpu_results.read_csv(path)[1]]), '[5.0, 10.0, null, 20.0, 20.0]')


if __name__ == '__main__':
    unittest.main()
