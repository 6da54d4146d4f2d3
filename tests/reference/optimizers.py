#!/usr/bin/env python3
"""Writes tests/fixtures/optimizers.json: steps of torch.optim.SGD and of Muon, for tests/training/optimizer_test.cpp.

Muon twice: `muon` is its published rule written out in float64 below, `torch_muon` is torch.optim.Muon, which takes the
Newton-Schulz steps in bfloat16. The script itself checks that the two differ by no more than that explains.
Needs torch 2.9 or newer.
"""
import json
import math
import pathlib
import sys

import torch

SHAPES = {"square": (6, 6), "wide": (4, 9), "tall": (10, 3)}
STEPS, RATE, DECAY = 5, 0.02, 0.1


def normal(name, number):
    """Of full rank: bfloat16's rounding is all that the steps would see of a singular matrix's empty directions."""
    generator = torch.Generator().manual_seed(100 * len(name) + number)
    return torch.randn(SHAPES[name], dtype=torch.float64, generator=generator)


def newton_schulz(update):
    """Jordan et al. 2024, with the coefficients of their post."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = update.T if update.shape[0] > update.shape[1] else update
    x = x / max(float(torch.linalg.matrix_norm(x)), 1e-7)
    for _ in range(5):
        s = x @ x.T
        x = a * x + (b * s + c * s @ s) @ x
    return x.T if update.shape[0] > update.shape[1] else x


def muon(name, momentum):
    p, m, steps = normal(name, STEPS), torch.zeros(SHAPES[name], dtype=torch.float64), []
    for t in range(STEPS):
        g = normal(name, t)
        m = momentum * m + (1 - momentum) * g
        update = newton_schulz((1 - momentum) * g + momentum * m)
        p = p * (1 - RATE * DECAY) - RATE * 0.2 * math.sqrt(max(p.shape)) * update
        steps.append(p.tolist())
    return steps


def of_torch(name, make):
    p, steps = torch.nn.Parameter(normal(name, STEPS)), []
    optimizer = make([p])
    for t in range(STEPS):
        p.grad = normal(name, t)
        optimizer.step()
        steps.append(p.detach().tolist())
    return steps


def main():
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1] / "fixtures/optimizers.json"
    result = {"torch": torch.__version__.split("+")[0], "steps": STEPS, "learning_rate": RATE, "weight_decay": DECAY, "cases": []}
    for name in SHAPES:
        case = {"name": name, "start": normal(name, STEPS).tolist(), "gradients": [normal(name, t).tolist() for t in range(STEPS)]}
        case["sgd"] = of_torch(name, lambda p: torch.optim.SGD(p, lr=RATE, weight_decay=DECAY))
        case["sgd_momentum"] = of_torch(name, lambda p: torch.optim.SGD(p, lr=RATE, weight_decay=DECAY, momentum=0.9))
        case["muon"] = muon(name, 0.95)
        case["torch_muon"] = of_torch(name, lambda p: torch.optim.Muon(p, lr=RATE, weight_decay=DECAY, adjust_lr_fn="match_rms_adamw"))
        step = RATE * 0.2 * math.sqrt(max(SHAPES[name]))
        gap = float((torch.tensor(case["muon"]) - torch.tensor(case["torch_muon"])).abs().max())
        assert gap < 0.05 * STEPS * step, (name, gap)
        print(f"{name}: torch's bfloat16 moves an element by at most {gap / step:.3f} of a step after {STEPS} steps")
        result["cases"].append(case)
    out.write_text(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
