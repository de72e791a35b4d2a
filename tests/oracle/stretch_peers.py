#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stretch_peers.py GPUHISTO: `stretch` beside Pillow's autocontrast and ImageMagick's -contrast-stretch, on the photos of
data/ and, where they are, on some of ../shared/photos. What a difference may be is said where it is allowed."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    from PIL import Image, ImageOps
except ImportError:
    print('skipped: Pillow (python3-pil) is not here')
    sys.exit(77)

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.abspath(sys.argv.pop(1))
PHOTOS = sorted(glob.glob(os.path.join(SOURCE, 'data', '*.jpg')) +
                glob.glob(os.path.join(os.path.dirname(SOURCE), 'shared', 'photos', 'camera', '*0.jpg'))[:3])
CUTS = ((0, 0), (0.5, 0.5), (2, 1), (0, 12.5))


class Peers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def ours(self, image, cut, *options):
        image.save(self.path('in.ppm'), 'PPM')
        subprocess.run([PROGRAM, 'stretch', '-q', *options, '--low', '%g%%' % cut[0], '--high', '%g%%' % cut[1],
                        self.path('in.ppm'), self.path('out.ppm')], check=True)
        return Image.open(self.path('out.ppm')).tobytes()

    def differences(self, image, cut, theirs, *options):
        return {a - b for a, b in zip(self.ours(image, cut, *options), theirs)}

    def test_each_is_pillows_autocontrast(self):
        """Pillow computes in floating point: where the exact value is a whole number it may come out one below."""
        for photo in PHOTOS:
            image = Image.open(photo).convert('RGB')
            for cut in CUTS:
                with self.subTest(photo=photo, cut=cut):
                    theirs = ImageOps.autocontrast(image, cutoff=cut).tobytes()
                    self.assertLessEqual(self.differences(image, cut, theirs, '--channels', 'each'), {0, 1})

    def test_joint_is_pillows_autocontrast_that_preserves_the_tone(self):
        """As above; its luma is rounded from 16 bits, ours from 15, which could move an end, but does in none of these."""
        for photo in PHOTOS:
            image = Image.open(photo).convert('RGB')
            for cut in CUTS:
                with self.subTest(photo=photo, cut=cut):
                    theirs = ImageOps.autocontrast(image, cutoff=cut, preserve_tone=True).tobytes()
                    self.assertLessEqual(self.differences(image, cut, theirs, '--channels', 'joint'), {0, 1})

    @unittest.skipUnless(shutil.which('convert'), 'ImageMagick is not here')
    def test_gray_is_imagemagicks_contrast_stretch(self):
        for photo in PHOTOS:
            image = Image.open(photo).convert('L')
            for cut in CUTS:
                with self.subTest(photo=photo, cut=cut):
                    ours = self.ours(image, cut)
                    subprocess.run(['convert', self.path('in.ppm'), '-contrast-stretch', '%gx%g%%' % cut, '-depth', '8',
                                    self.path('theirs.pgm')], check=True)
                    self.assertEqual(ours, Image.open(self.path('theirs.pgm')).tobytes())

    @unittest.skipUnless(shutil.which('convert'), 'ImageMagick is not here')
    def test_joint_is_nearly_imagemagicks_contrast_stretch(self):
        """Its luma is bt709 with 16 bits, so that its ends lie between two of our levels."""
        for photo in PHOTOS:
            image = Image.open(photo).convert('RGB')
            for cut in CUTS:
                with self.subTest(photo=photo, cut=cut):
                    ours = self.ours(image, cut, '--channels', 'joint', '--luma', 'bt709')
                    subprocess.run(['convert', self.path('in.ppm'), '-contrast-stretch', '%gx%g%%' % cut, '-depth', '8',
                                    self.path('theirs.ppm')], check=True)
                    theirs = Image.open(self.path('theirs.ppm')).tobytes()
                    self.assertLessEqual({abs(a - b) for a, b in zip(ours, theirs)}, {0, 1, 2})


if __name__ == '__main__':
    unittest.main()
