#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""bombs.py GPUHISTO [unittest arguments]: files that want much time or memory: the exact answer or a refusal, both bounded."""
import json
import os
import re
import struct
import subprocess
import threading
import unittest
import zlib

from bomb_files import (absurd_headers, bmp_of_jumps, constant_png, gif_of_frames, gif_of_pixels, hole, jpeg_of_scans,
                        jpeg_of_segments, png_with_profiles, png_with_texts, png_with_xmp, tiff_of_tiles, webp_of_chunks)
from common import ENVIRONMENT, FLOWER, HEAVY, LIBRARY, PROGRAM, InFolder, Measured, chunk, gray_png, run, write

# MiB; a sanitizer's shadow takes more.
ROWS = 64 if LIBRARY else 400  # of a command that holds rows of the image
HEADER = 100 if LIBRARY else 2500  # of what a header claims nothing is touched, but by a sanitizer


def told(measured, what):
    print('%s: exit %d, %.1f s, %.0f MiB' % (what, measured.code, measured.seconds, measured.mebibytes), flush=True)


@unittest.skipUnless(LIBRARY or HEAVY, 'takes minutes with a sanitizer: GPUHISTO_HEAVY_TESTS=1 runs it')
class Gigapixels(InFolder):
    def exact(self, name, value, count, most=ROWS):
        done = Measured('stats', '--histograms', '--format', 'json', name)
        told(done, name)
        self.assertEqual((done.code, done.err), (0, b''))
        counts = done.luma()
        self.assertEqual((counts[value], sum(counts)), (count, count))
        self.assertLess(done.mebibytes, most)

    def test_2_5_gigapixels_in_a_bit_each(self):
        self.exact(constant_png('50000.png', 50000, 50000, 1, 0), 0, 50000 ** 2)

    def test_as_many_pixels_as_32_bits_count(self):
        self.exact(constant_png('65536.png', 65536, 65536, 1, 255), 255, 2 ** 32)

    def test_two_to_the_31_bytes(self):
        self.exact(constant_png('gray.png', 65536, 32768, 8, 77), 77, 2 ** 31)

    def test_two_to_the_31_bytes_uncompressed(self):
        self.exact(hole('gray.pgm', b'P5 65536 32768 255\n', 2 ** 31), 0, 2 ** 31)


class Refused(InFolder):
    def test_one_more_than_allowed(self):
        constant_png('large.png', 65536, 65536, 1, 255)
        done = Measured('stats', '--max-pixels', '4294967295', 'large.png')
        self.assertEqual(done.code, 1)
        self.assertIn(b'65536x65536 pixels are more than the 4294967295 of --max-pixels', done.err)
        self.assertLess(done.seconds, 2)

    def test_sizes_that_wrap_are_refused_without_a_limit_too(self):
        no_limit = ['--max-pixels', str(2 ** 64 - 1), '--max-memory', str(2 ** 64 - 1)]
        # Their bytes are few, or none, once they are counted in 64 bits with some more.
        for width, height in ((6700417, 2753074036095), (2 ** 64 - 1, 1), (2 ** 64 - 64, 1), (2 ** 62, 4), (2 ** 63, 2), (2 ** 48, 1)):
            name = write('wrap.pgm', b'P5 %d %d 255\n' % (width, height) + bytes(1 << 20))
            for command in (['stats', name], ['equalize', name, 'out.png'], ['equalize', '--clahe', name, 'out.png']):
                done = Measured(*command, *no_limit)
                self.assertEqual(done.code, 1, (command, done.err))
                self.assertRegex(done.err, rb'\Agpuhisto: [^\n]+\n\Z')
                self.assertLess(done.mebibytes, ROWS)
        self.assertFalse(os.path.exists('out.png'))

    def test_what_must_be_held_whole_is_refused(self):
        names = [constant_png('plain.png', 65536, 65536, 1, 255), constant_png('interlaced.png', 65536, 65536, 8, 0, 1)]
        for arguments in (['equalize', names[0], 'out.png'], ['stats', names[1]]):
            done = Measured(*arguments, '--max-memory', '1G')
            told(done, ' '.join(arguments))
            self.assertEqual(done.code, 1)
            self.assertIn(b'--max-memory', done.err)
            self.assertLess(done.mebibytes, ROWS)
            self.assertLess(done.seconds, 2)


    def test_a_second_image_counts(self):
        pixels = 3000 * 2000
        write('rgba.pam', b'P7\nWIDTH 3000\nHEIGHT 2000\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n' +
              b'\x07\x08\x09\xff' * pixels)
        whole = gray_png(3000, 8000, 9)
        turned = chunk(b'eXIf', b'MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0')
        header, end = len(whole[:33]), whole.rindex(b'IEND') - 4
        write('first.png', whole[:header] + turned + whole[header:])
        write('last.png', whole[:end] + turned + whole[end:])
        for name, output in (('rgba.pam', 'flat.jpg'), ('first.png', 'out.png'), ('last.png', 'out.png')):
            done = Measured('equalize', '-j', '1', '--max-memory', '32M', name, output)
            self.assertEqual(done.code, 1)
            self.assertIn(b'the whole image needs', done.err)
            self.assertLess(done.mebibytes, 32 + ROWS)
            self.assertFalse(os.path.exists(output))
            self.assertEqual(Measured('equalize', '-j', '1', '--max-memory', '64M', name, output).code, 0)
            os.remove(output)
        self.assertEqual(Measured('equalize', '-j', '1', '--max-memory', '32M', 'rgba.pam', 'out.pam').code, 0)


