"""Writes tests/fixtures/audit/detection.json: scikit-learn's AUROC and average precision of a few rankings, and the
precision among the n most suspicious rows averaged over random orders of equal ones."""
import json
import sys

import numpy
from sklearn.metrics import average_precision_score, roc_auc_score


def case(random, rows, levels, share):
    is_wrong = random.random(rows) < share
    suspicion = random.normal(size=rows) + 1.5 * is_wrong
    if levels:
        suspicion = numpy.floor(suspicion * levels) / levels  # ties
    n = int(is_wrong.sum())
    hits = [is_wrong[numpy.lexsort((random.random(rows), -suspicion))[:n]].mean() for _ in range(4000 if levels else 1)]
    return {"suspicion": suspicion.tolist(), "is_wrong": is_wrong.tolist(), "auroc": roc_auc_score(is_wrong, suspicion),
            "average_precision": average_precision_score(is_wrong, suspicion), "precision": 100 * float(numpy.mean(hits)),
            "orders": len(hits)}


random = numpy.random.default_rng(3)
json.dump([case(random, *sizes) for sizes in ((40, 0, 0.3), (120, 0, 0.1), (60, 1, 0.3), (80, 2, 0.5), (30, 0.2, 0.2))],
          sys.stdout)
