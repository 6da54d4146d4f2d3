"""Writes tests/fixtures/data/image_splits.json: the study's splits of pictures by NumPy and scikit-learn.

The labels are a rule of the row number that the test repeats; of long lists the fixture holds the SHA-256 of their
decimal numbers joined by commas.
"""
import hashlib
import json
import pathlib

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit, train_test_split


def digest(rows):
    return hashlib.sha256(",".join(str(int(row)) for row in rows).encode()).hexdigest()


def cifar(seed, labels, taken):
    np.random.seed(seed)
    selected = []
    for c in range(labels.max() + 1):
        rows = np.flatnonzero(labels == c)
        selected += [(c, int(rows[i])) for i in np.random.choice(len(rows), taken, replace=False)]
    np.random.shuffle(selected)
    classes = [c for c, _ in selected]
    train, validation = train_test_split(np.arange(len(selected)), test_size=0.2, stratify=classes, random_state=seed)
    return [[selected[i][1] for i in part] for part in (train, validation)]


def utkface(seed, labels):
    rows = np.arange(len(labels))
    rest, test = next(StratifiedShuffleSplit(n_splits=1, test_size=0.2, random_state=seed).split(rows, labels))
    train, validation = train_test_split(rest, test_size=0.2, stratify=labels[rest], random_state=seed)
    return [train, validation, test]


def nico(seed, labels):
    train, rest = train_test_split(np.arange(len(labels)), train_size=0.8, stratify=labels, random_state=seed)
    validation, test = train_test_split(rest, test_size=0.5, stratify=labels[rest], random_state=seed)
    return [train, validation, test]


def entry(name, seed, parts):
    return {"prepare": name, "seed": seed, "sizes": [len(part) for part in parts],
            "first": [[int(row) for row in part[:8]] for part in parts], "sha256": [digest(part) for part in parts]}


def mixed(count, num_classes):  # each class about as often
    row = np.arange(count)
    return (row + row // 37) % num_classes


def uneven(count, num_classes):
    row = np.arange(count)
    return (row * row + row // 3) % num_classes


entries = []
for seed in (28, 64, 89):
    entries.append(entry("cifar10", seed, cifar(seed, mixed(25000, 10), 2000)))
    entries.append(entry("cifar100", seed, cifar(seed, mixed(55000, 100), 500)))
    entries.append(entry("utkface", seed, utkface(seed, uneven(503, 5))))
    entries.append(entry("nico", seed, nico(seed, uneven(997, 15))))

path = pathlib.Path(__file__).parent.parent / "fixtures/data/image_splits.json"
path.write_text(json.dumps(entries, separators=(",", ":")) + "\n")