class Parts(InFolder):
    """Much of what a file may have much of."""

    def test_png_texts(self):
        done = Measured('stats', '--histograms', '--format', 'json', png_with_texts('texts.png', 100))
        told(done, 'texts')
        self.assertEqual((done.code, done.luma()[7]), (0, 100))
        self.assertLess(done.mebibytes, ROWS)
        self.assertLess(done.seconds, 10)

    def test_jpeg_scans(self):
        done = Measured('stats', '--histograms', '--format', 'json', jpeg_of_scans('small.jpg', 8, 8, 1000000))
        told(done, 'a million scans')
        self.assertEqual((done.code, done.luma()[128]), (0, 64))
        self.assertLess(done.mebibytes, ROWS)
        self.assertLess(done.seconds, 20)
        done = Measured('stats', jpeg_of_scans('large.jpg', 4096, 4096, 200))
        told(done, '200 scans of 16 Mpix')
        self.assertEqual(done.code, 1)
        self.assertIn(b'more than 100 scans', done.err)
        self.assertLess(done.seconds, 20)

    def kept(self, name, limits, seconds, most=ROWS):
        done = Measured('equalize', name, 'out.png', *limits)
        told(done, name)
        self.assertEqual(done.code, 0, done.err)
        self.assertLess(done.seconds, seconds)
        self.assertLess(done.mebibytes, most)
        return done.err

    def test_jpeg_segments(self):
        # As many as are kept by 4 GiB, and by 32 MiB.
        for kept, beyond, memory, most in ((472597, 500000, '4G', 8 * ROWS), (0, 3000000, '32M', ROWS)):
            err = self.kept(jpeg_of_segments('segments.jpg', kept, beyond), ('--max-memory', memory), 20, most)
            self.assertEqual(err.count(b'comment (beyond the'), 1)

    def test_xmp_properties(self):
        self.kept(png_with_xmp('xmp.png', 400000), (), 20, 2 * ROWS)

    def test_png_profiles(self):
        err = self.kept(png_with_profiles('profiles.png', 100), ('--max-memory', '1G'), 10, 4 * ROWS)
        self.assertIn(b'ICC profile (beyond the 64 MiB that are kept)', err)

    def test_pam_tuple_types(self):
        write('tuples.pam', b'P7\nWIDTH 1\n' + b'TUPLTYPE GRAYSCALE\n' * (100 << 20 >> 5))
        self.refused(['tuples.pam'], b'TUPLTYPE is too long')

    def test_bmp_runs_that_jump(self):
        self.refused([bmp_of_jumps('jumps.bmp', 20000), '--max-memory', '3G'], b'the run lengths end early')

    def test_webp_chunks(self):
        self.refused([webp_of_chunks('chunks.webp', 4 << 20), '--max-memory', '40M'], b'of memory, more than the 40 MiB')

    def test_what_a_pipe_brings_is_held_once(self):
        os.mkfifo('pipe.bmp')
        head = b'BM' + struct.pack('<IIIIiiHHIIiiII', 0, 0, 54, 40, 6000, 2000, 1, 24, 0, 0, 1, 1, 0, 0)
        writer = threading.Thread(target=write, args=('pipe.bmp', head + bytes(33 << 20)))
        writer.start()
        self.refused(['pipe.bmp', '--max-memory', '36M'], b'decoding needs')
        writer.join()

    def refused(self, arguments, why):
        done = Measured('stats', *arguments)
        told(done, arguments[0])
        self.assertEqual(done.code, 1)
        self.assertIn(why, done.err)
        self.assertLess(done.seconds, 10)
        self.assertLess(done.mebibytes, ROWS)

    def test_the_memory_that_a_gif_is_said_to_need_is_enough(self):
        name = gif_of_pixels('large.gif', 4000)
        need = int(re.search(rb'needs (\d+) MiB', Measured('stats', '--max-memory', '64M', name).err)[1])
        done = Measured('stats', '--max-memory', '%dM' % need, name)
        told(done, '%s, %d MiB' % (name, need))
        self.assertEqual(done.code, 0, done.err)
        self.assertLess(done.mebibytes, need + 16 if LIBRARY else 3 * need)

    def test_tiff_tiles_beyond_the_picture(self):
        write('tiles.tif', tiff_of_tiles(1, 1 << 20, 1 << 14, 16, zlib.compress(bytes(1 << 18), 9)))
        done = Measured('stats', 'tiles.tif')
        told(done, '65,536 tiles of 2^18 pixels')
        self.assertEqual(done.code, 1)
        self.assertIn(b'tiles reach far beyond the picture', done.err)
        self.assertLess(done.seconds, 5)

    def test_gif_frames(self):
        done = Measured('stats', '--histograms', '--format', 'json', gif_of_frames('frames.gif', 100000))
        told(done, '100,000 frames')
        self.assertEqual((done.code, done.luma()[9]), (0, 1))
        self.assertIn(b'only the first of 100000 frames', done.err)
        self.assertLess(done.mebibytes, ROWS)
        self.assertLess(done.seconds, 5)

    def test_a_header_without_end(self):
        write('comment.pgm', b'P5\n#' + b'x' * (100 << 20) + b'\n2 1 255\n\x07\x09')
        done = Measured('stats', 'comment.pgm')
        told(done, 'a comment of 100 MiB')
        self.assertEqual(done.code, 0, done.err)
        self.assertLess(done.mebibytes, ROWS)
        hole('digits.pgm', b'P5 ' + b'0' * 1000, 0)
        self.assertEqual(Measured('stats', 'digits.pgm').code, 1)


