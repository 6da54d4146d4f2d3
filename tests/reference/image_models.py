#!/usr/bin/env python3
"""What transformers gives for image fixtures under other settings; writes tests/fixtures/models/<name>/variants.json.

Each variant: changes to the config, the size of the pictures, whether positions are interpolated, logits in float64.
The pictures are sines, so that nothing need be stored: value i of a picture number b is sin(0.37 i + b).
Tensors that a changed config does not have room for are left out; variants keep the shapes of all the others.
"""
import json
import pathlib
import sys

import torch
import transformers

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from keep_float64 import KeepFloat64  # noqa: E402

MODELS = pathlib.Path(__file__).parents[1] / "fixtures/models"
VARIANTS = {
    "vit": [({"qkv_bias": False}, (32, 32)), ({"hidden_act": "relu"}, (32, 32)),
            ({"hidden_act": "gelu_pytorch_tanh"}, (32, 32)), ({"hidden_act": "quick_gelu"}, (32, 32)),
            ({}, (48, 40)), ({}, (21, 64))],
    "deit": [({"qkv_bias": False}, (32, 32)), ({}, (40, 24))],
    "vit_msn": [({"qkv_bias": False, "hidden_act": "silu"}, (32, 32)), ({}, (48, 48))],
}


def pictures(height, width):
    values = torch.arange(3 * height * width, dtype=torch.float64)
    return torch.stack([torch.sin(0.37 * values + b).reshape(3, height, width) for b in range(2)])


def main():
    transformers.logging.set_verbosity_error()
    for name, variants in VARIANTS.items():
        rows = []
        for changes, (height, width) in variants:
            config = transformers.AutoConfig.from_pretrained(MODELS / name)
            for key, value in changes.items():
                setattr(config, key, value)
            model = transformers.AutoModelForImageClassification.from_pretrained(
                MODELS / name, config=config, dtype=torch.float64, attn_implementation="eager").eval()
            interpolates = (height, width) != (config.image_size, config.image_size)
            with torch.no_grad(), KeepFloat64():
                logits = model(pixel_values=pictures(height, width), interpolate_pos_encoding=interpolates).logits
            rows.append({"config": changes, "size": [height, width], "interpolates": interpolates,
                         "logits": logits.tolist()})
        text = ",\n".join(" " + json.dumps(row) for row in rows)
        (MODELS / name / "variants.json").write_text("[\n" + text + "\n]\n")


if __name__ == "__main__":
    main()
