"""Writes tests/fixtures/audit/edge_cases.json: what cleanlab 2.9 (Python with cleanlab) says of labels at the edges."""
import json
import sys
import warnings

import cleanlab
import numpy
from cleanlab import count, filter, rank

FILTERS = ("prune_by_noise_rate", "prune_by_class", "both", "confident_learning", "predicted_neq_given",
           "low_normalized_margin", "low_self_confidence")
SCORES = ("self_confidence", "normalized_margin", "confidence_weighted_entropy")


def drawn(random, rows, classes, wrong, sharpness):
    """Labels of which a share is wrong, and probabilities that lean to the true ones; no two rows are equal."""
    true = random.integers(0, classes, rows)
    labels = numpy.where(random.random(rows) < wrong, random.integers(0, classes, rows), true)
    logits = random.normal(size=(rows, classes)) + sharpness * numpy.eye(classes)[true]
    probabilities = numpy.exp(logits) / numpy.exp(logits).sum(1, keepdims=True)
    return labels, probabilities


def edges():
    random = numpy.random.default_rng(7)
    labels, p = drawn(random, 40, 4, 0.3, 2.0)
    labels[labels == 2] = 1  # a class without rows
    yield labels, p
    labels, p = drawn(random, 40, 3, 0.2, 2.0)
    labels[labels == 2] = 0
    labels[5] = 2  # a class of one row
    yield labels, p
    labels, p = drawn(random, 48, 3, 0.0, 2.5)
    labels[labels == 1] = 0
    labels[:9] = 1  # a class whose rows are mostly of others
    yield labels, p
    labels, p = drawn(random, 30, 5, 0.9, 0.1)  # a classifier that knows nothing
    yield labels, p
    labels, p = drawn(random, 24, 3, 0.3, 3.0)
    p = numpy.where(p == p.max(1, keepdims=True), 1.0, 0.0)  # certain of everything
    p = numpy.clip(p + numpy.linspace(0, 1e-9, 24)[:, None] * (1 - 2 * p), 0, 1)
    p /= p.sum(1, keepdims=True)
    yield labels, p
    labels, p = drawn(random, 40, 2, 0.3, 1.0)
    p[3] = [0.5 - 2e-7, 0.5 + 2e-7]  # within the tolerance of a tie
    p[4] = [0.5 + 2e-7, 0.5 - 2e-7]
    yield labels, p
    for classes in (6, 9, 12):  # small counts: many equal remainders when the joint is rounded
        yield drawn(random, 12 * classes, classes, 0.6, 1.0)


def case(labels, p):
    confident = count.compute_confident_joint(labels, p, calibrate=False)
    joint = count.compute_confident_joint(labels, p)
    prior, noise, inverse = count.estimate_latent(joint, labels)
    return {
        "labels": labels.tolist(), "pred_probs": p.tolist(),
        "filters": {name: numpy.flatnonzero(filter.find_label_issues(labels, p, filter_by=name, n_jobs=1)).tolist()
                    for name in FILTERS},
        "scores": {name: rank.get_label_quality_scores(labels, p, method=name).tolist() for name in SCORES},
        "confident_joint": joint.tolist(), "confident_joint_uncalibrated": confident.tolist(),
        "confident_thresholds": numpy.asarray(count.get_confident_thresholds(labels, p)).tolist(),
        "latent": {"prior": prior.tolist(), "noise_matrix": noise.tolist(), "inverse_noise_matrix": inverse.tolist()},
        "ranked_by_self_confidence": filter.find_label_issues(
            labels, p, filter_by="prune_by_noise_rate", return_indices_ranked_by="self_confidence", n_jobs=1).tolist(),
    }


warnings.simplefilter("ignore")
json.dump({"cleanlab": cleanlab.__version__, "cases": [case(*edge) for edge in edges()]}, sys.stdout)
