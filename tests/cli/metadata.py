#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""metadata.py GPUHISTO [unittest arguments]: what outputs carry, as exiftool reads it, against what it reads in the inputs."""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import warnings
import zlib

try:
    from PIL import Image
except ImportError:
    Image = None

PROGRAM = os.path.abspath(sys.argv.pop(1))
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(SOURCE, 'data')
CORPUS = os.path.join(os.path.dirname(SOURCE), 'shared', 'corpus')
FLOWER = os.path.join(DATA, 'flower.jpg')
GROUPS = ('EXIF', 'XMP', 'ICC_Profile', 'IPTC')
TURNED = {'EXIF:Orientation': 1, 'XMP:Orientation': 1}
SWAPPED = (('EXIF:ExifImageWidth', 'EXIF:ExifImageHeight'), ('XMP:ExifImageWidth', 'XMP:ExifImageHeight'),
           ('XMP:ImageWidth', 'XMP:ImageHeight'), ('EXIF:XResolution', 'EXIF:YResolution'), ('XMP:XResolution', 'XMP:YResolution'))


def equalize(*arguments):
    done = subprocess.run([PROGRAM, 'equalize', *arguments], capture_output=True, timeout=60)
    return done.returncode, done.stderr.decode()


def exiftool(*arguments):
    return subprocess.run(['exiftool', *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60).stdout


def all_tags(*names, groups=GROUPS):
    """By file. The second directory is the thumbnail's, which is left out on purpose."""
    found = json.loads(exiftool('-j', '-G', '-n', '-u', '-struct', '--IFD1:all', *names))
    return {tags['SourceFile']: {tag: value for tag, value in tags.items() if tag.split(':')[0] in groups} for tags in found}


def tags_of(name, groups=GROUPS):
    return all_tags(name, groups=groups)[name]


def turned(tags, orientation):
    tags = dict(tags)
    if not 2 <= orientation <= 8:
        return tags
    tags.update({tag: value for tag, value in TURNED.items() if tag in tags})
    for width, height in SWAPPED if orientation > 4 else ():
        if width in tags and height in tags:
            tags[width], tags[height] = tags[height], tags[width]
    return tags


def icc(space, size):
    """A profile that claims pixels of `space`: a header, a description, and so much more that it has `size` bytes."""
    text = b'desc' + struct.pack('>II', 0, 5) + b'test\0' + bytes(79)
    head = struct.pack('>I4sI4s4s4s', size, b'test', 0x02400000, b'mntr', space, b'XYZ ') + bytes(12) + b'acsp'
    rest_at = 156 + len(text)
    table = struct.pack('>I4sII4sII', 2, b'desc', 156, len(text), b'rest', rest_at, size - rest_at)
    profile = head + bytes(128 - len(head)) + table + text
    return profile + bytes(size - len(profile))


def write_png(name, before, after=()):
    """Two gray pixels, with chunks before and behind them."""
    chunks = [(b'IHDR', struct.pack('>IIBBBBB', 2, 1, 8, 0, 0, 0, 0)), *before, (b'IDAT', zlib.compress(b'\0\1\2')), *after,
              (b'IEND', b'')]
    with open(name, 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n')
        for kind, content in chunks:
            file.write(struct.pack('>I', len(content)) + kind + content + struct.pack('>I', zlib.crc32(kind + content)))


@unittest.skipUnless(shutil.which('exiftool'), 'exiftool is not installed')
class Metadata(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def tagged(self, name, *tags):
        """A copy of a photo with tags of EXIF, XMP, IPTC and a profile."""
        with open('profile.icc', 'wb') as file:
            file.write(icc(b'RGB ', 200000))  # four segments of a JPEG
        shutil.copy(FLOWER, name)
        exiftool('-overwrite_original', '-n', '-EXIF:Artist=Somebody', '-EXIF:GPSLatitude=50.5', '-EXIF:GPSLatitudeRef=N',
                 '-EXIF:ExifImageWidth=480', '-EXIF:ExifImageHeight=360', '-EXIF:LensModel=A lens of some length',
                 '-XMP:Title=A title', '-XMP-tiff:ImageWidth=480', '-XMP-tiff:ImageHeight=360', '-IPTC:Headline=News',
                 '-Comment=said', '-ICC_Profile<=profile.icc', '-JFIF:XResolution=300', '-JFIF:YResolution=150',
                 '-JFIF:ResolutionUnit=1', *tags, name)

    def check_valid(self, name, source):
        """exiftool complains of no more than it does of the source; what a format asks for may be missing in another."""
        def complaints(file):
            lines = json.loads(exiftool('-j', '-validate', '-warning', '-a', file))[0].get('Warning', [])
            return {line for line in ([lines] if isinstance(lines, str) else lines) if 'Missing required' not in line}
        self.assertEqual(complaints(name) - complaints(source), set())

    def test_jpeg_to_jpeg_changes_no_tag(self):
        for orientation in (1, 3, 6, 7):
            self.tagged('in.jpg', '-EXIF:Orientation=%d' % orientation, '-XMP:Orientation=%d' % orientation)
            self.assertEqual(equalize('in.jpg', 'out.jpg'), (0, ''))
            groups = (*GROUPS, 'JFIF')
            self.assertEqual(tags_of('out.jpg', groups), tags_of('in.jpg', groups))
            self.assertEqual(exiftool('-s3', '-Comment', 'out.jpg'), b'said\n')
            self.assertEqual(exiftool('-b', '-ICC_Profile', 'out.jpg'), exiftool('-b', '-ICC_Profile', 'in.jpg'))
            self.check_valid('out.jpg', 'in.jpg')

    def test_jpeg_to_png_and_back_is_upright(self):
        groups = ('EXIF', 'XMP', 'ICC_Profile')
        for orientation in (1, 3, 6, 7):
            self.tagged('in.jpg', '-EXIF:Orientation=%d' % orientation, '-XMP:Orientation=%d' % orientation)
            before = turned(tags_of('in.jpg', groups), orientation)
            status, told = equalize('in.jpg', 'out.png')
            self.assertEqual((status, told), (0, 'gpuhisto: in.jpg: not kept in the output: IPTC, comment\n'))
            self.assertEqual(tags_of('out.png', groups), before)
            resolution = json.loads(exiftool('-j', '-PNG:PixelsPerUnitX', '-PNG:PixelsPerUnitY', 'out.png'))[0]
            per_metre = [round(300 / .0254), round(150 / .0254)]
            self.assertEqual([resolution['PixelsPerUnitX'], resolution['PixelsPerUnitY']],
                             per_metre if orientation < 5 else per_metre[::-1])
            self.check_valid('out.png', 'in.jpg')
            self.assertEqual(equalize('out.png', 'back.jpg'), (0, ''))
            self.assertEqual(tags_of('back.jpg', groups), before)
            inches = json.loads(exiftool('-j', '-JFIF:XResolution', '-JFIF:YResolution', 'back.jpg'))[0]
            self.assertEqual([inches['XResolution'], inches['YResolution']], [300, 150] if orientation < 5 else [150, 300])

    def test_a_stale_thumbnail_is_left_out(self):
        shutil.copy(FLOWER, 'thumb.jpg')
        self.tagged('in.jpg', '-ThumbnailImage<=thumb.jpg')
        self.assertNotEqual(exiftool('-b', '-ThumbnailImage', 'in.jpg'), b'')
        self.assertEqual(equalize('in.jpg', 'out.jpg'), (0, ''))
        self.assertEqual(exiftool('-b', '-ThumbnailImage', 'out.jpg'), b'')
        self.assertEqual(tags_of('out.jpg'), tags_of('in.jpg'))
        self.check_valid('out.jpg', 'in.jpg')

    def test_a_profile_of_other_pixels_is_told(self):
        self.tagged('in.jpg')
        status, told = equalize('--gray', 'in.jpg', 'out.jpg')
        self.assertEqual((status, told), (0, 'gpuhisto: in.jpg: not kept in the output: ICC profile (of RGB pixels)\n'))
        self.assertEqual(exiftool('-b', '-ICC_Profile', 'out.jpg'), b'')

    def test_strip_leaves_nothing_and_says_nothing(self):
        self.tagged('in.jpg', '-EXIF:Orientation=6')
        for output in ('out.jpg', 'out.png', 'out.pam'):
            self.assertEqual(equalize('--strict', '--strip', 'in.jpg', output), (0, ''))
        for output in ('out.jpg', 'out.png'):
            self.assertEqual(tags_of(output), {})
            size = json.loads(exiftool('-j', '-ImageSize', output))[0]['ImageSize']
            self.assertEqual(size, json.loads(exiftool('-j', '-ImageSize', 'out.png'))[0]['ImageSize'])

    def test_tiff_and_webp(self):
        convert = shutil.which('convert')
        if not convert:
            self.skipTest('ImageMagick is not installed')
        for name in ('in.tif', 'in.webp'):
            subprocess.run([convert, FLOWER, '-strip', name], check=True, timeout=60)
            with open('profile.icc', 'wb') as file:
                file.write(icc(b'RGB ', 70000))
            exiftool('-overwrite_original', '-n', '-EXIF:Orientation=8', '-EXIF:Artist=Somebody', '-EXIF:ISO=100',
                     '-EXIF:ExposureTime=0.01', '-EXIF:GPSLatitude=50.5', '-EXIF:GPSLatitudeRef=N', '-XMP:Title=A title',
                     '-XMP:Orientation=8', '-ICC_Profile<=profile.icc', name)
            for output in ('out.png', 'out.jpg'):
                self.assertEqual(equalize(name, output), (0, ''))
                tags = tags_of(output)
                for tag, value in {'EXIF:Artist': 'Somebody', 'EXIF:ISO': 100, 'EXIF:ExposureTime': 0.01, 'EXIF:Orientation': 1,
                                   'EXIF:GPSLatitude': 50.5, 'XMP:Title': 'A title', 'XMP:Orientation': 1}.items():
                    self.assertEqual(tags.get(tag), value, (name, output, tag))
                self.assertEqual(exiftool('-b', '-ICC_Profile', output), icc(b'RGB ', 70000))
                self.check_valid(output, name)

    @unittest.skipUnless(Image, 'Pillow is not installed')
    def test_pillow_reads_the_same(self):
        self.tagged('in.jpg', '-EXIF:Orientation=6')
        with open('profile.icc', 'rb') as file:
            profile = file.read()
        for output, orientation in (('out.jpg', 6), ('out.png', 1)):
            self.assertEqual(equalize('-q', 'in.jpg', output), (0, ''))
            with warnings.catch_warnings(), Image.open(output) as image:
                warnings.simplefilter('error')
                image.load()
                self.assertEqual(image.info['icc_profile'], profile)
                self.assertEqual(image.getexif()[0x112], orientation)
                self.assertEqual(image.getexif()[0x13B], 'Somebody')

    def test_png_text_and_gamma(self):
        write_png('in.png', [(b'gAMA', struct.pack('>I', 100000)), (b'tEXt', b'Title\0One')],
                  [(b'zTXt', b'Comment\0\0' + zlib.compress(b'Two'))])
        self.assertEqual(equalize('in.png', 'out.png'), (0, ''))
        tags = json.loads(exiftool('-j', '-PNG:all', 'out.png'))[0]
        self.assertEqual((tags['Title'], tags['Comment'], tags['Gamma']), ('One', 'Two', 1))
        self.assertEqual(equalize('in.png', 'out.jpg'), (0, 'gpuhisto: in.png: not kept in the output: gamma, text\n'))

    def test_no_text_of_a_png_turns_the_pixels_again(self):
        exif = b'MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\6\0\0\0\0\0\0'
        xmp = (b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
               b'<rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/>'
               b'</rdf:RDF></x:xmpmeta>')

        def raw(kind, content):
            return b'\n%s\n%8d\n%s\n' % (kind, len(content), content.hex().encode())
        for kind, text in ((b'tEXt', b'EXIF:Orientation\0' + b'6'), (b'tEXt', b'Raw profile type xmp\0' + raw(b'xmp', xmp)),
                           (b'zTXt', b'Raw profile type xmp\0\0' + zlib.compress(raw(b'xmp', xmp))),
                           (b'zTXt', b'Raw profile type exif\0\0' + zlib.compress(raw(b'exif', b'Exif\0\0' + exif))),
                           (b'tEXt', b'Raw profile type APP1\0' + raw(b'generic profile', b'Exif\0\0' + exif)),
                           (b'zTXt', b'XML:com.adobe.xmp\0\0' + zlib.compress(xmp))):
            with self.subTest(text[:21]):
                write_png('in.png', [(b'eXIf', exif), (b'tEXt', b'Title\0One'), (kind, text)])
                self.assertEqual(exiftool('-s3', '-n', '-a', '-*Orientation', 'in.png'), b'6\n6\n')
                self.assertEqual(equalize('in.png', 'out.png'),
                                 (0, 'gpuhisto: in.png: not kept in the output: text (of the orientation)\n'))
                self.assertEqual(exiftool('-s3', '-n', '-a', '-*Orientation', '-Title', 'out.png'), b'1\nOne\n')

    @unittest.skipUnless(shutil.which('pngcheck'), 'pngcheck is not installed')
    def test_png_chunks_that_readers_ignore_do_not_come_into_force(self):
        gamma, shape = (b'gAMA', struct.pack('>I', 100000)), (b'pHYs', struct.pack('>IIB', 100, 200, 1))
        bad = [(b'gAMA', bytes(4)), (b'sRGB', b'\t'), (b'tEXt', b'\0One'), (b'tEXt', b'k' * 100 + b'\0One'), (b'tEXt', b'One')]
        late = [gamma, shape, (b'cHRM', struct.pack('>8I', 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)), (b'sRGB', b'\0'),
                (b'iCCP', b'n\0\0' + zlib.compress(icc(b'GRAY', 300)))]
        for name, before, after, told in (('bad', bad, [], 'gamma (damaged), color space (damaged), text (damaged)'),
                                          ('late', [], late, 'gamma (damaged), resolution (damaged), primaries (damaged), '
                                                             'color space (damaged), ICC profile (damaged)'),
                                          ('doubled', [gamma, gamma, shape, shape], [], '')):
            with self.subTest(name):
                write_png('in.png', before, after)
                self.assertNotEqual(subprocess.run(['pngcheck', '-q', 'in.png'], capture_output=True, timeout=60).returncode, 0)
                status, said = equalize('in.png', 'out.png')
                self.assertEqual((status, said), (0, told and 'gpuhisto: in.png: not kept in the output: ' + told + '\n'))
                checked = subprocess.run(['pngcheck', '-v', 'out.png'], capture_output=True, timeout=60)
                self.assertEqual(checked.returncode, 0, checked.stdout)
                for kind in (b'gAMA', b'pHYs'):
                    self.assertEqual(checked.stdout.count(b'chunk ' + kind), name == 'doubled')

    @unittest.skipUnless(os.path.isdir(CORPUS), 'there is no ../shared/corpus')
    def test_the_corpus(self):
        told, made = {}, {}
        for folder in ('jpg_exif', 'jpg_icc', 'jpg_meta', 'png_meta'):
            for name in sorted(os.listdir(os.path.join(CORPUS, folder))):
                source = os.path.join(CORPUS, folder, name)
                for output in (name + '.jpg', name + '.png'):
                    status, told[output] = equalize('--background', 'white', source, output)
                    if status == 0:
                        made[output] = source
        self.assertGreater(len(made), 20)
        after, before = all_tags(*made), all_tags(*set(made.values()))
        for output, source in made.items():
            had = before[source]
            if output.endswith('.png') or source.endswith('.png'):
                had = turned(had, had.get('EXIF:Orientation', 1))
            for group, block in (('EXIF', 'EXIF'), ('XMP', 'XMP'), ('ICC_Profile', 'ICC profile')):
                if block not in told[output]:
                    with self.subTest(output=output, block=block):
                        self.assertEqual({tag: value for tag, value in after[output].items() if tag.startswith(group)},
                                         {tag: value for tag, value in had.items() if tag.startswith(group)})


unittest.main()
