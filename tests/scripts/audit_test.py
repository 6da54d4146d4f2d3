"""Wrong labels found by the program as its users meet it: audit_test.py NORMSCOPE. From probabilities alone, from a
run's own epochs, and out of sample."""
import csv
import json

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


if __name__ == "__main__":
    main()