class Headers(InFolder):
    def test_absurd_sizes(self):
        most = {'seconds': 0, 'mebibytes': 0}
        files = absurd_headers()
        for name, content in files.items():
            write(name, content)
            for command in (['stats', name], ['equalize', name, 'out.png'], ['stats', '--tolerate-damage', name]):
                done = Measured(*command, limit=20)
                # Tolerated damage leaves the rows that are there: none.
                self.assertIn(done.code, (0, 1) if '--tolerate-damage' in command else (1,), (command, done.err))
                self.assertRegex(done.err, rb'\A(gpuhisto: [^\n]+\n)+\Z')
                if '--tolerate-damage' not in command:
                    self.assertEqual(done.err.count(b'\n'), 1)
                self.assertLess(done.mebibytes, HEADER, (command, done.err))
                self.assertLess(done.seconds, 5 if LIBRARY else 20, (command, done.err))
                most = {key: max(value, getattr(done, key)) for key, value in most.items()}
                self.assertFalse(os.path.exists('out.png'))
        print('%d headers: at most %.2f s, %.0f MiB' % (len(files), most['seconds'], most['mebibytes']), flush=True)

    def test_a_batch_of_them_goes_on(self):
        os.mkdir('in')
        for name, content in absurd_headers().items():
            write('in/' + name, content)
        write('in/good.png', gray_png(4, 4, 7))
        done = Measured('stats', '-r', 'in', '--format', 'json', '-j', '4')
        told(done, 'a folder of headers')
        self.assertEqual((done.code, json.loads(done.out)['total']['files']['ok']), (1, 1))
        self.assertLess(done.mebibytes, 2 * HEADER)


