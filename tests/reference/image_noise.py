"""Pictures that tests make for themselves, and the hash that they compare (FNV-1a of 64 bits)."""
import numpy


def noise(width, height, seed):
    index = numpy.arange(3 * width * height, dtype=numpy.uint64) + numpy.uint64(seed)
    return ((index * numpy.uint64(2654435761) & numpy.uint64(0xFFFFFFFF)) >> numpy.uint64(24)).astype(numpy.uint8).reshape(
        height, width, 3)


def fnv(content):
    value = 0xCBF29CE484222325
    for byte in content:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"
