"""Writes tests/fixtures/data/cifar_pickles/: tiny batches with the operations of CIFAR's published Python files.

Those are Python 2's protocol 2, in which texts are bytes (SHORT_BINSTRING, BINSTRING) and modules have NumPy 1's
names; Python 3 writes neither, so the operations are put together here and read back by Python's own pickle.
"""
import pathlib
import pickle
import struct

import numpy as np

folder = pathlib.Path(__file__).parent.parent / "fixtures/data/cifar_pickles"
corpus = pathlib.Path(__file__).parent.parent.parent / "fuzz/corpus/cifar_pickle"


def text(value):
    value = value if isinstance(value, bytes) else value.encode()
    return b"U" + bytes([len(value)]) + value if len(value) < 256 else b"T" + struct.pack("<I", len(value)) + value


def number(value):
    return b"K" + bytes([value]) if value < 256 else b"M" + struct.pack("<H", value)


def listed(items):
    return b"]q\x05(" + b"".join(items) + b"e"


def array(pixels):
    dtype = b"cnumpy\ndtype\nq\x0a" + text("u1") + b"K\x00K\x01\x87Rq\x0b"
    dtype += b"(K\x03" + text("|") + b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"
    empty = b"cnumpy.core.multiarray\n_reconstruct\nq\x08cnumpy\nndarray\nq\x09K\x00\x85" + text("b") + b"\x87R"
    shape = number(pixels.shape[0]) + number(pixels.shape[1]) + b"\x86"
    return empty + b"(K\x01" + shape + dtype + b"\x89" + text(pixels.tobytes()) + b"tb"


def dict_of(pairs):
    return b"\x80\x02}q\x01(" + b"".join(text(key) + value for key, value in pairs) + b"u."


def batch(labels, key, seed):
    pixels = np.random.RandomState(seed).randint(0, 256, (len(labels), 3072)).astype(np.uint8)
    pairs = [("batch_label", text("a batch")), (key, listed([number(label) for label in labels]))]
    if key == "fine_labels":
        pairs.append(("coarse_labels", listed([number(label // 5) for label in labels])))
    pairs += [("data", array(pixels)), ("filenames", listed([text(f"{i}.png") for i in range(len(labels))]))]
    written = dict_of(pairs)
    read = pickle.loads(written, encoding="bytes")
    assert (read[b"data"] == pixels).all() and read[key.encode()] == labels
    return written


def write(name, content):
    for place in (folder, corpus):
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


ten = ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"]
write("ten", batch([6, 9], "labels", 1))
names = listed([text(name) for name in ten])
write("ten_names", dict_of([("num_cases_per_batch", number(10000)), ("label_names", names), ("num_vis", number(3072))]))
write("hundred", batch([19, 99, 0], "fine_labels", 2))
write("eval", b"\x80\x02c__builtin__\neval\nU\x03foo\x85R.")
(corpus / "nested").write_bytes(b"\x80\x02" + b"]" * 500 + b"a" * 499 + b".")
