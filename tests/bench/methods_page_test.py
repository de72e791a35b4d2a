#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""bench/methods/page.py over a small made-up run, and over the raw results that docs/methods holds."""
import argparse
import os
import shutil
import sys
import tempfile
import unittest
import xml.dom.minidom

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(SOURCE, 'bench', 'methods'))
sys.dont_write_bytecode = True
import page
import plot
import raw
import tables

REPORT = '''
=== gpuhisto bench
gray, this is not the report
=== gray
cuda: NVIDIA H200, 132 multiprocessors, 227 KiB of shared memory a block
gray, 2^30 pixels
  per_block_flat_kernel<<<264,1024,32768>>> 31 registers, 0 bytes spilled, 2 blocks resident, occupancy 1.00, 1 passes; block=1024
 uniform
  read                                                                       4000.0 GB/s
  per-block                                                   3900.0 Gpix/s  3900.0 GB/s  97.5 %
  per-block-partial                                           2000.0 Gpix/s  2000.0 GB/s  50.0 % (second kernel 1.4 %)
  vendor                         this module was built without the vendor's library
 ramp
  read                                                                       4010.0 GB/s
  per-block                                                   3910.0 Gpix/s  3910.0 GB/s 100.2 %
  per-block-partial                                           2100.0 Gpix/s  2100.0 GB/s  52.4 % (second kernel 1.9 %)
  vendor                                                      1000.0 Gpix/s  1000.0 GB/s  24.9 %
every timed run counted right
small gray images, microseconds each, 40 different ones in a stream
      pixels     read    fused   vendor
  2^12           3.50     3.53    12.93   1.01 of read, 0.27 of vendor
2^26 keys, 256 bins
 uniform
  read                                                    0.0647 ms
  per-block                                               0.0701 ms   92.2 %
  tried: block=512                                        0.0702 ms   92.1 %
2^26 keys, uniform, 1000 bins
  1000 bins, per-block                                    0.0740 ms   87.2 %
something new, uniform
  per-block                                               1.0000 ms    1.0 %
'''
HEAD = ('device,device_name,kind,method,policy,pattern,keys,pixels,rounds,median_us,gpix_per_s,share_of_read,verified,lost,case,'
        'label,published,published_g_per_s,published_machine,note')
BOOK = HEAD + '''
gpu:0,H200,read,read,,uniform,u8,1000,5,10.5,,1,,,book: a case,,,,,
gpu:0,H200,method,unsafe-nonatomic,block=256,uniform,u8,1000,5,20.25,50,0.5,inexact,2500,book: a case,plain,,,,
gpu:0,H200,method,per-block,,uniform,u8,1000,5,21,48,0.48,exact,0,book: a case,good,0.144 ms,24,a card,
gpu:0,H200,method,vendor,,uniform,u8,1000,0,,,,,,book: a case,theirs,,,,not here
'''


def quiet(function, *arguments):
    """Calls it without what it says on standard error; returns the result and those words."""
    with tempfile.TemporaryFile('w+') as words:
        saved, sys.stderr = sys.stderr, words
        try:
            result = function(*arguments)
        finally:
            sys.stderr = saved
        words.seek(0)
        return result, words.read()


