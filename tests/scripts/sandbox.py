"""A folder as the README's reader has it: a checkpoint, train.csv and test.csv, and normscope on the path."""
import csv
import os
import pathlib
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).parents[2]
CLASSES = ("admin", "games", "graphics", "net", "science", "sound", "text")


class Sandbox:
    def __init__(self, normscope):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/normscope").symlink_to(pathlib.Path(normscope).resolve())
        shutil.copytree(ROOT / "tests/fixtures/checkpoints/tiny_bert", self.folder / "checkpoint")
        self.write_rows("train.csv", 84)
        self.write_rows("test.csv", 28)

    def write_rows(self, name, count):
        with open(self.folder / name, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("text", "label"))
            for number in range(count):
                label = CLASSES[number % len(CLASSES)]
                writer.writerow((f"{name[:2]} {number} of {label}", label))

    def run(self, command):
        """Runs one shell line as a user would; returns the finished process."""
        # One thread: tests run beside each other, and OpenMP's waiting threads would steal each other's cores.
        environment = {"OMP_NUM_THREADS": "1", **os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        return subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=self.folder, env=environment,
                              text=True, capture_output=True)

    def close(self):
        self.temporary.cleanup()
