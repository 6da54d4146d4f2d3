"""Writes tests/fixtures/claims.json: the study's claims decided with SciPy and statsmodels, apart from the program.

    claims_reference.py > tests/fixtures/claims.json      (any Python with numpy, scipy and statsmodels)

The rules are claims.md's; one value a seed, for C4 and C4b one list a norm.
"""
import json
import sys

import numpy
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

random = numpy.random.default_rng(28)


def interval(values, level=0.95):
    return [float(end) for end in stats.ttest_1samp(values, 0).confidence_interval(level)]


def p_against(values, value=0.0):
    return float(stats.ttest_1samp(values, value).pvalue)


def equivalence_p(values, margin):
    return float(DescrStatsW(values).ttost_mean(-margin, margin)[0])


def fall(values, limit, margin):
    low, high = interval(values)
    same = equivalence_p(values, margin)
    if high < limit and same < 0.05:
        return "undecided", p_against(values, limit)
    if high < limit:
        return "supported", p_against(values, limit)
    if low > 0:
        return "contradicted", p_against(values)
    return ("contradicted", same) if same < 0.05 else ("undecided", p_against(values, limit))


def stay(values, margin, may_rise):
    low, high = interval(values)
    same = equivalence_p(values, margin)
    if same < 0.05:
        return "supported", same
    if may_rise and low > 0:
        return "supported", p_against(values)
    return ("contradicted", p_against(values, -margin)) if high < -margin else ("undecided", same)


def exceeds(norms):
    intervals, ps = [interval(values) for values in norms], [p_against(values) for values in norms]
    below = [p for (_, high), p in zip(intervals, ps) if high < 0]
    if all(low > 0 for low, _ in intervals):
        return "supported", max(ps)
    return ("contradicted", min(1, min(below) * len(norms))) if below else ("undecided", max(ps))


def more_than_loss(norms):
    above = sorted(p_against(values) for values in norms if interval(values)[0] > 0)
    needed = len(norms) // 2 + 1
    return ("supported", above[needed - 1]) if len(above) >= needed else ("contradicted", None)


def falls(values):
    (low, high), middle = interval(values), numpy.mean(values)
    clear = low > 0 or high < 0
    verdict = "supported" if clear and middle < -0.5 else "contradicted" if clear and middle > 0.5 else "undecided"
    return verdict, p_against(values)


def first_block(values):
    low, high = interval(values)
    if low > 50:
        return "supported", p_against(values, 50)
    return ("contradicted", p_against(values, 20)) if high < 20 else ("undecided", p_against(values, 50))


def compensation(values):
    low, high = interval(values)
    return "supported" if low > 0 else "contradicted" if high < 0 else "undecided", p_against(values)


def contrast(values):
    low, high = interval(values)
    same, differs = equivalence_p(values, 2), low > 0 or high < 0
    if differs:
        return "undecided" if same < 0.05 else "supported", p_against(values)
    return ("contradicted", same) if same < 0.05 else ("undecided", p_against(values))


RULES = {  # rule, mean and spread of what is drawn
    "C1": (lambda v: fall(v, -2, 2), [(-6, 1), (-6, 4), (0, 0.6), (4, 1), (-2.5, 2)]),
    "C1b": (lambda v: stay(v, 5, True), [(0, 2), (20, 4), (-30, 5), (-8, 6)]),
    "C2": (lambda v: stay(v, 2, False), [(0, 0.5), (-5, 1), (3, 3)]),
    "C2b": (lambda v: fall(v, 0, 5), [(-60, 8), (-3, 0.8), (0, 2), (25, 6), (-10, 15)]),
    "C5": (falls, [(-0.8, 0.05), (0.7, 0.1), (-0.3, 0.05), (-0.6, 0.6)]),
    "C5b": (first_block, [(80, 5), (10, 2), (30, 5), (52, 6)]),
    "C6": (compensation, [(0.4, 0.1), (-0.4, 0.1), (0.1, 0.4)]),
    "C7": (contrast, [(30, 5), (0, 0.5), (1.1, 0.2), (3, 6)]),
}
NORM_RULES = {"C4": (exceeds, [(1.5, 0.1), (0.1, 0.2), (-0.6, 0.1)]), "C4b": (more_than_loss, [(0.5, 0.1), (0, 0.1)])}


def cases():
    for claim, (rule, shapes) in RULES.items():
        for middle, spread in shapes:
            for seeds in (3, 5):
                values = random.normal(middle, spread, seeds).round(4).tolist()
                verdict, p = rule(values)
                yield {"claim": claim, "values": values, "effect": float(numpy.mean(values)), "interval": interval(values),
                       "verdict": verdict, "p": p}
    for claim, (rule, shapes) in NORM_RULES.items():
        for middle, spread in shapes:
            norms = [random.normal(middle, spread, 4).round(4).tolist() for _ in range(6)]
            verdict, p = rule(norms)
            yield {"claim": claim, "norms": norms, "verdict": verdict, "p": p}


def nested(groups, resamples=400_000):
    """Percentiles of the mean of group means, groups and then values drawn."""
    groups = [numpy.array(group) for group in groups]
    means = numpy.zeros(resamples)
    for _ in groups:
        picks = random.integers(len(groups), size=resamples)
        for index, group in enumerate(groups):
            chosen = numpy.flatnonzero(picks == index)
            # The mean of a resample of 0 / 100 values is a binomial share.
            means[chosen] += 100 * random.binomial(len(group), numpy.mean(group) / 100, len(chosen)) / len(group)
    means /= len(groups)
    return {"groups": [group.tolist() for group in groups], "interval": numpy.percentile(means, [2.5, 97.5]).tolist(),
            "deviation": float(means.std())}


def outcomes(*counts, rows):
    return [[100.0] * count + [0.0] * (rows - count) for count in counts]


json.dump({"cases": list(cases()),
           "nested": [nested(outcomes(10, 14, 20, rows=28)), nested(outcomes(31, 40, 29, 35, 60, rows=160)),
                      nested(outcomes(21, 21, 21, rows=42))]}, sys.stdout, indent=1)
print()
