"""What becomes of a study over its life: studies_test.py NORMSCOPE. Changed recipes, shared data, exports."""
import csv
import json
import re
import sqlite3
import struct
import unittest

from command_test_case import CommandTestCase, RECIPE, main
from event_files import scalars

try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
except ImportError:
    EventAccumulator = None


def grid(*lines):
    return RECIPE + "[grid]\n" + "\n".join(lines) + "\n"


class StudiesTest(CommandTestCase):
    def run_grid(self, *lines, settings="", out="out"):
        (self.folder / "recipe.toml").write_text(grid(*lines))
        result = self.sandbox.run(f"normscope run recipe.toml --out {out} {settings}")
        self.assertEqual(result.returncode, 0, result.stderr)
        return re.findall(r"^run \d+ of \d+: (.+)$", result.stderr, re.M), result.stderr

    def states(self):
        return {run["id"]: run["state"] for run in json.loads(self.ok("normscope status out --json"))["runs"]}

    def folders(self, out="out"):
        return {path.name for path in (self.folder / out / "runs").iterdir()}

    def exported(self, out="out"):
        return {row["run"] for row in csv.DictReader(self.ok(f"normscope export {out} --csv").splitlines())}

    # -- changed recipes ---------------------------------------------------------------------------------------

    def test_a_changed_grid_trains_what_is_new_and_drops_what_is_gone(self):
        self.run_grid('"norm.layers" = ["none", "all"]')
        before = self.metrics("out", "none")
        trained, said = self.run_grid('"norm.layers" = ["none", "early"]')
        self.assertEqual(trained, ["early"])
        self.assertIn("the recipe has changed: 1 run is new, 1 is dropped (kept on disk, left out of the report), "
                      "1 is as before", said)
        self.assertEqual(self.states(), {"none": "done", "early": "done"})
        self.assertEqual(self.exported(), {"none", "early"})
        self.assertEqual(self.metrics("out", "none"), before)
        self.assertNotIn("all removed", (self.folder / "out/report.html").read_text())
        dropped = self.folders() - {"none", "early"}
        self.assertEqual(len(dropped), 1)
        self.assertRegex(*dropped, "^all~[0-9a-f]{8}$")
        self.assertTrue((self.folder / "out/runs" / dropped.pop() / "checkpoint/model.safetensors").exists())
        trained, said = self.run_grid('"norm.layers" = ["none", "all", "early"]')
        self.assertEqual(trained, [], "what was dropped comes back as it was")
        self.assertIn("1 comes back, 2 are as before", said)
        self.assertEqual(self.folders(), {"none", "all", "early"})
        self.assertEqual(self.exported(), {"none", "all", "early"})

    def test_a_setting_of_all_runs_makes_all_of_them_new(self):
        self.run_grid('"seed.all" = [1, 2]')
        first = self.metrics("out", "seed1")
        trained, said = self.run_grid('"seed.all" = [1, 2]', settings="--set training.epochs=2")
        self.assertEqual(trained, ["seed1", "seed2"])
        self.assertIn("2 runs are new, 2 are dropped", said)
        self.assertEqual(len(self.metrics("out", "seed1")), 3)
        self.assertEqual(len(self.folders()), 4)
        self.assertEqual(self.run_grid('"seed.all" = [1, 2]')[0], [])
        self.assertEqual(self.metrics("out", "seed1"), first)

    def test_a_new_axis_renames_runs_and_trains_only_the_others(self):
        self.run_grid('"seed.all" = [28, 29]')
        before = [self.metrics("out", run) for run in ("seed28", "seed29")]
        trained, _ = self.run_grid('"seed.all" = [28, 29]', '"norm.layers" = ["none", "all"]')
        self.assertEqual(trained, ["seed28-all", "seed29-all"])
        self.assertEqual([self.metrics("out", run) for run in ("seed28-none", "seed29-none")], before)
        self.assertEqual(self.folders(), {f"seed{seed}-{layers}" for seed in (28, 29) for layers in ("none", "all")})

    def test_a_changed_study_equals_one_that_was_always_so(self):
        self.run_grid('"norm.layers" = ["none", "all"]')
        self.run_grid('"norm.layers" = ["later", "none"]')
        self.run_grid('"norm.layers" = ["later", "none"]', out="fresh")
        for run in ("later", "none"):
            self.assertEqual(self.metrics("out", run), self.metrics("fresh", run))
            weights = [self.folder / out / "runs" / run / "checkpoint/model.safetensors" for out in ("out", "fresh")]
            self.assertEqual(weights[0].read_bytes(), weights[1].read_bytes())

    def test_folders_follow_after_an_interrupted_change(self):
        self.run_grid('"norm.layers" = ["none", "all"]')
        before = self.metrics("out", "all")
        self.run_grid('"norm.layers" = ["all", "early"]')
        runs = self.folder / "out/runs"
        # As a kill between the database and the folders leaves them: old names, or on the way.
        (dropped,) = (path for path in runs.iterdir() if path.name.startswith("none~"))
        dropped.rename(runs / "none")
        (runs / "all").rename(runs / "all.moving")
        (runs / ".moving").touch()
        self.assertEqual(self.run_grid('"norm.layers" = ["all", "early"]')[0], [])
        self.assertEqual(self.folders(), {"all", "early", dropped.name})
        self.assertEqual(self.metrics("out", "all"), before)

    def test_a_dry_run_tells_what_would_change(self):
        self.run_grid('"norm.layers" = ["none", "all"]')
        (self.folder / "recipe.toml").write_text(grid('"norm.layers" = ["none", "early"]'))
        lines = self.ok("normscope run recipe.toml --out out --dry-run").splitlines()
        self.assertTrue(lines[0].startswith("the recipe has changed: 1 run is new, 1 is dropped"), lines)
        self.assertRegex(lines[1], "^none .*  done$")
        self.assertNotIn("done", lines[2])
        self.assertTrue(lines[3].startswith("1 run, 1 at once"), lines)
        self.assertEqual(self.states(), {"none": "done", "all": "done"})

    def test_another_recipe_and_what_is_fixed_are_refused(self):
        self.run_grid('"norm.layers" = ["none", "all"]')
        run = "normscope run recipe.toml --out out "
        self.fails(run + "--set name=other --set training.epochs=1", 2, "another recipe", "'other'")
        self.fails(run + "--set threads=2", 2, "fixed when a study is created")
        self.assertEqual(self.states(), {"none": "done", "all": "done"})

    def test_a_study_of_the_first_schema_goes_on(self):
        self.run_grid('"norm.layers" = ["none", "all"]')
        with sqlite3.connect(self.folder / "out/normscope.db") as database:
            views = dict(database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'view'").fetchall())
            for name in ("final_metrics", "metrics", "norm_readings", "noisy_outcomes"):
                database.execute(f"DROP VIEW {name}")
            database.execute("ALTER TABLE runs DROP COLUMN dropped")
            for name in ("noisy_outcomes", "norm_readings", "metrics", "final_metrics"):
                old = views[name].replace(" AND runs.dropped IS NULL", "").replace(" WHERE runs.dropped IS NULL", "")
                database.execute(old)
            database.execute("PRAGMA user_version = 1")
        self.assertEqual(self.exported(), {"none", "all"}, "reading changes nothing")
        with sqlite3.connect(self.folder / "out/normscope.db") as database:
            self.assertEqual(database.execute("PRAGMA user_version").fetchone(), (1,))
        self.assertEqual(self.run_grid('"norm.layers" = ["none", "early"]')[0], ["early"])
        self.assertEqual(self.exported(), {"none", "early"})

    # -- shared data -------------------------------------------------------------------------------------------

    def test_rows_are_tokenised_once_a_study(self):
        self.run_grid('"norm.layers" = ["none", "all"]', '"seed.all" = [1, 2]', settings="--jobs 2")
        files = [path for path in (self.folder / "out/cache/tokens").iterdir() if path.name != "lock"]
        self.assertEqual(len(files), 2, "training and test rows")
        for path in files:
            header = struct.unpack("<8sQQQ", path.read_bytes()[:32])
            self.assertEqual(header[0], b"NSTOKEN1")
            self.assertIn(header[1], (84, 28))
        times = [path.stat().st_mtime_ns for path in files]
        self.run_grid('"norm.layers" = ["none", "all"]', '"seed.all" = [1, 2, 3]')
        self.assertEqual([path.stat().st_mtime_ns for path in files], times)

    def test_ids_of_the_cache_train_as_ids_in_memory_do(self):
        """Half written files are made anew, and the text's own change gives another file."""
        self.run_grid('"norm.layers" = ["none"]')
        cached = self.folder / "out/cache/tokens"
        (cached / "0.partial-1").write_text("x")
        before = {path.name for path in cached.iterdir()}
        self.run_grid('"norm.layers" = ["none"]', out="again")
        self.assertEqual(self.metrics("again", "none"), self.metrics("out", "none"))
        text = (self.folder / "train.csv").read_text()
        (self.folder / "train.csv").write_text(text.replace("tr 0 of", "tr zero of"))
        self.run_grid('"norm.layers" = ["none", "all"]', settings="--set noise.rate=0.2")
        self.assertEqual(len({path.name for path in cached.iterdir()} - before), 1)
        self.assertFalse((cached / "0.partial-1").exists())

    # -- exports -----------------------------------------------------------------------------------------------

    def test_event_files_hold_every_reading(self):
        self.run_grid('"norm.layers" = ["none", "all"]', settings="--set measure.gradients_every=2")
        self.ok("normscope export out --tensorboard events")
        self.assertEqual({path.name for path in (self.folder / "events").iterdir()}, {"none", "all"})
        for run in ("none", "all"):
            (path,) = (self.folder / "events" / run).iterdir()
            self.assertIn("tfevents", path.name)
            found, version = scalars(path.read_bytes())
            self.assertEqual(version, b"brain.Event:2")
            rows = self.metrics("out", run)
            for tag, column in (("train/loss", "train_loss"), ("test/accuracy", "test_accuracy"),
                                ("noisy/memorization", "memorization"), ("run/overfit_gap", "overfit_gap")):
                expected = [(int(row["epoch"]), float(row[column])) for row in rows if row[column]]
                self.assertEqual([step for step, _ in found[tag]], [step for step, _ in expected])
                for (_, value), (_, stored) in zip(found[tag], expected):
                    self.assertAlmostEqual(value, stored, delta=1e-5 * max(1, abs(stored)))
            with sqlite3.connect(self.folder / "out/normscope.db") as database:
                count = database.execute("SELECT count(*) FROM readings JOIN runs ON runs.number = run WHERE id = ?", (run,)).fetchone()[0]
            self.assertEqual(sum(map(len, found.values())), count)
            self.assertIn("gradient_norm/learning/0.attention", found)
        self.fails("normscope export out", 2, "--tensorboard")

    @unittest.skipIf(EventAccumulator is None, "the tensorboard package is not installed")
    def test_tensorboard_reads_the_event_files(self):
        self.run_grid('"norm.layers" = ["none"]')
        self.ok("normscope export out --tensorboard events")
        events = EventAccumulator(str(self.folder / "events/none"))
        events.Reload()
        (path,) = (self.folder / "events/none").iterdir()
        found, _ = scalars(path.read_bytes())
        self.assertEqual(set(events.Tags()["scalars"]), set(found))
        for tag, values in found.items():
            self.assertEqual([(event.step, event.value) for event in events.Scalars(tag)], values)


if __name__ == "__main__":
    main()
