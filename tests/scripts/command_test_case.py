"""What tests of the program's commands start from: a sandbox with a small recipe, and ways to run and to stop it."""
import csv
import os
import subprocess
import sys
import time
import unittest

from sandbox import Sandbox

RECIPE = """
[model]
checkpoint = "checkpoint"
head = "paper"
[data]
train = "train.csv"
test = "test.csv"
max_length = 16
[noise]
kind = "symmetric"
rate = 0.1
[training]
epochs = 3
batch_size = 8
learning_rate = 1e-3
"""
TIMES = ("samples_per_s", "seconds")


class CommandTestCase(unittest.TestCase):
    normscope = ""  # the program; main() sets it

    def setUp(self):
        self.sandbox = Sandbox(self.normscope)
        self.addCleanup(self.sandbox.close)
        self.folder = self.sandbox.folder
        (self.folder / "recipe.toml").write_text(RECIPE)

    def ok(self, command):
        result = self.sandbox.run(command)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}\n{result.stderr}")
        return result.stdout

    def fails(self, command, code, *words):
        result = self.sandbox.run(command)
        self.assertEqual(result.returncode, code, f"{command}\n{result.stdout}\n{result.stderr}")
        for word in words:
            self.assertIn(word, result.stderr)
        return result

    def metrics(self, out, run="seed28"):
        with open(self.folder / out / "runs" / run / "metrics.csv", newline="") as file:
            return [{k: v for k, v in row.items() if k not in TIMES} for row in csv.DictReader(file)]

    def stop_midway(self, number, codes, out, settings="--set training.epochs=60", epochs=3):
        """Starts a long run, sends the signal once so many epochs are stored, and checks the exit code."""
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        process = subprocess.Popen([self.normscope, "run", "recipe.toml", "--out", out, *settings.split()],
                                   cwd=self.folder, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        metrics = self.folder / out / "runs/seed28/metrics.csv"
        deadline = time.monotonic() + 120
        while not (metrics.exists() and metrics.read_text().count("\n") > epochs) and time.monotonic() < deadline:
            time.sleep(0.002)
        process.send_signal(number)
        _, errors = process.communicate(timeout=120)
        self.assertIn(process.returncode, codes, errors)


def main():
    CommandTestCase.normscope = os.path.abspath(sys.argv.pop(1))
    unittest.main()