class Run(unittest.TestCase):
    """A folder with a small run."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.put('report.txt', REPORT)
        self.put('run.txt', 'date: a day\nwithout: summary, policies\n')
        self.put('book.csv', BOOK)

    def put(self, name, content):
        with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as file:
            file.write(content)

    def results(self):
        return quiet(raw.Results, self.folder)[0]

    def fails(self, words, function, *arguments):
        with self.assertRaises(raw.Missing) as caught:
            quiet(function, *arguments)
        self.assertIn(words, str(caught.exception))


class Reading(Run):
    def test_lines(self):
        report = self.results().report
        self.assertEqual(report.title, 'NVIDIA H200, 132 multiprocessors, 227 KiB of shared memory a block')
        self.assertEqual(report.at('gray', 'uniform', 'read'), raw.Line(gb=4000))
        self.assertEqual(report.at('gray', 'uniform', 'per-block-partial'), raw.Line(2000, 2000, None, 50, 1.4))
        self.assertEqual(report.at('gray', 'ramp', 'per-block').share, 100.2)
        self.assertEqual(report.at('gray', 'uniform', 'vendor').note, "this module was built without the vendor's library")
        self.assertEqual(report.at('keys, 256 bins', 'uniform', 'per-block'), raw.Line(ms=0.0701, share=92.2))
        self.assertEqual(report.small, {'2^12': raw.Small(3.5, 3.53, 12.93)})
        self.assertEqual(report.launches['gray'][0][:4], ('per_block_flat_kernel', 264, 1024, 32768))

    def test_headings_that_nobody_knows_are_told_and_left_out(self):
        results, words = quiet(raw.Results, self.folder)
        self.assertEqual(results.report.unknown, ['something new, uniform'])
        self.assertIn('something new, uniform', words)
        self.assertEqual(results.report.at('keys, other bins', 'uniform', '1000 bins, per-block').ms, 0.074)

    def test_a_wrong_count_is_not_published(self):
        self.put('report.txt', REPORT.replace('97.5 %', '97.5 % WRONG'))
        self.fails('counted wrong', raw.Results, self.folder)
        self.put('report.txt', REPORT)
        self.put('book.csv', BOOK.replace('exact,0', 'wrong,0'))
        self.fails('book.csv has a run that counted wrong', raw.Results, self.folder)

    def test_missing_files(self):
        self.put('run.txt', 'date: a day\n')
        self.fails('summary.txt is missing', raw.Results, self.folder)
        os.remove(os.path.join(self.folder, 'report.txt'))
        self.fails('report.txt is missing', raw.Results, self.folder)

    def test_steps_of_a_bundle(self):
        self.put('run.txt', 'date: a day\n')
        steps = (('kernel abi, cuda', 'ok', '12 tests'), ('timings, gray', 'ok', '97.5 %'),
                 ('compute-sanitizer', 'skipped', 'no'))
        self.put('summary.txt', 'device  name\n' + ''.join(f'{a:<46} {b:<7} {7:>5}s  {c}\n' for a, b, c in steps))
        self.assertEqual(tables.make('checked', self.results())[2:],
                         ['| kernel abi, cuda | ok | 12 tests |', '| compute-sanitizer | skipped | no |'])
        self.put('summary.txt', f'{"kernel abi, cuda":<46} {"FAILED":<7} {7:>5}s  1 test\n')
        self.fails('kernel abi, cuda', tables.make, 'checked', self.results())


class Tables(Run):
    def test_rows_and_columns(self):
        lines = tables.of_patterns(self.results(), 'gray', ['read', 'per-block', 'vendor'], tables.rate_and_share, 'x')
        self.assertEqual(lines, ['| x | uniform | ramp |', '| --- | ---: | ---: |', '| read | 4000 | 4010 |',
                                 '| per-block | 3900 (97.5) | 3910 (100.2) |', '| vendor | – | 1000 (24.9) |'])

    def test_missing_lines_are_errors(self):
        self.fails('no line "per-thread check"', tables.make, 'gray', self.results())
        self.fails('the section "layout" is missing', tables.make, 'layout', self.results())
        self.fails('bench.csv is missing', tables.make, 'global', self.results())
        self.put('report.txt', REPORT.replace('  per-block-partial                                           2100', '  other  2100'))
        self.fails('ramp: no line "per-block-partial"', tables.of_patterns, self.results(), 'gray', ['per-block-partial'],
                   tables.share)
        self.fails('there is none of', tables.make, 'no-such', self.results())

    def test_a_section_left_out_is_said_to_be(self):
        self.assertEqual(tables.make('policies-layouts', self.results()), ['(`policies` was not part of this run.)'])

    def test_study(self):
        self.assertEqual(tables.make('preset-book', self.results())[2:], [
            '| step | method and policy | µs | Gpix/s | % of read | published | here : there | counts |',
            '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |', '| read |  | 10.50 |  | 100.0 |  |  |  |',
            '| plain | `unsafe-nonatomic` `block=256` | 20.25 | 50.00 | 50.0 |  |  | inexact, lost 50.0 % |',
            '| good | `per-block` | 21.00 | 48.00 | 48.0 | 0.144 ms, a card | 2.00 | exact |',
            '| theirs | `vendor` | – | – | – |  |  | not here |'])

        self.put('book.csv', BOOK.replace('gpu:0', 'cpu'))
        self.fails('no times of a GPU', tables.make, 'preset-book', self.results())

    def test_global_atomics(self):
        methods = ('read', 'per-grid', 'per-grid-vec4', 'wave-aggregated', 'per-block')
        rows = [f'gpu:0,H200,{"read" if m == "read" else "method"},{m},,{p},u8,8000,5,{t},1,1,exact,0,,,,,,'
                for p, t in (('a', 2), ('b', 4)) for m in methods]
        self.put('bench.csv', '\n'.join([HEAD, *rows, '']))
        self.assertEqual(tables.make('global', self.results())[2:], [f'| {m} | 4.000 | 2.000 |' for m in methods[:4]])
        self.put('bench.csv', '\n'.join([HEAD, *rows[:-2], '']))
        self.fails('no time of wave-aggregated, b', tables.make, 'global', self.results())

    def test_numbers(self):
        self.assertEqual([tables.significant(v) for v in (0.02323, 0.5, 8.0716, 63.2, 364.11, 3971.4, 196650)],
                         ['0.02323', '0.5', '8.072', '63.20', '364.1', '3971', '196650'])


    def test_counts_of_the_emulated_device(self):
        head = ('device_name,kind,method,policy,pattern,pixels,global_atomics,shared_atomics,shared_instructions,shared_passes,'
                'same_address,verified\n')
        rows = [f'waves of 64,method,{method},{policy},{pattern},6400,{counts},exact\n' for method, policy, pattern, counts in (
            ('per-grid', '', 'a', '6400,0,0,0,0'), ('per-grid', '', 'b', '6400,0,0,0,0'),
            ('per-block', 'replicas=1', 'a', '64,6400,100,450,640'), ('per-block', 'replicas=1', 'b', '0,6400,100,100,6400'))]
        self.put('emulated-gray.csv', head + ''.join(rows))
        self.assertEqual(tables.make('counts-gray', self.results())[2:], [
            '| `per-grid` | 1.000 · 1.000 | 0 | – | 0 | 0 |',
            '| `per-block` `replicas=1` | 0.010 · 0 | 1.000 · 1.000 | 4.50 · 1.00 | 4.50 · 1.00 | 0.100 · 1.000 |'])
        self.put('emulated-gray.csv', head + ''.join(rows[:3]))
        self.fails('a method lacks patterns', tables.make, 'counts-gray', self.results())

    def test_planted_bugs_are_those_of_the_test(self):
        lines = tables.make('planted', self.results())
        self.assertIn('| `non-atomic-increment` | – | – | sanitizer |', lines)
        self.assertEqual(len({line.split('|')[1] for line in lines}), len(lines))


class Page(Run):
    def test_fill(self):
        text = 'a\n<!-- table: keys-256-tried -->\nold\n<!-- end -->\nb\n'
        filled = page.fill(text, self.results())
        self.assertEqual(filled, 'a\n<!-- table: keys-256-tried -->\n| % | uniform |\n| --- | ---: |\n| `per-block` | 92.2 |\n'
                                 '| `block=512` | 92.1 |\n<!-- end -->\nb\n')
        self.assertEqual(page.fill(filled, self.results()), filled)

    def test_marker_without_end(self):
        self.fails('without an end', page.fill, '<!-- table: gray -->\n', self.results())

    def test_failure_leaves_the_docs_as_they_were(self):
        docs = os.path.join(self.folder, 'docs')
        shutil.copytree(os.path.join(SOURCE, 'docs'), docs)
        before = {name: page.read(os.path.join(docs, name)) for name in page.PAGES}
        names = sorted(os.listdir(docs)), sorted(os.listdir(os.path.join(docs, 'methods')))
        options = argparse.Namespace(folder=self.folder, date='a', driver='b', cuda='c', made='d', without='summary', program=None)
        self.fails('bench.csv is missing', page.collect, options, docs)
        self.assertEqual(before, {name: page.read(os.path.join(docs, name)) for name in page.PAGES})
        self.assertEqual(names, (sorted(os.listdir(docs)), sorted(os.listdir(os.path.join(docs, 'methods')))))

    def test_plots_are_xml_with_a_bar_for_each_value(self):
        svg = plot.bars('a < b', ['uniform', 'new'], [('one', [97.5, None]), ('two\nlines', [100.2, 0.1])])
        titles = [node.firstChild.data for node in xml.dom.minidom.parseString(svg).getElementsByTagName('title')]
        self.assertEqual(titles, ['one, uniform: 97.5 %', 'two\nlines, uniform: 100.2 %', 'two\nlines, new: 0.1 %'])


class Committed(unittest.TestCase):
    def test_pages_and_plots_are_what_the_raw_results_make(self):
        self.assertEqual(quiet(page.differing, page.DOCS)[0], [])

    def test_collecting_the_same_run_again_changes_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            docs = shutil.copytree(page.DOCS, os.path.join(folder, 'docs'))
            source = shutil.copytree(os.path.join(docs, 'methods'), os.path.join(folder, 'run'))
            facts = raw.Results(source).facts
            options = argparse.Namespace(folder=source, program=None, made=facts['made'], date=facts['date'], driver=facts['driver'],
                                         cuda=facts['cuda'], without=facts.get('without', '').replace(', ', ','))
            quiet(page.collect, options, docs)
            for name in page.PAGES:
                self.assertEqual(page.read(os.path.join(docs, name)), page.read(os.path.join(page.DOCS, name)))
            self.assertEqual(sorted(os.listdir(os.path.join(docs, 'methods'))),
                             sorted(os.listdir(os.path.join(page.DOCS, 'methods'))))


if __name__ == '__main__':
    unittest.main()
