#!/usr/bin/env python3
"""Makes tests/fixtures/checkpoints/tiny_bert: a complete checkpoint, tokenizer included, that trains in moments.

Needs torch, transformers and tokenizers.
"""
import pathlib
import string
import sys

import torch
import transformers
from tokenizers import BertWordPieceTokenizer

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]",
              *string.ascii_lowercase, *string.digits, *string.punctuation,
              *(f"##{letter}" for letter in string.ascii_lowercase), *(f"##{digit}" for digit in string.digits)]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = BertWordPieceTokenizer(vocab={token: number for number, token in enumerate(VOCABULARY)})
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    torch.manual_seed(28)
    config = transformers.BertConfig(
        vocab_size=len(VOCABULARY), hidden_size=16, num_hidden_layers=3, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64)
    transformers.BertModel(config).save_pretrained(folder)


if __name__ == "__main__":
    main()
