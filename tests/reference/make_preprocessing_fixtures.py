#!/usr/bin/env python3
"""Writes tests/fixtures/images/preprocessing_cases.json: pixel values of transformers' PIL image processors.

Any Python with numpy, Pillow, torch, transformers. The pictures are resize_cases.json's noise; a case holds the
config, the sizes and the FNV-1a of the float32 [3, height, width].
"""
import json
import pathlib
import tempfile

import numpy
from PIL import Image
from transformers import AutoImageProcessor

from image_noise import fnv, noise

CONFIGS = [
    {"image_processor_type": "ViTImageProcessor"},
    {"feature_extractor_type": "ViTFeatureExtractor", "image_mean": [0.5] * 3, "image_std": [0.5] * 3, "size": 24},
    {"feature_extractor_type": "DeiTFeatureExtractor", "do_center_crop": True, "crop_size": 28, "size": 32, "resample": 3,
     "image_mean": [0.485, 0.456, 0.406], "image_std": [0.229, 0.224, 0.225]},
    {"image_processor_type": "DeiTImageProcessor"},
    {"image_processor_type": "ViTImageProcessorFast", "size": {"height": 30, "width": 47}, "do_normalize": False},
    {"image_processor_type": "ViTImageProcessor", "size": {"shortest_edge": 33}, "do_center_crop": True,
     "crop_size": {"height": 40, "width": 25}},
    {"image_processor_type": "ViTImageProcessor", "size": {"shortest_edge": 33, "longest_edge": 41}},
    {"image_processor_type": "CLIPImageProcessor", "size": 50, "crop_size": 64},
    {"image_processor_type": "ViTImageProcessor", "do_resize": False, "do_center_crop": True, "crop_size": 51,
     "rescale_factor": 0.0078431, "image_mean": 0.4, "image_std": [0.1, 0.2, 0.3]},
]


def main():
    rows = []
    for config in CONFIGS:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "preprocessor_config.json").write_text(json.dumps(config))
            processor = AutoImageProcessor.from_pretrained(folder, backend="pil")
        for seed, (width, height) in enumerate([(64, 48), (37, 90), (33, 40)]):
            values = processor(Image.fromarray(noise(width, height, seed)), return_tensors="np")["pixel_values"][0]
            values = numpy.ascontiguousarray(values, dtype=numpy.float32)
            rows.append({"config": config, "from": [width, height], "seed": seed, "size": list(values.shape[1:]),
                         "fnv": fnv(values.tobytes())})
    text = ",\n".join(" " + json.dumps(row) for row in rows)
    path = pathlib.Path(__file__).parents[1] / "fixtures/images/preprocessing_cases.json"
    path.write_text("[\n" + text + "\n]\n")


if __name__ == "__main__":
    main()
