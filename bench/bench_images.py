"""Times bench_images against Pillow on one picture, one thread each, in alternating rounds; prints ratios of medians.

    python bench/bench_images.py build/release/bench/bench_images [PICTURE.jpg]

Without a picture it makes one, 500 x 375: smooth shapes and some noise, JPEG quality 90.
"""
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import PIL
from PIL import Image

ROUNDS = 7
SIZE = (224, 224)
FILTERS = {"bilinear": Image.Resampling.BILINEAR, "bicubic": Image.Resampling.BICUBIC}


def make_picture(path):
    y, x = numpy.mgrid[0:375, 0:500]
    waves = [numpy.sin(x / (17 + 9 * c)) * numpy.cos(y / (23 - 5 * c)) * 90 + 128 for c in range(3)]
    noise = numpy.random.default_rng(1).normal(0, 8, (375, 500, 3))
    pixels = numpy.clip(numpy.stack(waves, -1) + noise, 0, 255).astype(numpy.uint8)
    Image.fromarray(pixels).save(path, quality=90)


def pillow_ms(function, seconds=0.2):
    count, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        function()
        count += 1
    return 1e3 * (time.process_time() - start) / count


def pixel_values(data, kind):
    """What an image processor makes with NumPy: resized, rescaled, normalized, channels first."""
    image = numpy.asarray(Image.open(io.BytesIO(data)).convert("RGB").resize(SIZE, kind))
    scaled = image.astype(numpy.float32) * numpy.float32(1 / 255)
    return numpy.ascontiguousarray(((scaled - numpy.float32(0.5)) / numpy.float32(0.5)).transpose(2, 0, 1))


def pillow_round(data):
    image = Image.open(io.BytesIO(data)).convert("RGB")
    times = {}
    for name, kind in FILTERS.items():
        times[f"resize_only/{name}"] = pillow_ms(lambda: image.resize(SIZE, kind))
        times[f"decode_and_resize/{name}"] = pillow_ms(
            lambda: Image.open(io.BytesIO(data)).convert("RGB").resize(SIZE, kind))
        times[f"pixel_values/{name}"] = pillow_ms(lambda: pixel_values(data, kind))
    return times


def normscope_round(program, path):
    out = subprocess.run([program, "--benchmark_format=json", "--benchmark_min_time=0.2"], check=True,
                         capture_output=True, env={**os.environ, "NORMSCOPE_BENCH_PICTURE": path}).stdout
    return {b["name"]: b["cpu_time"] / 1e6 for b in json.loads(out)["benchmarks"]}  # ns


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        path = sys.argv[2] if len(sys.argv) > 2 else os.path.join(folder, "picture.jpg")
        if len(sys.argv) == 2:
            make_picture(path)
        with open(path, "rb") as file:
            data = file.read()
        rounds = [(normscope_round(program, path), pillow_round(data)) for _ in range(ROUNDS)]
    print(f"Pillow {PIL.__version__}, medians of {ROUNDS} alternating rounds, CPU ms")
    for name in rounds[0][0]:
        ours, theirs = (statistics.median(r[i][name] for r in rounds) for i in (0, 1))
        print(f"{name:28} normscope {ours:.3f}  Pillow {theirs:.3f}  ratio {ours / theirs:.2f}")


main()
