"""Times training steps of normscope and of transformers side by side, in alternating rounds; prints a Markdown row.

    python bench/peers.py build/release/normscope CHECKPOINT DATA.csv [--rounds 3] [--steps 20] [--original 2]

Both train on the same rows: successive batches in the file's order. transformers is tuned: rows padded to the longest of
their batch, fused AdamW, one process with the same number of threads. --original N: also N steps as the study configures it,
every row padded to 512 tokens. CHECKPOINT needs a tokenizer that transformers reads; random weights will do
(bench/peers.py --random bert-base FOLDER writes such a checkpoint with the tokenizer found in FOLDER).
"""
import argparse
import csv
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

WARM_UP = 3  # steps, as normscope bench
SHAPES = {  # model_type and what differs from its config's defaults
    "bert-base": ("bert", {}),
    "distilbert": ("distilbert", {}),
    "gpt2-medium": ("gpt2", {"n_embd": 1024, "n_layer": 24, "n_head": 16}),
    "deberta-base": ("deberta", {"relative_attention": True, "pos_att_type": ["c2p", "p2c"], "max_relative_positions": -1,
                                 "position_biased_input": False, "type_vocab_size": 0}),
    "qwen2-0.5b": ("qwen2", {"hidden_size": 896, "num_hidden_layers": 24, "num_attention_heads": 14,
                             "num_key_value_heads": 2, "intermediate_size": 4864, "tie_word_embeddings": True}),
}


def write_random(shape, folder):
    from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer
    model_type, changes = SHAPES[shape]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    config = AutoConfig.for_model(model_type, vocab_size=len(tokenizer), pad_token_id=tokenizer.pad_token_id or 0, **changes)
    AutoModelForSequenceClassification.from_config(config).save_pretrained(folder)


def read_rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    classes = sorted({row["label"] for row in rows})
    return [row["text"] for row in rows], [classes.index(row["label"]) for row in rows], len(classes)


def train_peer(options):
    """One round of transformers in this process; prints its JSON."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer
    torch.set_num_threads(options.threads)
    texts, labels, num_classes = read_rows(options.data)
    tokenizer = AutoTokenizer.from_pretrained(options.checkpoint)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    model = AutoModelForSequenceClassification.from_pretrained(options.checkpoint, num_labels=num_classes,
                                                               ignore_mismatched_sizes=True)
    model.config.pad_token_id = tokenizer.pad_token_id
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5, weight_decay=0, fused=True)
    seconds = []
    for step in range(WARM_UP + options.steps):
        rows = [(step * options.batch_size + i) % len(texts) for i in range(options.batch_size)]
        start = time.perf_counter()
        batch = tokenizer([texts[i] for i in rows], padding="max_length" if options.padded else "longest", truncation=True,
                          max_length=512, return_tensors="pt")
        optimizer.zero_grad(set_to_none=True)
        model(**batch, labels=torch.tensor([labels[i] for i in rows])).loss.backward()
        optimizer.step()
        seconds.append(time.perf_counter() - start)
    print(json.dumps({"seconds_per_step": statistics.median(seconds[WARM_UP:]),
                      "peak_memory_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))


def run_peer(options, steps, padded):
    command = [sys.executable, __file__, "--peer", options.checkpoint, options.data, "--steps", str(steps),
               "--batch-size", str(options.batch_size), "--threads", str(options.threads)] + ["--padded"] * padded
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


def run_normscope(options):
    command = [options.normscope, "bench", options.checkpoint, "--data", options.data, "--batch-size",
               str(options.batch_size), "--steps", str(options.steps), "--json"]
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout)


def compare(options):
    ours, tuned = [], []
    for _ in range(options.rounds):
        ours.append(run_normscope(options))
        tuned.append(run_peer(options, options.steps, False))
    original = [run_peer(options, options.original, True)] if options.original else []

    def median(results, key="seconds_per_step"):
        return statistics.median(result[key] for result in results)

    cells = [pathlib.Path(options.checkpoint).name, f"{median(ours):.3f}", f"{median(tuned):.3f}",
             f"{median(ours) / median(tuned):.2f}", f"{median(ours) / median(ours, 'limit_seconds_per_step'):.2f}",
             f"{median(original):.1f}" if original else "", f"{median(original) / median(ours):.0f}" if original else "",
             f"{median(ours, 'peak_memory_bytes') / 1e9:.2f}", f"{median(tuned, 'peak_memory_bytes') / 1e9:.2f}"]
    header = ["checkpoint", "normscope, s a step", "transformers tuned", "ratio", "ratio to the limit",
              "as the study configures it", "times slower", "peak memory, GB", "tuned, GB"]
    print("| " + " | ".join(header) + " |\n|---" + "|---:" * (len(header) - 1) + "|\n| " + " | ".join(cells) + " |")


def main():
    if "--random" in sys.argv:
        return write_random(*sys.argv[2:4])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--padded", action="store_true", help=argparse.SUPPRESS)
    if "--peer" not in sys.argv:
        parser.add_argument("normscope")
    parser.add_argument("checkpoint")
    parser.add_argument("data", help="CSV with columns text and label")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--original", type=int, default=0, metavar="STEPS")
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    options = parser.parse_args()
    train_peer(options) if options.peer else compare(options)


if __name__ == "__main__":
    main()
