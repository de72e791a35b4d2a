# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The gpuhisto authors
"""Files that are small, or claim to be, and make much work or want much memory. Each function writes one and returns its name."""
import struct
import zlib

from common import chunk, content_of, gray_png, png_head, write


def constant_png(name, width, height, depth, sample_byte, interlaced=0):
    """Gray of one value: `sample_byte` all along. The compressed rows are made once and repeated."""
    row = b'\0' + bytes([sample_byte]) * ((width * depth + 7) // 8)
    at_once = next(count for count in (1000, 512, 500, 256, 100, 64, 16, 10, 4, 1) if height % count == 0)
    rows = row * at_once
    squeezer = zlib.compressobj(9)
    first = squeezer.compress(rows) + squeezer.flush(zlib.Z_FULL_FLUSH)
    again = squeezer.compress(rows) + squeezer.flush(zlib.Z_FULL_FLUSH)
    checksum = 1
    for _ in range(height // at_once):
        checksum = zlib.adler32(rows, checksum)
    data = first + again * (height // at_once - 1) + b'\x03\0' + struct.pack('>I', checksum)
    with open(name, 'wb') as file:
        file.write(png_head(width, height, depth, 0, interlaced))
        for begin in range(0, len(data), 1 << 20):
            file.write(chunk(b'IDAT', data[begin:begin + (1 << 20)]))
        file.write(chunk(b'IEND', b''))
    return name


def zeros_compressed(count):
    squeezer = zlib.compressobj(9)
    part = b'\0' * (1 << 20)
    return b''.join(squeezer.compress(part) for _ in range(count >> 20)) + squeezer.flush()


def png_with_texts(name, mebibytes):
    """Texts and a profile that inflate to so much each, and one that is as long in the file."""
    squeezed = zeros_compressed(mebibytes << 20)
    texts = (chunk(b'zTXt', b'Comment\0\0' + squeezed), chunk(b'iTXt', b'Comment\0\1\0\0\0' + squeezed),
             chunk(b'iTXt', b'XML:com.adobe.xmp\0\1\0\0\0' + squeezed), chunk(b'iCCP', b'icc\0\0' + squeezed),
             chunk(b'tEXt', b'Comment\0' + b'x' * (mebibytes << 20)))
    return write(name, gray_png(10, 10, 7, b''.join(texts) + chunk(b'tEXt', b'k\0v') * 100000))


def jpeg_of_scans(name, width, height, scans):
    """Three components, all gray: the same scans over and over."""
    # One code, '0', in both tables: no change in DC, and the end of the block.
    one_code = bytes([1]) + bytes(15) + b'\0'
    blocks = ((width + 7) // 8) * ((height + 7) // 8)
    data = bytes(blocks * 2 // 8) + (b'' if blocks * 2 % 8 == 0 else bytes([0xFF >> blocks * 2 % 8]))
    one = [segment(0xDA, bytes([1, component, 0, 0, 63, 0])) + data for component in (1, 2, 3)]
    head = (b'\xff\xd8' + segment(0xDB, b'\0' + b'\1' * 64) +
            segment(0xC0, struct.pack('>BHHB', 8, height, width, 3) + b''.join(bytes([c, 0x11, 0]) for c in (1, 2, 3))) +
            segment(0xC4, b'\0' + one_code) + segment(0xC4, b'\x10' + one_code))
    with open(name, 'wb') as file:
        file.write(head)
        for begin in range(0, scans, 3000):
            file.write(b''.join(one[i % 3] for i in range(begin, min(begin + 3000, scans))))
        file.write(b'\xff\xd9')
    return name


def segment(marker, content=b''):
    return bytes([0xFF, marker]) + struct.pack('>H', len(content) + 2) + content


def jpeg_of_segments(name, kept, beyond):
    """So many segments that are kept, then pairs of two kinds, of 14 bytes."""
    small = content_of(jpeg_of_scans(name, 8, 8, 3))
    pair = segment(0xFE) + segment(0xE1, b'Exif\0\0')
    return write(name, small[:2] + segment(0xED, b'Photoshop 3.0\0') * kept + pair * beyond + small[2:])


def png_with_xmp(name, properties):
    """Turned by its EXIF, so that each of the properties changes."""
    exif = b'MM\0*' + struct.pack('>IHHHIHHI', 8, 1, 0x0112, 3, 1, 6, 0, 0)
    xmp = zlib.compress(b'tiff:ImageWidth="99" ' * properties, 9)
    return write(name, gray_png(8, 4, 7, chunk(b'eXIf', exif) + chunk(b'iTXt', b'XML:com.adobe.xmp\0\1\0\0\0' + xmp)))


def png_with_profiles(name, count):
    """Each inflates to 100 MiB."""
    return write(name, gray_png(8, 4, 7, chunk(b'iCCP', b'n\0\0' + zeros_compressed(100 << 20)) * count))


def bmp_of_jumps(name, side):
    """Runs of 8 bits of which each jumps over 255 rows, and no end."""
    head = struct.pack('<IIIIiiHHIIiiII', 0, 0, 54 + 1024, 40, side, side, 1, 8, 1, 0, 1, 1, 0, 0)
    return write(name, b'BM' + head + bytes(1024) + b'\0\2\0\xff' * (side // 255))


def webp_of_chunks(name, count):
    chunks = b'WEBPVP8X' + struct.pack('<I', 10) + bytes(10) + (b'junk' + bytes(4)) * count
    return write(name, b'RIFF' + struct.pack('<I', len(chunks)) + chunks)


def gif_of_pixels(name, side):
    """Half of them transparent; codes of nine bits, a clear code before every 250 pixels."""
    head = b'GIF89a' + struct.pack('<HHBBB', side, side, 0xF7, 0, 0) + bytes(range(256)) * 3 + b'\x21\xf9\4\1\0\0\1\0'
    codes = ([256] + [0, 1] * 125) * 8  # whole bytes
    group = sum(code << 9 * i for i, code in enumerate(codes)).to_bytes(9 * 251, 'little')
    data = group * (side * side // 2000)
    blocks = b''.join(bytes([len(data[i:i + 255])]) + data[i:i + 255] for i in range(0, len(data), 255))
    return write(name, head + b'\x2c' + struct.pack('<HHHHB', 0, 0, side, side, 0) + b'\x08' + blocks + b'\0\x3b')


def gif_of_frames(name, frames):
    head = b'GIF89a' + struct.pack('<HHBBB', 1, 1, 0x80, 0, 0) + bytes([9, 9, 9, 200, 200, 200])
    frame = b'\x2c' + struct.pack('<HHHHB', 0, 0, 1, 1, 0) + b'\x02\x02\x44\x01\x00'  # clear, 0, end
    return write(name, head + frame * frames + b'\x3b')


def hole(name, head, size):
    """`head`, then zeros that take no room on the disk."""
    write(name, head)
    with open(name, 'r+b') as file:
        file.truncate(len(head) + size)
    return name


def tiff(width, height, rows_per_strip, compression=1):
    entries = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8), (259, 3, 1, compression), (262, 3, 1, 1), (273, 4, 1, 200),
               (277, 3, 1, 1), (278, 4, 1, rows_per_strip), (279, 4, 1, 50)]
    return b'II*\0' + struct.pack('<IH', 8, len(entries)) + b''.join(struct.pack('<HHII', *e) for e in entries) + bytes(200)


def tiff_of_tiles(width, height, tile_width, tile_length, tile):
    """Gray tiles of Deflate that all have the same bytes."""
    count = -(-width // tile_width) * -(-height // tile_length)
    at = 8 + 2 + 12 * 10 + 4
    lists = at + len(tile)
    entries = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8), (259, 3, 1, 8), (262, 3, 1, 1), (277, 3, 1, 1),
               (322, 4, 1, tile_width), (323, 4, 1, tile_length), (324, 4, count, lists if count > 1 else at),
               (325, 4, count, lists + 4 * count if count > 1 else len(tile))]
    return (b'II*\0' + struct.pack('<IH', 8, len(entries)) + b''.join(struct.pack('<HHII', *e) for e in entries) + bytes(4) + tile +
            struct.pack('<I', at) * count + struct.pack('<I', len(tile)) * count)


def absurd_headers():
    """-> name: bytes of files that claim far more pixels than they hold."""
    huge = 0x7FFFFFFF
    files = {}
    for magic in ('P1', 'P2', 'P3', 'P4', 'P5', 'P6'):
        maxval = '' if magic in ('P1', 'P4') else ' 255'
        for width, height in ((10 ** 9, 10 ** 9), (10 ** 30, 1), (8 * 10 ** 9, 1), (1, 8 * 10 ** 9), (2 ** 32 + 1, 2 ** 32 + 1),
                              (2 ** 63, 2), (90000, 90000)):
            files['%s-%dx%d.pnm' % (magic, width, height)] = ('%s %d %d%s\n123' % (magic, width, height, maxval)).encode()
    files['P5-wide.pnm'] = b'P5 4000000000 1 65535\n123'
    for width, height, depth in ((10 ** 9, 10 ** 9, 3), (2 * 10 ** 9, 1, 4), (10, 10, 10 ** 9), (10 ** 25, 1, 1)):
        files['P7-%dx%dx%d.pam' % (width, height, depth)] = (
            'P7\nWIDTH %d\nHEIGHT %d\nDEPTH %d\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n123' % (width, height, depth)).encode()
    for bits in (1, 8, 24, 32):
        for width, height in ((huge, huge), (huge, 1), (1, huge), (60000, 60000), (60000, -60000)):
            files['%d-%dx%d.bmp' % (bits, width, height)] = (
                b'BM' + struct.pack('<IIIIiiHHIIiiII', 100, 0, 54, 40, width, height, 1, bits, 0, 0, 1, 1, 0, 0) + bytes(64))
    for kind, bits in ((2, 24), (3, 8), (10, 32), (11, 8)):
        files['%d.tga' % kind] = struct.pack('<BBBHHBHHHHBB', 0, 0, kind, 0, 0, 0, 0, 0, 65535, 65535, bits, 0) + bytes(50)
    for channels, depth, compression in ((3, 8, 0), (3, 8, 1), (1, 16, 0), (56, 8, 1)):
        for side in (30000, 300000, 2 ** 31):
            files['%d-%d-%d-%d.psd' % (channels, depth, compression, side)] = (
                b'8BPS' + struct.pack('>H6xHIIHH', 1, channels, side, side, depth, 3) + bytes(12) + struct.pack('>H', compression) +
                bytes(50))
    for width, height, rows in ((huge, huge, huge), (60000, 60000, 60000), (60000, 60000, 1), (2 ** 32 - 1, 1, 1)):
        files['%dx%d-%d.tif' % (width, height, rows)] = tiff(width, height, rows)
        files['%dx%d-%d-lzw.tif' % (width, height, rows)] = tiff(width, height, rows, 5)
    for side in (16000, 60000, 2 ** 32 - 16):
        files['%d-tile.tif' % side] = tiff_of_tiles(side, side, side, side, bytes(50))
    for side in (1, 16383):
        size = 0x2F | (side - 1) << 8 | (side - 1) << 22
        lossless = b'VP8L' + struct.pack('<I', 60) + size.to_bytes(5, 'little') + bytes(55)
        files['lossless-%d.webp' % side] = b'RIFF' + struct.pack('<I', 4 + len(lossless)) + b'WEBP' + lossless
    canvas = b'VP8X' + struct.pack('<I', 10) + b'\x02\0\0\0' + b'\xff\xff\xff' * 2
    files['canvas.webp'] = b'RIFF' + struct.pack('<I', 4 + len(canvas)) + b'WEBP' + canvas
    for width, height in ((65535, 65535), (65535, 1)):
        files['%dx%d.gif' % (width, height)] = (b'GIF89a' + struct.pack('<HHBBB', width, height, 0x80, 0, 0) + bytes(6) + b'\x2c' +
                                                struct.pack('<HHHHB', 0, 0, width, height, 0) + b'\x02\x02\x44\x01\x00\x3b')
    for kind in (0xC0, 0xC2):
        files['%x.jpg' % kind] = (b'\xff\xd8\xff' + bytes([kind]) + struct.pack('>HBHHB', 17, 8, 65500, 65500, 3) +
                                  b'\1\x11\0\2\x11\0\3\x11\0' + b'\xff\xda' + bytes(20))
    for width, height, depth, color, interlaced in ((2 ** 31 - 1, 2 ** 31 - 1, 8, 6, 0), (2 ** 31 - 1, 1, 16, 6, 0), (1, 2 ** 31 - 1, 1, 0, 0),
                                                    (60000, 60000, 8, 2, 1), (90000, 90000, 1, 0, 1)):
        files['%dx%d-%d-%d-%d.png' % (width, height, depth, color, interlaced)] = (
            png_head(width, height, depth, color, interlaced) + chunk(b'IDAT', zlib.compress(bytes(100))) + chunk(b'IEND', b''))
    return files
