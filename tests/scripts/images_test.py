"""Image classifiers as users meet them: images_test.py NORMSCOPE. Folders, bad pictures, caches, reports, stops."""
import csv
import json
import pathlib
import shutil
import signal
import struct
import unittest
import zlib

from command_test_case import CommandTestCase, main
from pictures import CLASSES, picture, png
from sandbox import ROOT

RECIPE = """
[model]
checkpoint = "vit"
[data]
train = "pictures/train"
test = "pictures/test"
preprocessing = "study"
[noise]
kind = "paper"
rate = 0.1
class = "disc"
[norm]
layers = "early"
[training]
epochs = 2
batch_size = 8
learning_rate = 1e-3
"""


class ImagesTest(CommandTestCase):
    def setUp(self):
        super().setUp()
        (self.folder / "vit").mkdir()
        for name in ("config.json", "model.safetensors"):
            shutil.copy(ROOT / "tests/fixtures/models/vit" / name, self.folder / "vit" / name)
        for split, count in (("train", 16), ("test", 5)):
            for label in CLASSES:
                folder = self.folder / "pictures" / split / label
                folder.mkdir(parents=True)
                for i in range(count):
                    (folder / f"{i:02}.png").write_bytes(picture(label, f"{split} {i}"))
        (self.folder / "recipe.toml").write_text(RECIPE)

    def test_a_run_learns_saves_and_is_read_back(self):
        self.ok("normscope run recipe.toml --out out --set training.epochs=20")
        rows = self.metrics("out")
        self.assertGreater(float(rows[-1]["test_accuracy"]), 90)
        run = self.folder / "out/runs/seed28"
        with open(run / "noise.csv", newline="") as file:
            self.assertEqual([row["true_label"] for row in csv.DictReader(file)], ["disc"] * 4)
        self.assertEqual(len(list((run / "noisy_pictures").iterdir())), 4)
        report = (self.folder / "out/report.html").read_text()
        self.assertGreaterEqual(report.count("<img class=\"noisy\" src=\"data:image/png;base64,"), 4)
        result = json.loads(self.ok("normscope evaluate out/runs/seed28 --data pictures/test --json"))
        self.assertAlmostEqual(result["loss"], float(rows[-1]["test_loss"]), places=6)
        self.ok("normscope predict out/runs/seed28 --data pictures/test --output predictions.csv")
        with open(self.folder / "predictions.csv", newline="") as file:
            self.assertEqual(len(list(csv.DictReader(file))), 15)
        measured = self.ok("normscope measure out/runs/seed28 --train pictures/train --test pictures/test "
                           "--noise out/runs/seed28/noise.csv")
        self.assertIn("4 noisy rows", measured)
        config = json.loads((run / "checkpoint/preprocessor_config.json").read_text())
        self.assertEqual((config["size"], config["image_mean"]), ({"height": 32, "width": 32}, [0.5] * 3))

    def test_wrong_labels_of_pictures_are_found_shown_and_corrected(self):
        """48 pictures of three easy classes, 4 discs called something else."""
        self.ok("normscope run recipe.toml --out out --set norm.layers=none --set training.epochs=12")
        (self.folder / "fixed").mkdir()
        audit = json.loads(self.ok("normscope audit out --json --top 4 --write-corrected fixed/rows.csv --correct-above 0"))
        margin = audit["detection"]["signals"][0]
        self.assertGreater(margin["auroc"], 0.9)
        self.assertEqual(audit["detection"]["wrong_labels"], 4)
        run = self.folder / "out/runs/seed28"
        stored = json.loads((run / "audit.json").read_text())["suspects"]
        for row in stored:
            self.assertEqual((run / row["picture"]).read_bytes()[:4], b"\x89PNG")
        with open(self.folder / "fixed/rows.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["source_row", "image", "label"])
        self.assertTrue(all((self.folder / "fixed" / row["image"]).exists() for row in rows))
        self.ok("normscope noise --data fixed/rows.csv --image-column image --rate 0.5 --seed 1 --kind instance --output n.csv")
        shown = len(stored)
        before = (self.folder / "out/report.html").read_text().count("class=\"noisy\" src=")
        self.ok("normscope report out")
        report = (self.folder / "out/report.html").read_text()
        self.assertIn("<h2>Labels that may be wrong</h2>", report)
        self.assertEqual(report.count("class=\"noisy\" src="), before + shown)

    def test_a_stopped_run_goes_on_bit_identically_without_its_cache(self):
        settings = "--set training.epochs=6"
        self.ok(f"normscope run recipe.toml --out undisturbed {settings}")
        self.stop_midway(signal.SIGTERM, (0, 75), "stopped", settings, 2)
        shutil.rmtree(self.folder / "stopped/cache", ignore_errors=True)
        self.ok(f"normscope run recipe.toml --out stopped {settings}")
        self.assertEqual(self.metrics("stopped"), self.metrics("undisturbed"))
        self.ok(f"OMP_NUM_THREADS=2 normscope run recipe.toml --out threads {settings} --set threads=1")
        self.assertEqual(self.metrics("threads"), self.metrics("undisturbed"))

    def test_a_study_without_test_rows_has_a_report(self):
        recipe = (self.folder / "recipe.toml").read_text().replace('test = "pictures/test"\n', "")
        (self.folder / "untested.toml").write_text(recipe)
        self.ok("normscope run untested.toml --out out --set 'grid.norm.layers=[\"none\", \"all\"]'")
        report = (self.folder / "out/report.html").read_text()
        self.assertIn("Memorization: the false label is repeated", report)
        self.assertNotIn("Lines over epochs: overfit gap", report)

    def test_bad_pictures_are_named_and_skipped_when_asked(self):
        broken = self.folder / "pictures/train/cross/03.png"
        broken.write_bytes(broken.read_bytes()[:70])
        self.fails("normscope run recipe.toml --out out", 3, "cross/03.png")
        self.assertFalse((self.folder / "out/runs/seed28/metrics.csv").exists())
        (self.folder / "pictures/train/disc/04.png").write_bytes(b"")
        (self.folder / "pictures/train/.hidden.png").write_bytes(b"")
        self.ok("normscope run recipe.toml --out out --set data.on_bad_row=skip --set noise.rate=0.05")
        facts = self.ok("normscope status out --json")
        report = (self.folder / "out/report.html").read_text()
        self.assertIn("2 rows were skipped", report + facts)

    def test_hostile_and_odd_pictures(self):
        folder = self.folder / "pictures/train/cross"
        huge = bytearray(picture("cross", 1))
        huge[16:24] = struct.pack(">II", 60000, 60000)
        huge[29:33] = struct.pack(">I", zlib.crc32(bytes(huge[12:29])))
        (folder / "90.png").write_bytes(bytes(huge))
        self.fails("normscope run recipe.toml --out out", 3, "90.png", "60000")
        (folder / "90.png").write_bytes(png(1, 1, lambda x, y: (9, 9, 9)))
        (folder / "91.png").write_bytes(png(50000, 1, lambda x, y: (x % 256, 0, 0)))
        self.ok("normscope run recipe.toml --out out --set training.epochs=1")

    def test_the_models_size_must_fit(self):
        self.fails("normscope run recipe.toml --out out --set data.image_size=48", 2, "32x32", "48x48",
                   "interpolate_pos_encoding")
        self.ok("normscope run recipe.toml --out out --set data.image_size=48 --set training.epochs=1 "
                "--set model.interpolate_pos_encoding=true")
        result = json.loads(self.ok("normscope evaluate out/runs/seed28 --data pictures/test --json"))
        self.assertAlmostEqual(result["loss"], float(self.metrics("out")[-1]["test_loss"]), places=6)
        self.fails("normscope run recipe.toml --out texts --set data.train=train.csv --set data.test=test.csv "
                   "--set noise.class=sound", 3, "pictures", "texts")

    def test_preprocess_writes_what_the_model_gets(self):
        (self.folder / "gray.png").write_bytes(png(64, 64, lambda x, y: (128, 0, 255)))
        said = self.ok("normscope preprocess vit gray.png pictures/test/disc/00.png --output pixels.safetensors --view seen.png")
        self.assertIn("2 x 3 x 32 x 32", said)
        bytes_ = (self.folder / "pixels.safetensors").read_bytes()
        length = struct.unpack("<Q", bytes_[:8])[0]
        entry = json.loads(bytes_[8:8 + length])["pixel_values"]
        begin = 8 + length + entry["data_offsets"][0]
        values = struct.unpack("<3072f", bytes_[begin:begin + 4 * 3072])
        for channel, expected in enumerate((128 / 127.5 - 1, -1, 1)):
            for value in values[1024 * channel:1024 * (channel + 1)]:
                self.assertAlmostEqual(value, expected, places=6)
        self.assertTrue((self.folder / "seen.png").read_bytes().startswith(b"\x89PNG"))
        self.fails("normscope preprocess vit missing.png --output none.safetensors", 3, "missing.png")
        self.assertFalse((self.folder / "none.safetensors").exists())


if __name__ == "__main__":
    main()
