"""Writes tests/fixtures/images: pictures of kinds that encoders differ in, and what Pillow makes of them.

make_image_fixtures.py FOLDER (any Python with numpy, Pillow, safetensors). expected.safetensors holds NAME.decoded
and NAME.upright; resize_cases.json hashes of resized noise; broken/ what Pillow refuses.
"""
import io
import json
import pathlib
import struct
import sys
import zlib

import numpy
from PIL import Image, ImageOps
from safetensors.numpy import save_file

from image_noise import fnv, noise

FOLDER = pathlib.Path(sys.argv[1])
RANDOM = numpy.random.default_rng(28)


def picture(width, height):
    """Smooth colors with some noise, as [height, width, 3]."""
    y, x = numpy.mgrid[0:height, 0:width]
    waves = [127 + 100 * numpy.sin(x / 5 + c) * numpy.cos(y / 7 - c) for c in range(3)]
    return numpy.clip(numpy.stack(waves, -1) + RANDOM.normal(0, 8, (height, width, 3)), 0, 255).astype(numpy.uint8)


def png_chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def packed_rows(samples, depth):
    """samples [height, width, channels] to filtered rows of the depth."""
    rows = b""
    for row in samples.reshape(samples.shape[0], -1):
        if depth == 16:
            packed = row.astype(">u2").tobytes()
        else:
            bits = (row[:, None] >> numpy.arange(depth - 1, -1, -1)) & 1
            packed = numpy.packbits(bits.astype(numpy.uint8).reshape(-1)).tobytes()
        rows += b"\0" + packed
    return rows


def png(samples, depth, color, chunks=(), interlaced=False, late=()):
    height, width = samples.shape[:2]
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    parts = [samples[y::dy, x::dx] for x, y, dx, dy in passes] if interlaced else [samples]
    raw = b"".join(packed_rows(part, depth) for part in parts if part.size)
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, int(interlaced))
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + b"".join(png_chunk(*c) for c in chunks)
            + png_chunk(b"IDAT", zlib.compress(raw)) + b"".join(png_chunk(*c) for c in late) + png_chunk(b"IEND", b""))


def bmp(rows, width, height, bits, header_bytes=40, compression=0, masks=(), palette=b"", colors=0, top_down=False):
    if header_bytes == 12:
        header = struct.pack("<IHHHH", 12, width, height, 1, bits)
    else:
        header = struct.pack("<IiiHHIIiiII", header_bytes, width, -height if top_down else height, 1, bits, compression,
                             len(rows), 2835, 2835, colors, 0)
        if header_bytes > 40:
            header += struct.pack("<4I", *(masks or (0xFF0000, 0xFF00, 0xFF)), 0)
            header += b"\0" * (header_bytes - len(header))
        elif masks:
            header += struct.pack("<3I", *masks)
    start = 14 + len(header) + len(palette)
    return b"BM" + struct.pack("<IHHI", start + len(rows), 0, 0, start) + header + palette + rows


