#!/usr/bin/env python3
"""Loads what normscope saved with transformers and compares logits: saved_checkpoints.py NORMSCOPE

Every text fixture, norms intact and changed in every way, both heads. What transformers cannot express must say so in config.json.
Needs torch and transformers; the part that needs neither is in tests/scripts/commands_test.py.
"""
import csv
import json
import pathlib
import shutil
import sys

import torch
import transformers

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "scripts"))
from recipes_test import tokenizer_json  # noqa: E402
from sandbox import ROOT, Sandbox  # noqa: E402

TOLERANCE = 1e-4
MODELS = ROOT / "tests/fixtures/models"


def text_fixtures():
    for folder in sorted(MODELS.iterdir()):
        if "ForSequenceClassification" in json.loads((folder / "config.json").read_text())["architectures"][0]:
            yield folder


def train(sandbox, fixture, out, settings):
    checkpoint = sandbox.folder / fixture.name
    if not checkpoint.exists():
        checkpoint.mkdir()
        for file in ("config.json", "model.safetensors"):
            shutil.copy(fixture / file, checkpoint / file)
        (checkpoint / "tokenizer.json").write_text(json.dumps(tokenizer_json()))
    (sandbox.folder / "recipe.toml").write_text(
        f'[model]\ncheckpoint = "{fixture.name}"\n[data]\ntrain = "train.csv"\ntest = "test.csv"\nmax_length = 16\n'
        '[training]\nepochs = 1\nlearning_rate = 1e-3\n')
    result = sandbox.run(f"normscope run recipe.toml --out {out} {settings} && "
                         f"normscope predict {out}/runs/seed28 --data test.csv --output {out}.csv")
    if result.returncode == 2 and "norm.intervention: " in result.stderr:
        return None, result.stderr.split("norm.intervention: ")[1].split("\n")[0]
    if result.returncode != 0:
        raise SystemExit(f"{fixture.name} {settings}: {result.stdout}{result.stderr}")
    return sandbox.folder / out / "runs/seed28/checkpoint", sandbox.folder / f"{out}.csv"


def reference_logits(checkpoint, texts):
    model = transformers.AutoModelForSequenceClassification.from_pretrained(checkpoint).eval()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(checkpoint / "tokenizer.json"))
    rows = []
    for text in texts:
        ids = torch.tensor([tokenizer(text, truncation=True, max_length=16)["input_ids"]])
        with torch.no_grad():
            rows.append(model(input_ids=ids, attention_mask=torch.ones_like(ids)).logits[0])
    return torch.stack(rows), model.config


def check(sandbox, fixture, number, settings):
    checkpoint, predictions = train(sandbox, fixture, f"{fixture.name}-{number}", settings)
    if checkpoint is None:
        return "refused: " + predictions
    own = json.loads((checkpoint / "config.json").read_text())["normscope"]
    if "transformers" in own:
        return "says that it cannot: " + own["transformers"]
    with open(predictions, newline="") as file:
        rows = list(csv.DictReader(file))
    found = torch.tensor([[float(v) for k, v in row.items() if k.startswith("logit_")] for row in rows])
    with open(sandbox.folder / "test.csv", newline="") as file:
        texts = [row["text"] for row in csv.DictReader(file)]
    expected, config = reference_logits(checkpoint, texts)
    assert [f"logit_{config.id2label[i]}" for i in range(config.num_labels)] == [k for k in rows[0] if k.startswith("logit_")]
    error = float((found - expected).abs().max() / expected.abs().max())
    if error > TOLERANCE:
        raise SystemExit(f"{fixture.name} {settings}: logits differ by {error:.2e}")
    return f"{error:.1e}"


def main():
    transformers.logging.set_verbosity_error()
    sandbox = Sandbox(sys.argv[1])
    variants = ["--set model.head=transformers", "--set model.head=paper",
                "--set model.start=random --set model.placement=pre_norm", "--set model.start=random --set model.placement=post_norm",
                *(f"--set norm.layers=all --set norm.intervention={name}"
                  for name in ("remove_affine", "remove_weight", "freeze", "reset", "to_identity")),
                *(f"--set norm.layers=blocks --set 'norm.roles=[\"feed_forward\"]' --set norm.intervention={name}"
                  for name in ("remove_bias", "fold", "to_rms_norm", "to_layer_norm", "to_tanh", "remove_linear_bias", "remove_output_bias")),
                "--set norm.layers=all --set norm.intervention=interpolate --set norm.alpha=0.5",
                "--set norm.layers=all --set norm.at_epoch=1 --set training.epochs=3 --set norm.restore_at_epoch=2"]
    for fixture in text_fixtures():
        for number, settings in enumerate(variants):
            print(f"{fixture.name:26} {settings:100} {check(sandbox, fixture, number, settings)}", flush=True)
    sandbox.close()


if __name__ == "__main__":
    main()
