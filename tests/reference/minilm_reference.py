"""Writes tests/fixtures/minilm: 20 texts and what transformers' encoder gives for them (float64, stored as float32).

  minilm_reference.py CHECKPOINT      needs torch, transformers, safetensors
"""
import json
import pathlib
import sys

import torch
from safetensors.torch import save_file
from transformers import AutoModel, AutoTokenizer

TEXTS = [
    "plays music from the terminal", "A small web server, written for tests.", "Mail filter with Bayesian learning",
    "draws vector graphics", "tool that counts words", "", "x", "The naïve café owner paid 12,50 € in São Paulo.",
    "solves linear equations with sparse matrices; needs BLAS", "turn-based strategy game with hexagons",
    "monitors disks, fans & temperatures", "日本語の文字", "don't stop me now!", "UPPER CASE and lower case", "a-b_c/d\\e",
    "converts audio between formats (FLAC, Ogg Vorbis, MP3)", "emoji 🙂 and symbols ©®™", "1 2 3 4 5 6 7 8 9 10",
    "a longer sentence that says little but takes more than a few tokens, so that attention has something to look at",
    "unbelievably-hyphenated-antidisestablishmentarianism",
]


def main(checkpoint):
    folder = pathlib.Path(__file__).parents[1] / "fixtures/minilm"
    tokenizer = AutoTokenizer.from_pretrained(checkpoint)
    model = AutoModel.from_pretrained(checkpoint).double().eval()
    first, mean = [], []
    with torch.no_grad():
        for text in TEXTS:
            batch = tokenizer(text, return_tensors="pt")
            hidden = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).last_hidden_state[0]
            first.append(hidden[0])
            mean.append(hidden.mean(0))
    save_file({"first": torch.stack(first).float(), "mean": torch.stack(mean).float()}, folder / "expected.safetensors")
    (folder / "texts.json").write_text(json.dumps(TEXTS, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
