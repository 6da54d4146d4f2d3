#!/usr/bin/env python3
"""How transformers starts every text architecture from nothing: random_starts.py > tests/fixtures/random_starts.json

For each fixture's config and each parameter: mean, standard deviation and the number of rows that are all zero, over
NUM_SEEDS models. Needs torch and transformers.
"""
import json
import pathlib

import torch
import transformers

NUM_SEEDS = 25
MODELS = pathlib.Path(__file__).parents[1] / "fixtures/models"


def starts(folder):
    config = transformers.AutoConfig.from_pretrained(folder)
    drawn = {}
    for seed in range(NUM_SEEDS):
        torch.manual_seed(seed)
        model = transformers.AutoModelForSequenceClassification.from_config(config)
        for name, parameter in model.named_parameters():
            drawn.setdefault(name, []).append(parameter.detach().double())
    result = {}
    for name, values in drawn.items():
        values = torch.stack(values)
        rows = values.flatten(2) if values.dim() > 2 else values.unsqueeze(-1)
        zero_rows = int((rows[0].abs().sum(-1) == 0).sum()) if values.dim() > 2 else 0
        result[name] = {"mean": float(values.mean()), "deviation": float(values.pow(2).mean().sub(values.mean() ** 2).clamp(min=0).sqrt()),
                        "zero_rows": zero_rows}
    return result


def main():
    transformers.logging.set_verbosity_error()
    everything = {}
    for folder in sorted(MODELS.iterdir()):
        if not (folder / "config.json").exists() or "image_size" in json.loads((folder / "config.json").read_text()):
            continue
        everything[folder.name] = starts(folder)
    print(json.dumps(everything, indent=1))


if __name__ == "__main__":
    main()
