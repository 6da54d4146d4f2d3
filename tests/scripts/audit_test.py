"""Wrong labels found by the program as its users meet it: audit_test.py NORMSCOPE. From probabilities alone, from a
run's own epochs, and out of sample."""
import csv
import json
import math
import shutil
import sqlite3
import struct

from command_test_case import CommandTestCase, main
from sandbox import ROOT

CASES = json.loads((ROOT / "tests/fixtures/audit/cases.json").read_text())["cases"]


class AuditTest(CommandTestCase):
    def write_probabilities(self, name, case, labels=True, true=False):
        classes = [f"class {i}" for i in range(len(case["pred_probs"][0]))]
        with open(self.folder / name, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow((["label"] if labels else []) + (["true_label"] if true else []) + classes)
            for i, row in enumerate(case["pred_probs"]):
                writer.writerow(([classes[case["labels"][i]]] if labels else []) +
                                ([classes[case["true"][i]]] if true else []) + [repr(p) for p in row])

    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    # -- probabilities that a user brings ---------------------------------------------------------------------

    def test_issues_and_ranking_of_probabilities_equal_cleanlabs(self):
        for number, case in enumerate(CASES):
            self.write_probabilities("p.csv", case)
            for name, expected in case["filters"].items():
                with self.subTest(case=number, filter=name):
                    self.ok(f"normscope audit --pred-probs p.csv --filter {name} --output out.csv")
                    issues = [int(row["row"]) for row in self.rows("out.csv") if row["is_label_issue"] == "True"]
                    self.assertEqual(sorted(issues), expected)
                    if name == "prune_by_noise_rate":
                        self.assertEqual(issues, case["ranked_by_self_confidence"])
            for name, expected in case["scores"].items():
                self.ok(f"normscope audit --pred-probs p.csv --score {name} --output out.csv")
                scores = {int(row["row"]): float(row["label_score"]) for row in self.rows("out.csv")}
                for i, value in enumerate(expected):
                    self.assertAlmostEqual(scores[i], value, places=12)
            out = json.loads(self.ok("normscope audit --pred-probs p.csv --json"))
            self.assertEqual(out["confident_joint"], case["confident_joint"])
            for row, expected in zip(out["noise_matrix"], case["latent"]["noise_matrix"]):
                for value, other in zip(row, expected):
                    self.assertAlmostEqual(value, other, places=12)
            self.assertEqual(sum(map(sum, out["confusion"])), out["issues"])

    def test_the_table_names_the_worst_rows_and_labels_come_from_a_file_too(self):
        self.write_probabilities("p.csv", CASES[0])
        out = self.ok("normscope audit --pred-probs p.csv --top 3")
        self.assertIn("11 of 60 rows (18.3 %) have a suspicious label", out)
        shown = [line.split()[0] for line in out.splitlines() if line.strip()[:1].isdigit()][1:]
        self.assertEqual(shown, [str(i) for i in CASES[0]["ranked_by_self_confidence"][:3]])
        self.write_probabilities("q.csv", CASES[0], labels=False)
        (self.folder / "l.csv").write_text("label\n" + "".join(f"class {i}\n" for i in CASES[0]["labels"]))
        self.assertEqual(self.ok("normscope audit --pred-probs q.csv --labels l.csv --top 3"), out)

    def test_known_truth_shows_how_good_each_score_is(self):
        self.write_probabilities("p.csv", CASES[1], true=True)
        out = json.loads(self.ok("normscope audit --pred-probs p.csv --json"))["detection"]
        wrong = [i for i, pair in enumerate(zip(CASES[1]["labels"], CASES[1]["true"])) if pair[0] != pair[1]]
        self.assertEqual(out["wrong_labels"], len(wrong))
        scores = CASES[1]["scores"]["self_confidence"]
        lowest = sorted(range(len(scores)), key=lambda i: scores[i])[:len(wrong)]
        hits = len(set(lowest) & set(wrong))
        measured = next(s for s in out["signals"] if s["signal"] == "self_confidence")
        self.assertAlmostEqual(measured["precision_at_n"], 100 * hits / len(wrong))
        flagged = CASES[1]["filters"]["prune_by_noise_rate"]
        self.assertAlmostEqual(out["flagged"]["miss_rate"], 100 * (1 - len(set(flagged) & set(wrong)) / len(wrong)))

    def test_corrections_are_listed_and_the_original_stays(self):
        self.write_probabilities("p.csv", CASES[0])
        before = (self.folder / "p.csv").read_bytes()
        out = json.loads(self.ok("normscope audit --pred-probs p.csv --json --write-corrected c.csv --correct-above 0.6"))
        changed = {c["row"]: c for c in out["corrections"]}
        self.assertTrue(changed)
        for i, row in enumerate(self.rows("c.csv")):
            given = f"class {CASES[0]['labels'][i]}"
            if i in changed:
                best = max(range(3), key=lambda k: CASES[0]["pred_probs"][i][k])
                self.assertGreaterEqual(CASES[0]["pred_probs"][i][best], 0.6)
                self.assertEqual((changed[i]["given_label"], row["label"]), (given, f"class {best}"))
            else:
                self.assertEqual(row["label"], given)
        self.assertEqual((self.folder / "p.csv").read_bytes(), before)

    def test_predictions_of_a_run_can_be_audited(self):
        self.ok("normscope run recipe.toml --out out && normscope evaluate out/runs/seed28 --data train.csv --predictions p.csv")
        self.ok("normscope audit --pred-probs p.csv --output a.csv")
        self.assertEqual(sorted(int(row["row"]) for row in self.rows("a.csv")), list(range(84)))

    def test_bad_probabilities_are_named(self):
        audit = "normscope audit --pred-probs p.csv"
        path = self.folder / "p.csv"
        path.write_text("label,a,b\na,0.5,0.5\nb,0.3,0.3\n")
        self.fails(audit, 3, "p.csv:3", "sum to 0.6")
        path.write_text("label,a,b\na,3.5,-2.5\n")
        self.fails(audit, 3, "p.csv:2", "logit_")
        path.write_text("a,b\n0.5,0.5\n")
        self.fails(audit, 3, "label", "--labels FILE")
        path.write_text("label,a,b\nc,0.5,0.5\n")
        self.fails(audit, 3, "p.csv:2", '"c" does not exist')
        path.write_text("label,a,b\na,0.9,0.1\na,0.8,0.2\nb,0.7,0.3\n")
        self.fails(audit + " --filter prune", 2, "prune_by_class")
        self.assertIn('class "b" has one row', self.sandbox.run(audit).stderr)
        path.write_text("label,a,b\na,0.9,0.1\na,0.8,0.2\nb,0.9,0.1\nb,0.7,0.3\n")
        self.assertIn('all 2 rows of class "b" are suspicious',
                      self.sandbox.run(audit + " --filter predicted_neq_given").stderr)
        self.fails("normscope audit", 2, "--pred-probs")
        self.fails("normscope audit recipe.toml --pred-probs p.csv", 2, "--pred-probs")
        self.fails("normscope audit --pred-probs absent.csv", 3, "absent.csv")
        self.fails(audit + " --labels absent.csv", 2, "--labels", "absent.csv is no file")

    # -- a run's own epochs -----------------------------------------------------------------------------------

    def dynamics(self, run):
        """Epochs after the first, each a list of (loss, logit, margin, prediction) by row."""
        raw = (run / "dynamics.bin").read_bytes()
        rows = struct.unpack("<I", raw[8:12])[0]
        records = list(struct.iter_unpack("<fffi", raw[64:]))
        return [records[i:i + rows] for i in range(rows, len(records), rows)]

    def test_a_run_is_ranked_by_its_mean_margin_and_held_against_the_noise(self):
        self.ok("normscope run recipe.toml --out out --set training.epochs=5")
        out = json.loads(self.ok("normscope audit out --json --top 100 --output a.csv"))
        rows = self.rows("a.csv")
        epochs = self.dynamics(self.folder / "out/runs/seed28")
        margins = [sum(epoch[i][2] for epoch in epochs) / len(epochs) for i in range(84)]
        for row in rows:
            self.assertAlmostEqual(float(row["mean_margin"]), margins[int(row["row"])], places=5)
            self.assertAlmostEqual(float(row["label_score"]), 1 / (1 + math.exp(-margins[int(row["row"])])), places=5)
            self.assertEqual(row["is_label_issue"] == "True", margins[int(row["row"])] < 0)
        self.assertEqual([int(row["row"]) for row in rows], sorted(range(84), key=lambda i: margins[i]))
        noisy = {int(row["row"]): row for row in self.rows("out/runs/seed28/noise.csv")}
        for row in rows:
            is_wrong = int(row["row"]) in noisy
            self.assertEqual(row["given_label"] != row["true_label"], is_wrong)
            if is_wrong:
                self.assertEqual(row["given_label"], noisy[int(row["row"])]["given_label"])
        self.assertEqual(out["detection"]["wrong_labels"], 8)
        hits = sum(int(row["row"]) in noisy for row in rows[:8])
        first = out["detection"]["signals"][0]
        self.assertEqual(first["signal"], "mean_margin")
        self.assertAlmostEqual(first["precision_at_n"], 100 * hits / 8)
        self.assertAlmostEqual(first["miss_rate"], 100 - 100 * hits / 8)
        self.assertEqual(json.loads((self.folder / "out/runs/seed28/audit.json").read_text())["issues"], out["issues"])
        self.assertEqual((self.folder / "out/runs/seed28/audit.csv").read_bytes(), (self.folder / "a.csv").read_bytes())
        self.assertIn("Against the truth: 8 wrong labels", self.ok("normscope audit out"))

    def write_odd_rows(self):
        """Texts that occur twice, once with another label, one without a word, one too long."""
        with open(self.folder / "train.csv", "a", newline="") as file:
            csv.writer(file).writerows([("tr 0 of admin", "admin"), ("tr 1 of games", "net"), ("", "net"),
                                        ("net " * 40, "net")])

    def test_a_row_tells_its_twins_and_what_is_wrong_with_its_text(self):
        self.write_odd_rows()
        self.ok("normscope run recipe.toml --out out --set noise.kind=none --set noise.rate=0")
        self.ok("normscope audit out --output a.csv")
        rows = {int(row["row"]): row for row in self.rows("a.csv")}
        self.assertNotIn("true_label", rows[0])
        self.assertEqual((rows[0]["duplicates"], rows[84]["duplicates"], rows[0]["conflicts"]), ("84", "0", ""))
        self.assertEqual((rows[1]["conflicts"], rows[85]["conflicts"]), ("85", "1"))
        self.assertIn("the same text is labelled games elsewhere", rows[85]["why"])
        self.assertIn("cut to max_length", rows[87]["why"])
        self.assertEqual(rows[0]["content"], "tr 0 of admin")

    def test_corrected_rows_are_data_again_and_the_original_stays(self):
        self.ok("normscope run recipe.toml --out out")
        before = (self.folder / "train.csv").read_bytes()
        out = json.loads(self.ok("normscope audit out --json --write-corrected fixed.csv --correct-above 0.1"))
        changed = {c["source_row"]: c["label"] for c in out["corrections"]}
        self.assertTrue(changed)
        fixed, given = self.rows("fixed.csv"), {int(r["row"]): r["given_label"] for r in self.rows("out/runs/seed28/audit.csv")}
        for row, original in zip(fixed, self.rows("train.csv")):
            self.assertEqual(row["text"], original["text"])
            self.assertEqual(row["label"], changed.get(int(row["source_row"]), given[int(row["source_row"])]))
        self.assertEqual((self.folder / "train.csv").read_bytes(), before)
        self.fails("normscope audit out --write-corrected train.csv", 2, "train.csv", "stays as it is")
        self.fails("normscope audit out --output train.csv", 2, "train.csv", "stays as it is")
        self.assertEqual((self.folder / "train.csv").read_bytes(), before)
        self.ok("normscope noise --data fixed.csv --rate 0.1 --seed 1 --output again.csv")

    def test_a_recipe_is_trained_and_audited_at_once(self):
        self.ok("normscope audit recipe.toml --out out --output a.csv")
        self.ok("normscope run recipe.toml --out other && normscope audit other --output b.csv")
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())

    def test_the_report_shows_what_was_found(self):
        self.ok("normscope run recipe.toml --out out")
        self.assertNotIn("Labels that may be wrong", (self.folder / "out/report.html").read_text())
        found = json.loads(self.ok("normscope audit out --json"))
        self.ok("normscope report out")
        report = (self.folder / "out/report.html").read_text()
        self.assertIn("<h2>Labels that may be wrong</h2>", report)
        self.assertIn(found["suspects"][0]["content"], report)
        self.assertIn("Against the truth: 8 wrong labels", report)
        self.ok("normscope run recipe.toml --out out --fresh=replace --set training.epochs=1")
        self.assertNotIn("Labels that may be wrong", (self.folder / "out/report.html").read_text())

    # -- out of sample ----------------------------------------------------------------------------------------

    def test_folds_judge_every_row_by_a_model_that_has_not_seen_it(self):
        self.write_odd_rows()
        out = json.loads(self.ok("normscope audit recipe.toml --folds 3 --out out --output a.csv --json"))
        rows = {int(row["row"]): row for row in self.rows("a.csv")}
        self.assertEqual(sorted(rows), list(range(88)))
        fold_of = {}
        for fold in (1, 2, 3):
            held_out = self.rows(f"out/runs/fold{fold}/held_out.csv")
            for row in held_out:
                self.assertNotIn(int(row["row"]), fold_of)
                fold_of[int(row["row"])] = fold
                logits = [float(row[key]) for key in row if key.startswith("logit_")]
                p = math.exp(float(row["logit_" + row["label"]])) / sum(map(math.exp, logits))
                self.assertAlmostEqual(float(rows[int(row["row"])]["self_confidence"]), p, places=9)
                self.assertEqual(row["label"], rows[int(row["row"])]["given_label"])
        self.assertEqual(sorted(fold_of), list(range(88)))
        self.assertEqual((fold_of[0], fold_of[1]), (fold_of[84], fold_of[85]), "equal texts share a fold")
        names = [signal["signal"] for signal in out["detection"]["signals"]]
        self.assertEqual(len(names), len(set(names)))
        for name in ("self_confidence", "mean_margin", "final_loss", "confidence", "variability"):
            self.assertIn(name, names)
        # The probabilities through the door for other classifiers: the same issues.
        with open(self.folder / "p.csv", "w") as file:
            for fold in (1, 2, 3):
                lines = (self.folder / f"out/runs/fold{fold}/held_out.csv").read_text().splitlines(True)
                file.writelines(lines if fold == 1 else lines[1:])
        self.ok("normscope audit --pred-probs p.csv --output b.csv")
        self.assertEqual({row["row"] for row in self.rows("b.csv") if row["is_label_issue"] == "True"},
                         {row["row"] for row in self.rows("a.csv") if row["is_label_issue"] == "True"})

    def test_folds_go_on_where_they_were_stopped(self):
        folds = "normscope audit recipe.toml --folds 2 --set training.epochs=4 --output "
        self.ok(folds + "a.csv --out whole")
        self.ok(folds + "b.csv --out part")
        for path in (self.folder / "part/runs/fold2").iterdir():  # as if it had never run
            path.unlink() if path.is_file() else shutil.rmtree(path)
        connection = sqlite3.connect(self.folder / "part/normscope.db")
        connection.execute("UPDATE runs SET state = 'waiting', epoch = 0 WHERE id = 'fold2'")
        connection.commit()
        connection.close()
        before = (self.folder / "part/runs/fold1/held_out.csv").stat().st_mtime_ns
        self.ok(folds + "b.csv --out part")
        self.assertEqual((self.folder / "part/runs/fold1/held_out.csv").stat().st_mtime_ns, before)
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())

    def test_mistakes_are_named(self):
        self.fails("normscope audit recipe.toml --folds 1", 2, "--folds", "at least 2")
        self.fails("normscope audit recipe.toml --folds 2 --filter cleanest --out unborn", 2, "prune_by_class")
        self.assertFalse((self.folder / "unborn").exists(), "nothing is trained for a filter that does not exist")
        self.fails("normscope audit recipe.toml --folds 90 --out out", 2, "folds: 90 are more than", "84")
        (self.folder / "grid.toml").write_text((self.folder / "recipe.toml").read_text() + '[grid]\n"seed.all" = [1, 2]\n')
        self.fails("normscope audit grid.toml --folds 2", 2, "grid has 2 runs", "--set")
        self.ok("normscope run recipe.toml --out bare --set measure.dynamics=false --set training.epochs=1")
        self.fails("normscope audit bare", 3, "dynamics.bin", "measure.dynamics")
        self.fails("normscope audit bare --run other", 2, "other", "seed28")
        self.fails("normscope audit bare --folds 2", 2, "--folds", "recipe")
        self.fails("normscope audit absent", 2, "absent")
        self.ok("normscope run recipe.toml --out changed --set training.epochs=1")
        rows = (self.folder / "train.csv").read_text()
        (self.folder / "train.csv").write_text(rows.replace("tr 3 of net", "tr 3 of net "))
        self.fails("normscope audit changed", 3, "train.csv", "has changed since run seed28")
        (self.folder / "train.csv").write_text(rows)
        self.ok("normscope audit changed")
        dynamics = self.folder / "changed/runs/seed28/dynamics.bin"
        dynamics.write_bytes(dynamics.read_bytes()[:-8])
        self.fails("normscope audit changed", 3, "dynamics.bin", "whole epochs")
        result = self.sandbox.run("normscope audit recipe.toml --folds 13 --out many --set training.epochs=1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("fewer than the 13 folds", result.stderr)


if __name__ == "__main__":
    main()