def bmp_rows(values, bits):
    """values [height, width] of whole pixels, the top row first in the array and last in the file."""
    out = b""
    for row in values[::-1]:
        if bits < 8:
            shifts = numpy.arange(bits - 1, -1, -1)
            packed = numpy.packbits(((row[:, None] >> shifts) & 1).astype(numpy.uint8).reshape(-1)).tobytes()
        else:
            packed = b"".join(int(v).to_bytes(bits // 8, "little") for v in row)
        out += packed + b"\0" * (-len(packed) % 4)
    return out


def saved(image, kind, **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def jpegs():
    rgb = Image.fromarray(picture(29, 21))
    yield "progressive.jpg", saved(rgb, "JPEG", progressive=True, quality=80)
    for name, subsampling in (("444", 0), ("422", 1), ("420", 2)):
        yield f"sampled_{name}.jpg", saved(rgb, "JPEG", subsampling=subsampling, quality=90)
    yield "restarts.jpg", saved(rgb, "JPEG", restart_marker_blocks=2)
    yield "gray_progressive.jpg", saved(rgb.convert("L"), "JPEG", progressive=True)
    cmyk = saved(Image.fromarray(RANDOM.integers(0, 255, (3, 4, 4), numpy.uint8).repeat(7, 0).repeat(8, 1), "CMYK"), "JPEG")
    yield "cmyk.jpg", cmyk
    at = cmyk.index(b"Adobe") + 11  # the transform: 0 is CMYK, 2 is YCCK
    yield "ycck.jpg", cmyk[:at] + b"\2" + cmyk[at + 1:]
    small = Image.fromarray(picture(11, 6))
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[274] = orientation
        yield f"orientation_{orientation}.jpg", saved(small, "JPEG", exif=exif)


def pngs():
    rgb = picture(13, 9).astype(int)
    gray, wide = rgb[..., :1], RANDOM.integers(0, 65536, (9, 13, 4))
    palette = RANDOM.integers(0, 256, (16, 3), numpy.uint8).tobytes()
    for depth in (1, 2, 4, 8):
        yield f"gray_{depth}.png", png(gray >> (8 - depth), depth, 0)
        yield f"gray_{depth}_interlaced.png", png(gray >> (8 - depth), depth, 0, interlaced=True)
        yield f"palette_{depth}.png", png(gray >> (8 - depth), depth, 3, [(b"PLTE", palette[:3 << min(depth, 4)])])
    yield "gray_16.png", png(numpy.concatenate([gray, gray * 3, gray * 257]), 16, 0)
    yield "gray_alpha_16.png", png(wide[..., :2], 16, 4)
    yield "rgb_16.png", png(wide[..., :3], 16, 2)
    yield "rgba_16_interlaced.png", png(wide, 16, 6, interlaced=True)
    yield "rgb_interlaced.png", png(rgb, 8, 2, interlaced=True)
    yield "palette_transparent.png", png(gray >> 4, 8, 3, [(b"PLTE", palette), (b"tRNS", b"\0\x80\xff")])
    yield "gray_transparent.png", png(gray, 8, 0, [(b"tRNS", b"\0\x80")])
    exif = b"MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0\6\0\0\0\0\0\0"
    yield "exif.png", png(rgb, 8, 2, [(b"eXIf", exif)])
    yield "exif_late.png", png(rgb, 8, 2, late=[(b"eXIf", exif)])
    yield "one_pixel.png", png(rgb[:1, :1], 8, 2)
    yield "wide.png", png(numpy.arange(50000).reshape(1, -1, 1) % 2, 1, 0)


def moved(gif, left, top, screen):
    """The same GIF with another screen and its picture elsewhere on it."""
    out = bytearray(gif)
    out[6:10] = struct.pack("<HH", *screen)
    at = 13 + (3 << ((gif[10] & 7) + 1) if gif[10] & 128 else 0)
    while out[at] == 0x21:
        at += 2
        while out[at]:
            at += out[at] + 1
        at += 1
    out[at + 1:at + 5] = struct.pack("<HH", left, top)
    return bytes(out)


def gifs():
    colors = Image.fromarray(picture(20, 18)).quantize(12)
    interlaced, plain = saved(colors, "GIF", interlace=1), saved(colors, "GIF", interlace=0)
    transparent = saved(colors, "GIF", interlace=0, transparency=3)
    yield "interlaced.gif", interlaced
    yield "on_screen.gif", moved(plain, 3, 2, (27, 23))
    yield "on_transparent_screen.gif", moved(transparent, 5, 1, (30, 20))
    yield "beyond_screen.gif", moved(plain, 4, 4, (10, 10))
    yield "gray.gif", saved(Image.fromarray(picture(9, 7)).convert("L"), "GIF")
    frames = [Image.fromarray(picture(16, 10)).quantize(8) for _ in range(3)]
    yield "animated.gif", saved(frames[0], "GIF", save_all=True, append_images=frames[1:])


def webps():
    rgb = Image.fromarray(picture(23, 17))
    rgba = Image.fromarray(numpy.concatenate([picture(23, 17), picture(23, 17)[..., :1]], -1))
    frames = [Image.fromarray(picture(16, 12)) for _ in range(3)]
    exif = Image.Exif()
    exif[274] = 8
    yield "lossy.webp", saved(rgb, "WEBP", quality=70)
    yield "lossy_alpha.webp", saved(rgba, "WEBP", quality=70)
    yield "lossless_alpha.webp", saved(rgba, "WEBP", lossless=True, exact=True)
    yield "animated.webp", saved(frames[0], "WEBP", save_all=True, append_images=frames[1:], lossless=True)
    yield "exif.webp", saved(rgb, "WEBP", lossless=True, exif=exif)


def bmps():
    rgb = picture(11, 6).astype(int)
    gray = rgb[..., 0]
    quads = RANDOM.integers(0, 256, (256, 4), numpy.uint8)
    for bits in (1, 4, 8):
        values, count = gray >> (8 - bits), 1 << bits
        yield f"palette_{bits}.bmp", bmp(bmp_rows(values, bits), 11, 6, bits, palette=quads[:count].tobytes())
        yield f"core_{bits}.bmp", bmp(bmp_rows(values, bits), 11, 6, bits, 12, palette=quads[:count, :3].tobytes())
    yield "few_colors.bmp", bmp(bmp_rows(gray % 7, 8), 11, 6, 8, palette=quads[:5].tobytes(), colors=5)
    whole = rgb[..., 0] << 16 | rgb[..., 1] << 8 | rgb[..., 2]
    yield "bits_24.bmp", bmp(bmp_rows(whole, 24), 11, 6, 24)
    yield "bits_24_top_down.bmp", bmp(bmp_rows(whole, 24), 11, 6, 24, top_down=True)
    yield "core_24.bmp", bmp(bmp_rows(whole, 24), 11, 6, 24, 12)
    yield "bits_32.bmp", bmp(bmp_rows(whole | 0x40 << 24, 32), 11, 6, 32)
    yield "fields_32.bmp", bmp(bmp_rows(whole << 8, 32), 11, 6, 32, 40, 3, (0xFF000000, 0xFF0000, 0xFF00))
    yield "v5_32.bmp", bmp(bmp_rows(whole, 32), 11, 6, 32, 124, 3, (0xFF0000, 0xFF00, 0xFF))
    yield "v4_24.bmp", bmp(bmp_rows(whole, 24), 11, 6, 24, 108)
    words = RANDOM.integers(0, 65536, (6, 11))
    yield "bits_16.bmp", bmp(bmp_rows(words, 16), 11, 6, 16)
    yield "fields_565.bmp", bmp(bmp_rows(words, 16), 11, 6, 16, 40, 3, (0xF800, 0x7E0, 0x1F))
    runs = b"\5\1\6\2\0\0" + b"\0\5\1\2\3\4\5\0\6\7\0\0" + b"\0\2\3\1\2\x09\6\7\0\0" + b"\x0b\3\0\0\x0b\4\0\0\x0b\5\0\1"
    yield "rle8.bmp", bmp(runs, 11, 6, 8, 40, 1, palette=quads[:16].tobytes(), colors=16)
    nibbles = b"\x0b\x12\0\0" + b"\0\5\x12\x34\x50\0\6\x67\0\0" + b"\x0b\x89\0\0\x0b\xab\0\0\x0b\xcd\0\0\x0b\xef\0\1"
    yield "rle4.bmp", bmp(nibbles, 11, 6, 4, 40, 2, palette=quads[:16].tobytes())


def broken():
    """Headers that promise more than anybody should allocate, and what has no pixels."""
    jpeg = bytearray(saved(Image.fromarray(picture(9, 9)), "JPEG"))
    at = jpeg.index(b"\xff\xc0") + 5
    jpeg[at:at + 4] = struct.pack(">HH", 65000, 65000)
    yield "bomb.jpg", bytes(jpeg)
    one = numpy.zeros((1, 1, 3), int)
    bomb = png(one, 8, 2)
    yield "bomb.png", bomb[:8] + png_chunk(b"IHDR", struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)) + bomb[33:]
    yield "bomb.gif", moved(saved(Image.new("P", (4, 4)), "GIF"), 0, 0, (65535, 65535))
    animated = bytearray(saved(Image.new("RGB", (4, 4)), "WEBP", save_all=True, append_images=[Image.new("RGB", (4, 4), 9)]))
    animated[24:30] = b"\xff\x7f\0\xff\x7f\0"
    yield "bomb.webp", bytes(animated)
    yield "bomb.bmp", bmp(b"\0" * 16, 1 << 20, 1 << 20, 24)
    yield "no_pixels.bmp", bmp(b"", 0, 4, 24)
    bad = bytearray(png(picture(9, 9).astype(int), 8, 2))
    bad[len(bad) - 30] ^= 255
    yield "checksum.png", bytes(bad)
    yield "text.png", b"<html>not a picture</html>"


def resize_cases():
    sizes = [[int(v) for v in RANDOM.integers(1, limit, 4)] for limit in (4, 20, 70) for _ in range(9)]
    sizes += [[224, 224, 32, 32], [32, 32, 224, 224], [200, 5, 3, 200], [64, 48, 64, 20], [48, 64, 20, 64], [1, 1, 33, 17]]
    for seed, (w, h, to_w, to_h) in enumerate(sizes):
        image = Image.fromarray(noise(w, h, seed))
        yield {"from": [w, h], "to": [to_w, to_h], "seed": seed,
               "fnv": [fnv(image.resize((to_w, to_h), filter).tobytes()) for filter in range(6)]}


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "broken").mkdir(exist_ok=True)
    expected = {}
    for kinds in (jpegs, pngs, gifs, webps, bmps):
        for name, content in kinds():
            (FOLDER / name).write_bytes(content)
            image = Image.open(io.BytesIO(content))
            if name != "wide.png":
                expected[f"{name}.decoded"] = numpy.array(image.convert("RGB"))
                if image.getexif():
                    expected[f"{name}.upright"] = numpy.array(ImageOps.exif_transpose(image).convert("RGB"))
    save_file({name: numpy.ascontiguousarray(value) for name, value in expected.items()}, FOLDER / "expected.safetensors")
    for name, content in broken():
        (FOLDER / "broken" / name).write_bytes(content)
        try:
            Image.open(io.BytesIO(content)).convert("RGB")
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
            continue
        sys.exit(f"{name}: Pillow reads it")
    lines = ",\n".join(json.dumps(case) for case in resize_cases())
    (FOLDER / "resize_cases.json").write_text(f"[\n{lines}\n]\n")


main()
