#!/usr/bin/env python3
"""How transformers starts a fixture's architecture from nothing: random_start.py FOLDER writes FOLDER/random_start.json

For each parameter: mean, standard deviation and the number of rows that are all zero, over NUM_SEEDS models of the
folder's config. Needs torch and transformers.
"""
import json
import pathlib
import sys

import torch
import transformers

NUM_SEEDS = 25


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
        is_matrix = values.dim() == 3
        result[name] = {"mean": float(values.mean()), "deviation": float(values.std(correction=0)),
                        "zero_rows": int((values[0].abs().sum(-1) == 0).sum()) if is_matrix else 0}
    return result


def main():
    folder = pathlib.Path(sys.argv[1])
    transformers.logging.set_verbosity_error()
    lines = [f" {json.dumps(name)}: {json.dumps(values)}" for name, values in starts(folder).items()]
    (folder / "random_start.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
