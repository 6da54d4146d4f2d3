"""Reads TensorBoard's event files by their published layout: records with checksums, protocol buffers inside."""
import struct


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data):
    while data:
        length, length_crc = struct.unpack("<QI", data[:12])
        assert masked(data[:8]) == length_crc, "checksum of a length"
        record, crc = data[12:12 + length], struct.unpack("<I", data[12 + length:16 + length])[0]
        assert masked(record) == crc, "checksum of a record"
        yield record
        data = data[16 + length:]


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(message):
    """Yields (number, value) in order: integers, floats, bytes."""
    at = 0
    while at < len(message):
        key, at = varint(message, at)
        if key & 7 == 0:
            value, at = varint(message, at)
        else:
            size, at = {1: (8, at), 5: (4, at)}.get(key & 7) or varint(message, at)
            value = message[at:at + size]
            at += size
            if key & 7 in (1, 5):
                value = struct.unpack("<d" if key & 7 == 1 else "<f", value)[0]
        yield key >> 3, value


def scalars(data):
    """{tag: [(step, value), ..]} of an event file, and its version."""
    found, version = {}, None
    for record in records(data):
        event = dict(fields(record))
        version = event.get(3, version)
        for _, value in fields(event.get(5, b"")):
            tag, number = dict(fields(value)).values()
            found.setdefault(tag.decode(), []).append((event.get(2, 0), number))
    return found, version
