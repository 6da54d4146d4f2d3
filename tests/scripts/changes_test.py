"""Changed models as users meet them: changes_test.py NORMSCOPE. Interventions, trigger words, what measure says of them."""
import csv
import json
import signal
import sqlite3

from command_test_case import CommandTestCase, main


class ChangesTest(CommandTestCase):
    def test_a_run_changed_between_epochs_goes_on_bit_identically(self):
        settings = ("--set training.epochs=8 --set norm.layers=all --set norm.intervention=freeze --set norm.at_epoch=2 "
                    "--set norm.restore_at_epoch=5 --set training.optimizer=muon")
        self.ok(f"normscope run recipe.toml --out undisturbed {settings}")
        for epochs in (2, 4, 6):  # before, between and after the changes
            out = f"stopped{epochs}"
            self.stop_midway(signal.SIGTERM, (0, 75), out, settings, epochs)
            self.ok(f"normscope run recipe.toml --out {out} {settings}")
            self.assertEqual(self.metrics(out), self.metrics("undisturbed"))
            weights = [self.folder / o / "runs/seed28/checkpoint/model.safetensors" for o in (out, "undisturbed")]
            self.assertEqual(weights[0].read_bytes(), weights[1].read_bytes())

    def test_every_intervention_runs_and_its_checkpoint_evaluates_to_its_last_epoch(self):
        listed = [line.split()[0] for line in self.ok("normscope list interventions").splitlines()]
        self.assertGreater(len(listed), 11)
        for name in listed:
            with self.subTest(intervention=name):
                settings = {"fold": "--set model.start=random --set model.placement=pre_norm --set norm.layers=blocks",
                            "to_layer_norm": None,  # of a model with RMSNorm; tests/experiments has it
                            "interpolate": "--set norm.layers=all --set norm.alpha=0.25",
                            **{f"remove_{which}_bias": "--set norm.layers=blocks" for which in ("linear", "input", "output")}}.get(name, "--set norm.layers=all")
                if settings is None:
                    self.fails(f"normscope run recipe.toml --out {name} --set norm.layers=all --set norm.intervention={name}", 2,
                               "is LayerNorm already")
                    continue
                self.ok(f"normscope run recipe.toml --out {name} --set training.epochs=1 --set norm.intervention={name} {settings}")
                result = json.loads(self.ok(f"normscope evaluate {name}/runs/seed28 --data test.csv --json"))
                self.assertAlmostEqual(result["loss"], float(self.metrics(name)[-1]["test_loss"]), places=6)
        report = (self.folder / "interpolate/report.html").read_text()
        self.assertIn("all interpolated by 0.25", report)

    def test_an_intervention_may_come_later_and_be_put_back(self):
        later = "normscope run recipe.toml --set norm.layers=all --set norm.at_epoch=1 "
        self.ok("normscope run recipe.toml --out intact && normscope run recipe.toml --out removed --set norm.layers=all")
        self.ok(later + "--out later")
        self.ok(later + "--out back --set norm.restore_at_epoch=2 --set norm.restore=values")
        intact, removed, later_rows, back = map(self.metrics, ("intact", "removed", "later", "back"))
        self.assertEqual(later_rows[:2], intact[:2], "nothing happens before the epoch")
        self.assertNotEqual(later_rows[2], intact[2])
        self.assertNotEqual(later_rows[3], removed[3])
        self.assertEqual(back[:3], later_rows[:3])
        self.assertNotEqual(back[3], later_rows[3])
        norms = lambda out: json.loads(self.ok(f"normscope inspect {out}/runs/seed28 --json"))["norms"]
        self.assertFalse(any(norm["affine"] for norm in norms("later")))
        self.assertTrue(all(norm["affine"] for norm in norms("back")))
        self.assertIn("all removed after epoch 1, back after epoch 2 as it was", (self.folder / "back/report.html").read_text())

    def test_a_trigger_word_is_learned_and_measured(self):
        self.ok("normscope run recipe.toml --out out --set noise.kind=none --set noise.rate=0 --set training.epochs=40 "
                "--set training.learning_rate=1e-3 --set trigger.word=zzz --set trigger.class=sound --set trigger.rate=0.14 "
                "--set seed.all=30")
        rows = [line.split(",") for line in (self.folder / "out/runs/seed30/trigger.csv").read_text().splitlines()]
        self.assertEqual(rows[0], ["row", "source_row"])
        self.assertEqual(len(rows), 12)  # 14 % of 84 rows, and the header
        self.assertTrue(all(int(row) % 7 == 5 for row, _ in rows[1:]), "sound is the sixth of seven classes")
        epochs = [json.loads(line) for line in self.ok("normscope export out --jsonl").splitlines()]
        scores = [{(r["split"], r["metric"]): r["value"] for r in epoch["readings"]} for epoch in epochs]
        drifts = {("train", "weight_drift"), ("train", "bias_drift")}
        self.assertEqual(set(scores[0]) - drifts, {(s, m) for s in ("train", "test") for m in ("m_score", "m_score_p")})
        self.assertLess(abs(scores[0]["test", "m_score"]), 0.05, "before training the word means nothing")
        self.assertGreater(scores[-1]["test", "m_score"], 0.3)
        self.assertLess(scores[-1]["test", "m_score_p"], 0.01)
        self.assertIn("zzz", (self.folder / "out/report.html").read_text())
        run = "normscope run recipe.toml --out x --set trigger.word=zzz "
        self.fails(run, 2, "trigger.class")
        self.fails(run + "--set trigger.class=sonud --set trigger.rate=0.1", 2, "sonud", "sound")
        self.fails(run + "--set trigger.class=sound --set trigger.rate=0.9", 2, "trigger.rate", "12")

    def test_training_records_its_own_gradients(self):
        settings = "--set training.epochs=2 --set norm.layers=early"
        self.ok(f"normscope run recipe.toml --out plain {settings}")
        self.ok(f"normscope run recipe.toml --out out {settings} --set measure.training_gradients=true")
        with sqlite3.connect(self.folder / "out/normscope.db") as database:
            stored = set(database.execute("SELECT epoch, split, metric, layer FROM norm_readings "
                                          "WHERE metric LIKE 'training_gradient_%' AND role = 'attention'"))
        expected = {(epoch, split, "training_gradient_norm", layer)
                    for epoch in (1, 2) for split in ("train_clean", "memorization") for layer in (0, 1, 2)}
        expected |= {(epoch, "train", f"training_gradient_{of}", layer)
                     for epoch in (1, 2) for of in ("weight", "bias") for layer in (1, 2)}  # layer 0 has neither
        self.assertEqual(stored, expected)
        self.assertIn("Gradients while training", (self.folder / "out/report.html").read_text())
        self.assertNotIn("Gradients while training", (self.folder / "plain/report.html").read_text())
        weights = [(self.folder / out / "runs/seed28/checkpoint/model.safetensors").read_bytes() for out in ("plain", "out")]
        self.assertEqual(*weights)

    def test_measure_gives_what_the_run_stored_and_checks_the_theorems(self):
        self.ok("normscope run recipe.toml --out out --set measure.gradients_every=3 --set data.validation_fraction=0.1")
        files = "--train train.csv --test test.csv --noise out/runs/seed28/noise.csv"
        measured = json.loads(self.ok(f"normscope measure out/runs/seed28 {files} --theorems --samples 3 --json"))
        rows = {name: of["rows"] for name, of in measured["sets"].items()}
        with open(self.folder / "out/runs/seed28/noise.csv", newline="") as file:
            noisy = len(list(csv.DictReader(file)))
        self.assertEqual((rows["learning"], rows["random_labels"]), (28, 28))
        self.assertEqual((rows["memorization"], rows["noisy_true"]), (noisy, noisy))
        with sqlite3.connect(self.folder / "out/normscope.db") as database:
            stored = {key[0:4]: key[4] for key in database.execute(
                "SELECT split, metric, layer, role, value FROM norm_readings WHERE epoch = 3")}
            self.assertEqual(database.execute(
                "SELECT group_concat(DISTINCT epoch) FROM norm_readings WHERE metric NOT LIKE '%_drift'").fetchone()[0], "0,3")
        self.assertEqual(len(measured["norms"]), 7)  # embeddings and three blocks of two
        for norm in measured["norms"]:
            for name in ("learning", "memorization", "noisy_true", "random_labels"):
                of = norm["gradients"][name]
                self.assertAlmostEqual(of["total"]["mean"] / of["branch"]["mean"], 1, places=5)  # BERT is Post-LN
                self.assertLessEqual(of["total"]["low"], of["total"]["mean"])
                self.assertLessEqual(of["total"]["mean"], of["total"]["high"])
                reading = stored[name, "gradient_norm", norm["layer"], norm["role"]]
                self.assertAlmostEqual(of["total"]["mean"] / reading, 1, places=4)
            self.assertIn("train_clean", norm["gradients"])
            self.assertAlmostEqual(norm["sigma"] / stored["test", "sigma", norm["layer"], norm["role"]], 1, places=4)
            self.assertGreater(norm["input_norm"], 0)
        theorems = {of["theorem"]: of for of in measured["theorems"]}
        self.assertEqual(theorems[2]["verdict"], "holds")
        for of in theorems.values():
            self.assertIn(of["verdict"], ("holds", "fails", "assumption not met"))
        for norm in theorems[2]["sets"]["learning"]["norms"]:
            self.assertLessEqual(norm["t0"], norm["t1"])
            self.assertLessEqual(norm["t1"], norm["t2"] * 1.001)
            self.assertLessEqual(norm["t2"], norm["t3"] * 1.001)
        text = self.ok(f"normscope measure out/runs/seed28 {files} --theorems --samples 1")
        for word in ("Theorem 1: ", "Theorem 2, learning, 1 rows: holds", "Theorem 3, memorization", "feed_forward 2"):
            self.assertIn(word, text)
        (self.folder / "bad.csv").write_text("row,source_row,given_label,true_label\n0,999,net,text\n")
        self.fails(f"normscope measure out/runs/seed28 {files.replace('out/runs/seed28/noise.csv', 'bad.csv')}", 3,
                   "bad.csv:2", "source_row 999")


if __name__ == "__main__":
    main()