class Seconds(InFolder):
    """--max-seconds"""

    def refused(self, command, seconds, within):
        done = Measured(*command, '--max-seconds', str(seconds))
        told(done, ' '.join(command))
        self.assertEqual(done.code, 1, done.err)
        self.assertIn(b'not done within the %g s of --max-seconds' % seconds, done.err)
        self.assertLess(done.seconds, within)
        self.assertEqual(done.err.count(b'\n'), 1)

    def test_what_takes_long_is_ended(self):
        for name in (constant_png('plain.png', 65536, 65536, 1, 255), constant_png('interlaced.png', 20000, 20000, 8, 0, 1),
                     jpeg_of_scans('scans.jpg', 4096, 4096, 99), hole('large.ppm', b'P6 65536 65536 255\n', 3 << 32),
                     png_with_texts('texts.png', 400)):
            for command in (['stats'], ['hist'], ['plot']):
                self.refused([*command, name], 0.1, 4)
        # One row of tiles, of which the picture fills half.
        write('tiles.tif', tiff_of_tiles(1 << 20, 1 << 10, 1 << 13, 1 << 11, zlib.compress(bytes(1 << 24), 9)))
        self.refused(['stats', 'tiles.tif'], 0.1, 1.5)
        self.refused(['equalize', 'scans.jpg', 'out.png'], 0.1, 4)
        self.refused(['stats', '--tolerate-damage', 'scans.jpg'], 0.1, 4)
        self.assertFalse(os.path.exists('out.png'))

    def test_what_never_comes_is_not_waited_for(self):
        os.mkfifo('fifo.png')
        for command in (['stats'], ['plot'], ['equalize', '--output-dir', 'out']):
            self.refused([*command, 'fifo.png'], 0.5, 4)
            process = subprocess.Popen([PROGRAM, *command, '--max-seconds', '0.5', 'fifo.png'], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, env=ENVIRONMENT)
            with open('fifo.png', 'wb', buffering=0) as file:
                file.write(gray_png(4, 4, 7)[:40])
                _, err = process.communicate(timeout=20)
            self.assertEqual(process.returncode, 1)
            self.assertIn(b'fifo.png: not done within the 0.5 s of --max-seconds', err)

    def test_the_others_are_done(self):
        constant_png('plain.png', 65536, 65536, 1, 255)
        for threads in ('1', '2', '4'):
            done = run('stats', '-j', threads, '--max-seconds', '0.5', '--format', 'json', FLOWER, 'plain.png', FLOWER)
            statuses = [result['status'] for result in json.loads(done.stdout)['results']]
            self.assertEqual((done.returncode, statuses), (1, ['ok', 'error', 'ok']), done.stderr)

    def test_values(self):
        for value in ('-1', 'x', '', '1s', 'nan', 'inf', '1,5'):
            self.assertEqual(run('stats', '--max-seconds=' + value, FLOWER).returncode, 2, value)
        for value in ('0', '1e300', '100.5'):
            self.assertEqual(run('stats', '--max-seconds', value, FLOWER).returncode, 0, value)


if __name__ == '__main__':
    unittest.main()
