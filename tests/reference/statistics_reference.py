"""Writes tests/fixtures/statistics.json: what SciPy and statsmodels say of a few samples."""
import json
import sys

import numpy
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

SAMPLES = [[-1.2, -0.4, -2.6], [0.3, 0.1, -0.2, 0.25, 0.05], [80.1, 76.9, 85.0, 79.4, 81.2, 77.7, 90.3],
           [1e-6, -1e-6, 3e-6, 2.5], [-8.75, -8.125]]
PAIRS = [([1, 2, 3, 4, 5, 6], [9.1, 7.3, 7.9, 4.2, 3.3, 0.5]), ([1, 2, 2, 3, 3, 3, 4], [5, 4, 4, 6, 2, 2, 1]),
         ([0, 1, 2, 3], [1, 2, 3, 4]), (list(range(12)), [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8])]


def samples():
    for values in SAMPLES:
        described = DescrStatsW(values)
        test = stats.ttest_1samp(values, 0)
        yield {"values": values, "mean": float(numpy.mean(values)), "deviation": float(numpy.std(values, ddof=1)),
               "interval": list(test.confidence_interval(0.95)), "t": float(test.statistic), "p": float(test.pvalue),
               "tost": {"margin": 2.0, "p": float(described.ttost_mean(-2.0, 2.0)[0]),
                        "interval": list(test.confidence_interval(0.90))}}


json.dump({
    "samples": list(samples()),
    "t_quantiles": [[p, d, float(stats.t.ppf(p, d))] for p in (0.0005, 0.025, 0.5, 0.9, 0.95, 0.975, 0.9999)
                    for d in (1, 2, 4, 11, 69, 1000)],
    "t_cdfs": [[t, d, float(stats.t.cdf(t, d))] for t in (-40.0, -2.5, -0.1, 0.0, 0.7, 3.0, 12.0)
               for d in (1, 2, 5, 30)],
    "normal_quantiles": [[p, float(stats.norm.ppf(p))] for p in (1e-9, 0.025, 0.3, 0.5, 0.975, 0.9995)],
    "wilson": [[k, n, level, *map(float, proportion_confint(k, n, 1 - level, "wilson"))]
               for k, n in ((0, 28), (28, 28), (1, 42), (31, 160), (80, 160), (400, 400)) for level in (0.9, 0.95)],
    "holm": [{"p": p, "adjusted": multipletests(p, method="holm")[1].tolist()}
             for p in ([0.01, 0.04, 0.03, 0.005], [0.2], [0.5, 0.9, 0.02, 0.02, 0.6])],
    "spearman": [{"x": x, "y": y, "rho": float(stats.spearmanr(x, y)[0]), "p": float(stats.spearmanr(x, y)[1])}
                 for x, y in PAIRS],
}, sys.stdout, indent=1)
print()
