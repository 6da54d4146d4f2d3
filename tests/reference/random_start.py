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
from safetensors import safe_open

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from make_model_fixture import auto_class, published_names  # noqa: E402

NUM_SEEDS = 25


def names_in(folder, model):
    """Parameter name in memory -> in the fixture, which has the base prefix where saving a new model may lose it."""
    with safe_open(folder / "model.safetensors", "pt") as file:
        known = set(file.keys())
    base = model.base_model_prefix + "."
    return {name: saved if saved in known else base + saved for name, saved in published_names(model).items()}


def starts(folder):
    config = transformers.AutoConfig.from_pretrained(folder)
    drawn, names = {}, None
    for seed in range(NUM_SEEDS):
        torch.manual_seed(seed)
        model = auto_class(config).from_config(config)
        names = names or names_in(folder, model)
        for name, parameter in model.named_parameters():
            drawn.setdefault(names[name], []).append(parameter.detach().double())
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
