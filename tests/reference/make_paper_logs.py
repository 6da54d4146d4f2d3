#!/usr/bin/env python3
"""Writes src/reports/paper_logs.txt: what the study's authors logged, as numbers.

    make_paper_logs.py runs.json gradients.json > src/reports/paper_logs.txt

The two files hold figures parsed from the authors' logs, one entry a log.
"""
import collections
import json
import sys

HEADER = """\
# What the authors of "Impact of Layer Norm on Memorization and Generalization in Transformers" (Singhal and Kim, NeurIPS
# 2025, arXiv 2511.10566) logged while they trained, as numbers parsed from their log files. tests/reference/
# make_paper_logs.py wrote this file.
# run: data set, checkpoint, removed norms, seed, noise draw (counted within the data set), noisy class, noisy rows, epochs;
#   "extra" where the log is none of those behind the paper's means. The four lines below it, one value an epoch from 1:
#   train and test accuracy in 0.01 %, noisy rows predicted as their given label, and as their true label.
# gradients: data set, checkpoint, norm, rows (memorization: noisy rows with given labels; learning: test rows); values by layer.
# deviation: data set, checkpoint, norm; standard deviation of the norm's mean input over test rows, by layer.
# epochs: data set, checkpoint, layer of the attention norm; gradient norm of test rows by epoch.
"""
SELECTIONS = {"ffn": "output"}


def short(name):
    return name.split("/")[-1].rstrip("+")  # nico++ is the preparation nico


def noise_draws(runs):
    """Numbers the noise lists of each data set, and finds which seed most of a list's logs name."""
    numbers, seeds = collections.defaultdict(dict), collections.defaultdict(collections.Counter)
    for run in runs:
        key = (tuple(run["noisy_labels"]), run["true_labels"][0])
        known = numbers[run["dataset"]]
        known.setdefault(key, len(known))
        if run["seed"] is not None:
            seeds[run["dataset"], key][run["seed"]] += 1
    return numbers, {key: count.most_common(1)[0][0] for key, count in seeds.items()}


def main():
    runs, gradients = (json.load(open(path)) for path in sys.argv[1:3])
    numbers, seed_of = noise_draws(runs)
    print(HEADER, end="")
    seen = set()
    order = ("none", "all", "early", "middle", "later", "attention", "ffn")
    for run in sorted(runs, key=lambda r: (r["dataset"], short(r["model"]), order.index(r["removed"]), r["epochs"] > 100,
                                           r["log"])):
        key = (tuple(run["noisy_labels"]), run["true_labels"][0])
        seed = run["seed"] if run["seed"] is not None else seed_of[run["dataset"], key]
        if "_seed_" in run["log"]:  # one log's settings name another seed than its file
            seed = int(run["log"].rsplit("_seed_", 1)[1].split(".")[0])
        rows, place = len(run["noisy_labels"]), (run["dataset"], run["model"], run["removed"], seed)
        extra = " extra" if place in seen or run["epochs"] > 100 else ""
        seen.add(place)
        print("run", short(run["dataset"]), short(run["model"]), SELECTIONS.get(run["removed"], run["removed"]), seed,
              numbers[run["dataset"]][key], key[1], rows, len(run["test_acc"]), sep=" ", end=extra + "\n")
        for name in ("train_acc", "test_acc"):
            print(*(round(100 * value) for value in run[name]))
        for name in ("memorization", "recovery"):
            print(*(round(value * rows / 100) for value in run[name]))
    for log in gradients:
        place, series = (short(log["dataset"]), short(log["model"])), log["series"]
        if "wrt_x" in log["log"]:
            for rows, pair in (("memorization", series[:2]), ("learning", series[2:4])):
                for norm in pair:
                    role = "attention" if norm["ln"] == "attention" else "feed_forward"
                    print("gradients", *place, role, rows, *(f"{value:.4g}" for value in norm["by_layer"]))
        elif "ln_inputs" in log["log"]:
            for norm in series[5::2]:  # the second block's deviations
                role = "attention" if norm["ln"] == "attention" else "feed_forward"
                print("deviation", *place, role, *(f"{value:.4g}" for value in norm["by_layer"]))
        elif "norms" in log["log"]:
            norms = [norm["by_layer"] for norm in series if norm["ln"] == "attention"]
            for layer in (0, len(norms[0]) // 2, len(norms[0]) - 1):
                print("epochs", *place, layer, *(f"{values[layer]:.4g}" for values in norms))


main()
