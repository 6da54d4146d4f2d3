"""The program as its users meet it: commands_test.py NORMSCOPE. Results, resumption, exit codes, messages."""
import csv
import json
import signal
import sqlite3
import struct

from command_test_case import CommandTestCase, RECIPE, main
from sandbox import ROOT


class CommandsTest(CommandTestCase):
    # -- what a run leaves behind ------------------------------------------------------------------------------

    def test_run_leaves_everything_that_the_contract_names(self):
        out = self.ok("normscope run recipe.toml --out out")
        self.assertIn("report: out/report.html", out)
        rows = self.metrics("out")
        self.assertEqual([row["epoch"] for row in rows], ["0", "1", "2", "3"])
        for row in rows[1:]:
            for name in ("train_loss", "train_accuracy", "train_accuracy_eval", "train_clean_accuracy", "test_loss",
                         "test_accuracy", "test_macro_f1", "memorization", "overfit_gap", "noisy_loss"):
                self.assertNotEqual(row[name], "", name)
            total = sum(float(row[k]) for k in ("memorization", "recovery", "random_prediction"))
            self.assertAlmostEqual(total, 100)
            self.assertAlmostEqual(float(row["overfit_gap"]), float(row["train_accuracy"]) - float(row["test_accuracy"]))
        self.assertEqual(rows[0]["train_loss"], "")
        run = self.folder / "out/runs/seed28"
        for name in ("recipe.toml", "noise.csv", "metrics.jsonl", "dynamics.bin", "checkpoint/config.json"):
            self.assertTrue((run / name).exists(), name)
        self.assertFalse((run / "state.safetensors").exists(), "a finished run keeps no training state")
        self.assertEqual(len((run / "noise.csv").read_text().splitlines()), 9)  # 10 % of 84 rows, and the header
        header = (run / "dynamics.bin").read_bytes()
        self.assertEqual(struct.unpack("<8sII", header[:16]), (b"NSDYNAM1", 84, 7))
        self.assertEqual(len(header), 64 + 4 * 84 * 16)
        self.assertEqual(sqlite3.connect(self.folder / "out/normscope.db").execute("SELECT state FROM runs").fetchall(), [("done",)])

    def test_the_same_seed_gives_the_same_run_and_another_does_not(self):
        self.ok("normscope run recipe.toml --out a && normscope run recipe.toml --out b"
                " && normscope run recipe.toml --out c --set seed.all=29")
        self.assertEqual(self.metrics("a"), self.metrics("b"))
        weights = "runs/seed28/checkpoint/model.safetensors"
        self.assertEqual((self.folder / "a" / weights).read_bytes(), (self.folder / "b" / weights).read_bytes())
        self.assertNotEqual(self.metrics("a"), self.metrics("c", "seed29"))

    def test_a_finished_study_is_not_repeated(self):
        self.ok("normscope run recipe.toml --out out")
        before = (self.folder / "out/runs/seed28/metrics.csv").stat().st_mtime_ns
        self.ok("normscope run recipe.toml --out out")
        self.assertEqual((self.folder / "out/runs/seed28/metrics.csv").stat().st_mtime_ns, before)

    def test_stopped_and_killed_runs_go_on_bit_identically(self):
        whole = "OMP_NUM_THREADS=1 normscope run recipe.toml --set training.epochs=60 --out "
        self.ok(whole + "undisturbed")
        for number, code in ((signal.SIGTERM, 75), (signal.SIGUSR1, 75), (signal.SIGINT, 130), (signal.SIGKILL, -9)):
            with self.subTest(signal=number.name):
                self.stop_midway(number, (code,), number.name)
                status = json.loads(self.ok(f"normscope status {number.name} --json"))
                self.assertLess(status["runs"][0]["epoch"], 60)
                self.ok(whole + number.name)
                self.assertEqual(self.metrics(number.name), self.metrics("undisturbed"))
                for name in ("checkpoint/model.safetensors", "dynamics.bin"):
                    paths = [self.folder / out / "runs/seed28" / name for out in (number.name, "undisturbed")]
                    self.assertEqual(paths[0].read_bytes(), paths[1].read_bytes(), name)

    def test_removed_parameters_are_gone_and_saved_as_ones_and_zeros(self):
        self.ok("normscope run recipe.toml --out out --set norm.layers=all")
        checkpoint = self.folder / "out/runs/seed28/checkpoint"
        config = json.loads((checkpoint / "config.json").read_text())
        norms = json.loads(self.ok("normscope inspect out/runs/seed28 --json"))["norms"]
        self.assertEqual(config["normscope"]["removed_norms"], [norm["name"] for norm in norms])
        self.assertFalse(any(norm["affine"] for norm in norms))
        raw = (checkpoint / "model.safetensors").read_bytes()
        size = struct.unpack("<Q", raw[:8])[0]
        header = json.loads(raw[8:8 + size])
        for norm in norms:
            for suffix, value in ((".weight", 1.0), (".bias", 0.0)):
                begin, end = header[norm["name"] + suffix]["data_offsets"]
                values = struct.unpack(f"<{norm['size']}f", raw[8 + size + begin:8 + size + end])
                self.assertEqual(set(values), {value})
        facts = sqlite3.connect(self.folder / "out/normscope.db").execute("SELECT facts FROM runs").fetchone()[0]
        self.assertEqual(json.loads(facts)["removed_parameters"], sum(2 * norm["size"] for norm in norms))

    def test_a_saved_run_evaluates_to_its_last_epoch(self):
        self.ok("normscope run recipe.toml --out out --set norm.layers=early")
        last = self.metrics("out")[-1]
        result = json.loads(self.ok("normscope evaluate out/runs/seed28 --data test.csv --json --predictions p.csv"))
        self.assertAlmostEqual(result["accuracy"], float(last["test_accuracy"]), places=6)
        self.assertAlmostEqual(result["loss"], float(last["test_loss"]), places=5)
        self.assertEqual(sum(map(sum, result["confusion"])), result["rows"])
        with open(self.folder / "p.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        hits = sum(row["label"] == row["predicted_label"] for row in rows)
        self.assertAlmostEqual(100 * hits / len(rows), result["accuracy"])
        (self.folder / "unlabelled.csv").write_text('text\n"a, b"\nnet 3\n')
        self.ok("normscope predict out/runs/seed28 --data unlabelled.csv --output q.csv")
        header = (self.folder / "q.csv").read_text().splitlines()[0]
        self.assertTrue(header.startswith("row,predicted_label,logit_"), header)

    def test_a_grid_is_one_study_with_one_report(self):
        (self.folder / "grid.toml").write_text(RECIPE + '[grid]\n"norm.layers" = ["none", "all"]\n"seed.all" = [1, 2]\n')
        self.ok("normscope run grid.toml --out out")
        self.assertEqual(json.loads(self.ok("normscope status out --json"))["done"], 4)
        rows = list(csv.DictReader(self.ok("normscope export out --csv").splitlines()))
        self.assertEqual(len(rows), 16)
        self.assertEqual(len(self.ok("normscope export out --jsonl").splitlines()), 16)
        report = (self.folder / "out/report.html").read_text()
        self.assertIn("undecided (too few)", report)
        self.assertNotIn("<script src", report)

    # -- commands that stand alone ----------------------------------------------------------------------------

    def test_the_authors_logs_are_part_of_the_program(self):
        tables = self.ok("cd / && normscope report --paper --format markdown")
        self.assertIn("**BERT on Emotions (Post-LN)**", tables)
        self.assertIn("\\begin{tabular}", self.ok("normscope report --paper --format latex"))
        self.fails("normscope report", 2, "expected a study's output folder, or --paper")
        self.fails("normscope report out --paper", 2, "--paper")

    def test_noise_is_exact_and_repeats(self):
        for kind, count in (("symmetric", 8), ("pair_flip", 8)):
            self.ok(f"normscope noise --data train.csv --rate 0.1 --seed 3 --kind {kind} --output {kind}.csv")
            with open(self.folder / f"{kind}.csv", newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual(list(rows[0]), ["row", "source_row", "given_label", "true_label"])
            self.assertEqual(len({row["row"] for row in rows}), count)
            self.assertTrue(all(row["given_label"] != row["true_label"] for row in rows))
        self.ok("normscope noise --data train.csv --rate 0.1 --seed 3 --class sound --output paper.csv")
        self.assertEqual({row["true_label"] for row in csv.DictReader(open(self.folder / "paper.csv"))}, {"sound"})
        self.ok("normscope run recipe.toml --out out --set noise.kind=file --set noise.file=paper.csv --set noise.rate=0")
        self.assertEqual((self.folder / "out/runs/seed28/noise.csv").read_text(), (self.folder / "paper.csv").read_text())

    def test_noise_follows_a_matrix_the_contents_or_a_column(self):
        rows_of = lambda name: list(csv.DictReader((self.folder / name).read_text().splitlines()))
        labels = [row["label"] for row in rows_of("train.csv")]
        names = sorted(set(labels))
        noise = "normscope noise --data train.csv --seed 3 --output n.csv "
        read = lambda: rows_of("n.csv")
        with open(self.folder / "m.csv", "w") as file:  # a quarter of each class becomes the next one
            file.write("true_label," + ",".join(names) + "\n")
            for i, name in enumerate(names):
                file.write(name + "".join(f",{0.75 if i == k else 0.25 if k == (i + 1) % 7 else 0}" for k in range(7)) + "\n")
        self.ok(noise + "--kind class_matrix --matrix m.csv")
        self.assertEqual(len(read()), 21)
        self.ok(noise + "--kind class_matrix --matrix m.csv --rate 0.5")
        self.assertEqual(len(read()), 42)
        for row in read():
            self.assertEqual(names.index(row["given_label"]), (names.index(row["true_label"]) + 1) % 7)
        self.ok(noise + "--kind instance --rate 0.3")
        self.assertEqual(len({row["row"] for row in read()}), 25)
        drawn = (self.folder / "n.csv").read_text()
        self.ok(noise + "--kind instance --rate 0.3")
        self.assertEqual((self.folder / "n.csv").read_text(), drawn)
        with open(self.folder / "people.csv", "w") as file:
            file.write("clean,worst\n" + "".join(f"{x},{'net' if i % 10 == 0 else x}\n" for i, x in enumerate(labels)))
        self.ok(noise + "--kind file --noise-file people.csv --noise-column worst --true-label-column clean")
        expected = [i for i, label in enumerate(labels) if i % 10 == 0 and label != "net"]
        self.assertEqual([int(row["row"]) for row in read()], expected)
        self.fails(noise + "--kind symmetric", 2, "--rate")
        self.fails(noise + "--kind class_matrix", 2, "noise.matrix")
        self.fails(noise + "--kind file --noise-file people.csv --noise-column best", 3, "best", "worst")

    def test_a_noise_file_knows_its_data(self):
        self.ok("normscope noise --data train.csv --rate 0.1 --seed 3 --output n.csv")
        run = "normscope run recipe.toml --set noise.kind=file --set noise.rate=0 --set noise.file=n.csv --set training.epochs=1 --out "
        self.ok(run + "out")
        for end in ("", ".hash"):  # what a run leaves draws the same again
            self.assertEqual((self.folder / f"out/runs/seed28/noise.csv{end}").read_bytes(), (self.folder / f"n.csv{end}").read_bytes())
        text = (self.folder / "train.csv").read_text()
        (self.folder / "train.csv").write_text(text.replace("tr 83 of text", "tr 83 of other text"))
        self.fails(run + "other", 3, "n.csv", "other data")

    def test_tokenize_reads_lines_and_jsonl(self):
        plain = json.loads(self.ok("echo 'net 3 of sound' | normscope tokenize checkpoint --json --decode"))
        self.assertEqual(len(plain["ids"]), len(plain["offsets"]))
        line = json.dumps({"text": "net 3\nof sound"})
        self.assertEqual(json.loads(self.ok(f"echo '{line}' | normscope tokenize checkpoint --json --jsonl"))["ids"], plain["ids"])

    def test_verify_passes_and_fails_by_its_exit_code(self):
        fixture = ROOT / "tests/fixtures/models/bert"
        result = json.loads(self.ok(f"normscope verify {fixture} --json"))
        self.assertTrue(result["passed"])
        self.assertIn("norm_input_grad", [group["name"] for group in result["groups"]])
        self.fails(f"normscope verify {fixture} --tolerance 1e-12", 1)

    def test_bench_and_list_and_version(self):
        bench = json.loads(self.ok("normscope bench checkpoint --data train.csv --steps 2 --json"))
        for key in ("seconds_per_step", "tokens_per_second", "limit_seconds_per_step", "share_of_limit", "peak_memory_bytes"):
            self.assertGreater(bench[key], 0)
        for what in ("architectures", "interventions", "measurements", "formats", "noise", "preparations"):
            self.assertTrue(self.ok(f"normscope list {what}"))
        self.assertRegex(self.ok("normscope --version"), r"^normscope \d+\.\d+\.\d+\n$")

    # -- mistakes ---------------------------------------------------------------------------------------------

    def test_mistakes_in_the_recipe_are_usage_errors(self):
        run = "normscope run recipe.toml --out out "
        self.fails(run + "--set training.epoch=3", 2, "training.epoch", "epochs")
        self.fails(run + "--set noise.kind=paper --set noise.class=sonud", 2, "sonud", "sound")
        self.fails(run + "--set noise.rate=0.001", 2, "noise")
        self.fails(run + "--set norm.policy=paper:all --set norm.layers=all", 2, "norm.policy")
        self.fails(run + "--set norm.layers=0-9", 2, "layer")
        self.fails(run + "--set data.max_length=5000", 2, "max_length", "positions")
        self.fails(run + "--set norm.intervention=remove_afine", 2, "remove_affine")
        self.fails(run + "--set norm.layers=all --set norm.alpha=0.5", 2, "norm.alpha", "remove_affine has no strength")
        self.fails(run + "--set norm.layers=all --set norm.intervention=fold", 2, "bert.embeddings.LayerNorm", "is read by more")
        self.fails(run + "--set norm.layers=all --set norm.at_epoch=3", 2, "norm.at_epoch", "never reached")
        self.fails(run + "--set norm.layers=all --set norm.intervention=reset --set norm.restore_at_epoch=1", 2,
                   "norm.restore_at_epoch", "takes nothing away")
        self.fails(run + "--set training.optimizer=adagrad", 2, "muon")
        self.fails(run + "--set training.momentum=0.9", 2, "training.momentum", "no effect")
        self.fails("normscope run missing.toml", 2, "missing.toml")
        self.fails("normscope fly", 2)

    def test_bad_data_names_file_and_line(self):
        run = "normscope run recipe.toml --out out --set data.train=bad.csv"
        bad = self.folder / "bad.csv"
        bad.write_bytes(b"text,label\nfine,net\nbroken \xff,net\n")
        self.fails(run, 3, "bad.csv:3", "UTF-8")
        bad.write_text('text,label\nfine,net\n"never closed,net\n')
        self.fails(run, 3, "bad.csv:3")
        bad.write_text("text,section\nfine,net\n")
        self.fails(run, 3, "label")
        self.fails("normscope run recipe.toml --out out --set data.train=absent.csv", 3, "absent.csv")
        bad.write_text("text,label\n" + "".join(f"row {i},{'net' if i % 2 else 'text'}\n" for i in range(40)))
        self.fails(run, 3, "test.csv", "admin")  # a class in the test set that training lacks

    def test_bad_checkpoints_are_refused(self):
        weights = self.folder / "checkpoint/model.safetensors"
        whole = weights.read_bytes()
        run = "normscope run recipe.toml --out out"
        weights.write_bytes(whole[:len(whole) // 2])
        self.fails(run, 4, "model.safetensors")
        weights.write_bytes(struct.pack("<Q", 1 << 40) + whole[8:])
        self.fails(run, 4, "model.safetensors")
        weights.write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n")
        self.fails(run, 4, "LFS")
        weights.unlink()
        self.fails(run, 4, "checkpoint")
        self.fails("normscope inspect no_such_model", 4, "no_such_model")

    def test_a_missing_core_weight_is_an_error_and_a_missing_head_is_drawn(self):
        weights = self.folder / "checkpoint/model.safetensors"
        raw = weights.read_bytes()
        size = struct.unpack("<Q", raw[:8])[0]
        header = raw[8:8 + size]
        renamed = header.replace(b"encoder.layer.0.output.dense.weight", b"encoder.layer.0.output.dense.wXight")
        self.assertNotEqual(renamed, header)
        weights.write_bytes(raw[:8] + renamed + raw[8 + size:])
        self.fails("normscope run recipe.toml --out out", 4, "encoder.layer.0.output.dense.weight")
        weights.write_bytes(raw)
        result = self.sandbox.run("normscope run recipe.toml --out out2 --set training.epochs=1")
        self.assertIn("not in the checkpoint, drawn from the seed: classifier.weight", result.stderr)

    def test_divergence_fails_the_run_and_keeps_the_last_good_state(self):
        self.fails("normscope run recipe.toml --out out --set training.learning_rate=1e30", 1, "the loss became")
        self.assertTrue((self.folder / "out/runs/seed28/state.safetensors").exists())
        status = json.loads(self.ok("normscope status out --json"))
        self.assertEqual(status["runs"][0]["state"], "failed")

    def test_a_folder_of_another_recipe_or_of_something_else_is_left_alone(self):
        self.ok("normscope run recipe.toml --out out --set training.epochs=1")
        self.fails("normscope run recipe.toml --out out --set name=other --set training.epochs=2", 2, "another recipe")
        self.fails("normscope run recipe.toml --out out --fresh --set training.epochs=1", 2, "--fresh=replace")
        self.ok("normscope run recipe.toml --out out --fresh=replace --set training.epochs=2")
        (self.folder / "mine").mkdir()
        (self.folder / "mine/thesis.txt").write_text("keep")
        self.fails("normscope run recipe.toml --out mine", 2, "mine")
        self.fails("normscope run recipe.toml --out mine --fresh=replace", 2, "mine")
        self.assertEqual([path.name for path in (self.folder / "mine").iterdir()], ["thesis.txt"])

    def test_a_full_disk_is_an_error_and_nothing_is_half_written(self):
        # A file size limit stands in for the disk: writes beyond it fail as on a full one.
        result = self.sandbox.run("trap '' XFSZ; ulimit -f 64; normscope run recipe.toml --out out")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertFalse(list(self.folder.glob("out/**/*.partial*")), "no temporary file stays")
        self.ok("normscope run recipe.toml --out out")


if __name__ == "__main__":
    main()
