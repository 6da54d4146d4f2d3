"""Several runs at once, and everything that may happen to them: jobs_test.py NORMSCOPE."""
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

from command_test_case import CommandTestCase, RECIPE, main

GRID = '[grid]\n"norm.layers" = ["none", "all"]\n"seed.all" = [1, 2]\n'
LONG = "--set training.epochs=12"
FILES = ("dynamics.bin", "checkpoint/model.safetensors", "noise.csv")


class JobsTest(CommandTestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.finished = pathlib.Path(temporary.name) / "undisturbed"

    def setUp(self):
        super().setUp()
        (self.folder / "grid.toml").write_text(RECIPE + GRID)

    def start(self, out, settings=LONG, jobs="--jobs 2"):
        command = [self.normscope, "run", "grid.toml", "--out", out, *settings.split(), *jobs.split()]
        return subprocess.Popen(command, cwd=self.folder, env={**os.environ, "OMP_NUM_THREADS": "2"}, text=True,
                                stderr=subprocess.PIPE, stdout=subprocess.PIPE)

    def wait_for(self, what, condition):
        deadline = time.monotonic() + 120
        while not condition():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.005)

    def wait_for_epochs(self, out, count, runs=2):
        """Until so many runs have so many epochs."""
        def epochs():
            return sorted((len(path.read_text().splitlines()) for path in (self.folder / out).glob("runs/*/metrics.csv")),
                          reverse=True)
        self.wait_for(f"{runs} runs with {count} epochs", lambda: (epochs() + [0] * runs)[runs - 1] > count)

    @staticmethod
    def children(pid):
        return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def assert_equal_studies(self, a, b):
        runs = sorted(path.name for path in (self.folder / a / "runs").iterdir())
        self.assertEqual(len(runs), 4)
        self.assertEqual(runs, sorted(path.name for path in (self.folder / b / "runs").iterdir()))
        for run in runs:
            self.assertEqual(self.metrics(a, run), self.metrics(b, run), run)
            for name in FILES:
                paths = [self.folder / out / "runs" / run / name for out in (a, b)]
                self.assertEqual(paths[0].read_bytes(), paths[1].read_bytes(), f"{run}/{name}")
        query = ("SELECT runs.id, readings.epoch, split, metric, layer, role, value FROM readings JOIN runs ON runs.number = run "
                 "WHERE metric NOT IN ('seconds', 'samples_per_s') ORDER BY 1, 2, 3, 4, 5, 6")
        readings = [sqlite3.connect(self.folder / out / "normscope.db").execute(query).fetchall() for out in (a, b)]
        self.assertEqual(readings[0], readings[1])

    def undisturbed(self):
        """The study that others are compared with, trained once: every test's data are the same."""
        if self.finished.exists():
            shutil.copytree(self.finished, self.folder / "undisturbed")
            return
        self.ok(f"OMP_NUM_THREADS=2 normscope run grid.toml --out undisturbed --jobs 1 --set threads=1 {LONG}")
        shutil.copytree(self.folder / "undisturbed", self.finished)

    def test_two_at_once_give_what_one_after_another_gives(self):
        self.undisturbed()
        process = self.start("two")
        self.wait_for("two workers", lambda: len(self.children(process.pid)) == 2)
        self.assertIn("report: two/report.html", process.communicate(timeout=300)[0])
        self.assertEqual(process.returncode, 0)
        self.assert_equal_studies("two", "undisturbed")
        threads = sqlite3.connect(self.folder / "two/normscope.db").execute("SELECT threads FROM study").fetchone()
        self.assertEqual(threads, (1,), "two cores, two jobs")

    def test_a_killed_worker_costs_nothing_but_time(self):
        self.undisturbed()
        process = self.start("killed")
        self.wait_for_epochs("killed", 3)
        os.kill(self.children(process.pid)[0], signal.SIGKILL)
        _, errors = process.communicate(timeout=300)
        self.assertIn("was interrupted and will go on where it was: its process was ended by signal 9", errors)
        self.assertEqual(process.returncode, 0, errors)
        self.assert_equal_studies("killed", "undisturbed")

    def test_killing_everything_or_stopping_leaves_what_the_next_start_needs(self):
        self.undisturbed()
        for number, code in ((signal.SIGKILL, -9), (signal.SIGTERM, 75), (signal.SIGUSR1, 75), (signal.SIGINT, 130)):
            with self.subTest(signal=number.name):
                out = number.name
                process = self.start(out)
                self.wait_for_epochs(out, 3)
                workers = self.children(process.pid)
                process.send_signal(number)
                if number == signal.SIGKILL:
                    for worker in workers:
                        os.kill(worker, signal.SIGKILL)
                _, errors = process.communicate(timeout=120)
                self.assertEqual(process.returncode, code, errors)
                self.wait_for("the workers' end", lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in workers))
                status = json.loads(self.ok(f"normscope status {out} --json"))
                self.assertEqual({run["state"] for run in status["runs"]}, {"waiting"})
                self.assertFalse(list((self.folder / out).glob("runs/*/checkpoint")))
                process = self.start(out, jobs="--jobs 3")
                process.communicate(timeout=300)
                self.assertEqual(process.returncode, 0)
                self.assert_equal_studies(out, "undisturbed")

    def test_a_killed_parent_makes_its_workers_save_and_end(self):
        process = self.start("orphans")
        self.wait_for_epochs("orphans", 3)
        workers = self.children(process.pid)
        process.kill()
        process.communicate(timeout=120)
        self.wait_for("the workers' end", lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in workers))
        self.assertEqual(len(list((self.folder / "orphans").glob("runs/*/state.safetensors"))), 2)

    def test_two_processes_share_one_study(self):
        self.undisturbed()
        one_thread = "--jobs 1 --set threads=1"
        first = self.start("shared", jobs=one_thread)
        self.wait_for_epochs("shared", 1, runs=1)
        second = self.start("shared", jobs=one_thread)
        outputs = [process.communicate(timeout=300) for process in (first, second)]
        self.assertEqual([first.returncode, second.returncode], [0, 0], outputs)
        started = [line.split(": ")[1] for _, errors in outputs for line in errors.splitlines() if line.startswith("run ") and " of " in line]
        self.assertEqual(len(started), len(set(started)), "no run was trained twice")
        self.assertEqual(len(started), 4)
        self.assertIn("is being trained by another normscope process", outputs[0][1] + outputs[1][1])
        self.assert_equal_studies("shared", "undisturbed")

    def test_two_processes_may_create_one_study(self):
        processes = [self.start("created", "--set training.epochs=1", jobs="--jobs 1") for _ in range(2)]
        outputs = [process.communicate(timeout=300) for process in processes]
        self.assertEqual([process.returncode for process in processes], [0, 0], outputs)
        self.assertEqual(json.loads(self.ok("normscope status created --json"))["done"], 4)

    def test_a_start_that_was_killed_at_once_is_no_hindrance(self):
        (self.folder / "early/runs").mkdir(parents=True)
        (self.folder / "early/normscope.lock").touch()
        self.ok("normscope run recipe.toml --out early --set training.epochs=1")

    def test_another_recipe_waits_until_nobody_works_on_the_study(self):
        process = self.start("busy")
        self.wait_for_epochs("busy", 1)
        self.fails("normscope run grid.toml --out busy --set training.epochs=2", 2, "another normscope process")
        self.fails(f"normscope run grid.toml --out busy --fresh=replace {LONG}", 2, "another normscope process")
        process.terminate()
        process.communicate(timeout=120)

    def test_a_failed_run_is_kept_and_tried_again_when_asked(self):
        (self.folder / "grid.toml").write_text(RECIPE + '[grid]\n"training.learning_rate" = [1e-3, 1e30]\n')
        self.fails("OMP_NUM_THREADS=2 normscope run grid.toml --out out --jobs 2", 1, "the loss became")
        status = json.loads(self.ok("normscope status out --json"))
        self.assertEqual([run["state"] for run in status["runs"]], ["done", "failed"])
        self.assertIn("the loss became", status["runs"][1]["error"])
        self.assertNotIn("run 2 of 2", self.fails("normscope run grid.toml --out out", 1, "failed earlier", "--retry").stderr)
        self.assertIn("run 2 of 2", self.fails("normscope run grid.toml --out out --retry", 1, "the loss became").stderr)
        with sqlite3.connect(self.folder / "out/normscope.db") as database:
            self.assertEqual(database.execute("SELECT count(*) FROM runs WHERE state = 'failed'").fetchone(), (1,))

    def test_a_full_disk_interrupts_and_the_next_start_goes_on(self):
        # A file size limit stands in for the disk: writes beyond it fail as on a full one.
        run = f"OMP_NUM_THREADS=2 normscope run grid.toml --out full --jobs 2 {LONG}"
        result = self.sandbox.run(f"trap '' XFSZ; ulimit -f 64; {run}")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("was interrupted and will go on where it was", result.stderr)
        status = json.loads(self.ok("normscope status full --json"))
        self.assertEqual({run["state"] for run in status["runs"]}, {"waiting"})
        self.assertFalse(list(self.folder.glob("full/**/*.partial*")), "no temporary file stays")
        self.undisturbed()
        self.ok(run)
        self.assert_equal_studies("full", "undisturbed")

    def test_a_dry_run_lists_estimates_and_writes_nothing(self):
        before = sorted(self.folder.rglob("*"))
        lines = self.ok("OMP_NUM_THREADS=2 normscope run grid.toml --dry-run --jobs 2").splitlines()
        self.assertEqual(sorted(self.folder.rglob("*")), before)
        self.assertEqual(len(lines), 5)
        for line in lines[:4]:
            self.assertRegex(line, r"^(none|all)-seed[12]  norm.layers = \w+  seed.all = \d  \d+[ a-z\d]* s  \d+ MB$")
        self.assertRegex(lines[4], r"^4 runs, 2 at once with 1 thread each: about \d+[ a-z\d]* s, \d+ MB of memory$")
        result = self.sandbox.run("normscope run grid.toml --dry-run --set data.train=absent.csv")
        self.assertEqual((result.returncode, len(result.stdout.splitlines())), (0, 4))
        self.assertRegex(result.stderr, "no estimate of time and memory: .*absent.csv")

    def test_status_shows_a_table_and_watches(self):
        self.ok("normscope run recipe.toml --out out")
        shown = self.ok("normscope status out")
        self.assertRegex(shown, r"(?m)^seed28 +done +3/3 ")
        self.assertTrue(shown.endswith("1 of 1 done\n"), shown)
        self.assertEqual(self.ok("normscope status out --watch"), shown)

    def test_bad_data_ends_the_study_with_its_own_code(self):
        self.fails("OMP_NUM_THREADS=2 normscope run grid.toml --out out --jobs 2 --set data.train=absent.csv", 3, "absent.csv")
        self.ok("OMP_NUM_THREADS=2 normscope run grid.toml --out out --jobs 2")


if __name__ == "__main__":
    main()
