"""Writes tests/fixtures/checkpoints/*.bin with torch's own writer (torch 2.15.0).

Usage: python write_torch_files.py FOLDER
"""
import collections
import io
import pathlib
import sys
import zipfile

import torch


class Command:
    """A pickle that asks for a call, as a hostile file would."""

    def __reduce__(self):
        return (eval, ("1 + 1",))


def state_dict():
    base = torch.arange(24, dtype=torch.float32)
    tensors = collections.OrderedDict()
    tensors["module.f32.weight"] = base[:6].reshape(2, 3).clone()
    tensors["norm.gamma"] = torch.nn.Parameter(torch.tensor([1.5, -2.0]))
    tensors["norm.beta"] = torch.tensor([0.25, 0.5])
    tensors["transposed"] = base.reshape(4, 6).t()  # strides (1, 6)
    tensors["window"] = base.reshape(4, 6)[1:3, 2:4]  # strides (6, 1), offset 8
    tensors["slice"] = base[5:9]  # contiguous, offset 5
    tensors["f64"] = torch.tensor([1.0 / 3], dtype=torch.float64)
    tensors["f16"] = torch.tensor([0.1], dtype=torch.float16)
    tensors["bf16"] = torch.tensor([0.1], dtype=torch.bfloat16)
    tensors["i64"] = torch.tensor(-3)
    tensors["i32"] = torch.tensor([7], dtype=torch.int32)
    tensors["i16"] = torch.tensor([7], dtype=torch.int16)
    tensors["i8"] = torch.tensor([-1], dtype=torch.int8)
    tensors["u8"] = torch.tensor([255], dtype=torch.uint8)
    tensors["bool"] = torch.tensor([True, False])
    tensors["empty"] = torch.zeros(0, 3)
    tensors["embeddings.position_ids"] = torch.arange(5).expand(1, -1)
    tensors._metadata = collections.OrderedDict({"": {"version": 1}})
    return tensors


def rezip(source, method, change=lambda name, content: content):
    archive = zipfile.ZipFile(io.BytesIO(source))
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as out:
        for member in archive.infolist():
            out.writestr(zipfile.ZipInfo(member.filename), change(member.filename, archive.read(member)), method)
    return target.getvalue()


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    torch.save(state_dict(), folder / "state_dict.bin")
    saved = (folder / "state_dict.bin").read_bytes()
    torch.save({"epoch": 3, "state_dict": {"w": torch.ones(2)}}, folder / "training_state.bin")
    torch.save(state_dict(), folder / "before_1_6.bin", _use_new_zipfile_serialization=False)
    torch.save({"w": torch.ones(2), "x": Command()}, folder / "command.bin")
    torch.save({"w": torch.ones(2), "lr": 0.1}, folder / "not_a_tensor.bin")
    torch.save({"w": torch.zeros(1).expand(1000)}, folder / "expanded.bin")
    (folder / "compressed.bin").write_bytes(rezip(saved, zipfile.ZIP_DEFLATED))
    (folder / "short_storage.bin").write_bytes(
        rezip(saved, zipfile.ZIP_STORED, lambda name, content: content[:4] if name.endswith("data/0") else content))
    big_endian = lambda name, content: b"big" if name.endswith("byteorder") else content
    (folder / "big_endian.bin").write_bytes(rezip(saved, zipfile.ZIP_STORED, big_endian))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
