"""Every recipe in recipes/ end to end on fixture models and a few rows: recipes_test.py NORMSCOPE."""
import csv
import json
import os
import shutil
import sys
import tomllib
import unittest

from sandbox import ROOT, Sandbox

NORMSCOPE = os.path.abspath(sys.argv.pop(1)) if __name__ == "__main__" else ""
RECIPES = ROOT / "recipes"
# The hub's names of the study's checkpoints, and the fixture of the same architecture that stands in for each.
FIXTURES = {
    "google-bert/bert-base-uncased": "bert",
    "microsoft/deberta-base": "deberta",
    "distilbert/distilbert-base-uncased": "distilbert",
    "EleutherAI/gpt-neo-125m": "gpt_neo",
    "google/electra-base-discriminator": "electra",
    "Qwen/Qwen2-0.5B-Instruct": "qwen2",
    "allenai/longformer-base-4096": "longformer",
    "openai-community/gpt2": "gpt2",
    "openai-community/gpt2-medium": "gpt2",
    "FacebookAI/roberta-base": "roberta",
    "andreasmadsen/efficient_mlm_m0.40": "roberta_prelayernorm",
}
PAIRS = {
    "emotions": {"bert", "deberta", "distilbert", "gpt_neo", "electra", "qwen2"},
    "news": {"electra", "longformer", "qwen2", "gpt2"},
    "tweettopic": {"roberta", "gpt2_medium", "roberta_prelayernorm"},
}
CLASSES = {
    "emotions": ("sadness", "joy", "love", "anger", "fear", "surprise"),
    "news": ("business", "sports", "politics", "health", "entertainment", "tech"),
    "tweettopic": ("arts_&_culture", "business_&_entrepreneurs", "pop_culture", "science_&_technology",
                   "sports_&_gaming", "daily_life"),
}
# Enough to run through everything once: one seed, one epoch, short rows, three wrong labels of sixty.
SHORT = ("--set 'grid.seed.all=[28]' --set training.epochs=1 --set data.max_length=12 --set noise.rate=0.05 "
         "--set training.batch_size=16")


def tokenizer_json():
    """Letters and digits, few enough for the fixtures' vocabulary of 96."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *letters, *("##" + letter for letter in letters)]
    special = [{"id": i, "content": token, "single_word": False, "lstrip": False, "rstrip": False,
                "normalized": False, "special": True} for i, token in enumerate(tokens[:4])]
    piece = lambda token: {"SpecialToken": {"id": token, "type_id": 0}}
    return {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": special,
        "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [piece("[CLS]"), {"Sequence": {"id": "A", "type_id": 0}}, piece("[SEP]")],
            "pair": [piece("[CLS]"), {"Sequence": {"id": "A", "type_id": 0}}, piece("[SEP]"),
                     {"Sequence": {"id": "B", "type_id": 1}}, piece("[SEP]")],
            "special_tokens": {token: {"id": token, "ids": [tokens.index(token)], "tokens": [token]}
                               for token in ("[CLS]", "[SEP]")}},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": {token: i for i, token in enumerate(tokens)}},
    }


class RecipesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sandbox = Sandbox(NORMSCOPE)
        cls.addClassCleanup(cls.sandbox.close)
        cls.folder = cls.sandbox.folder
        for name, fixture in FIXTURES.items():
            cls.put_into_hub_cache(name, fixture)
        for dataset in CLASSES:
            (cls.folder / "data" / dataset).mkdir(parents=True)
        for part, count in (("train", 60), ("val", 12), ("test", 12)):
            cls.write_rows(f"emotions/{part}.txt", "emotions", count, ";", ("text", "label_name"))
            cls.write_rows(f"news/{part}.csv", "news", count, ",", ("Excerpt", "Category"))
        for part, count in (("train", 60), ("validation", 12), ("test", 12)):
            with open(cls.folder / f"data/tweettopic/{part}_2020.jsonl", "w", encoding="utf-8") as file:
                for text, label in cls.rows("tweettopic", part, count):
                    file.write(json.dumps({"text": text, "label_name": label}) + "\n")

    @classmethod
    def put_into_hub_cache(cls, name, fixture):
        repository = cls.folder / "hub" / ("models--" + name.replace("/", "--"))
        snapshot = repository / "snapshots/0123456789abcdef0123456789abcdef01234567"
        snapshot.mkdir(parents=True)
        (repository / "refs").mkdir()
        (repository / "refs/main").write_text(snapshot.name)
        for file in ("config.json", "model.safetensors"):
            shutil.copy(ROOT / "tests/fixtures/models" / fixture / file, snapshot / file)
        (snapshot / "tokenizer.json").write_text(json.dumps(tokenizer_json()))

    @staticmethod
    def rows(dataset, part, count):
        for number in range(count):
            label = CLASSES[dataset][number % 6]
            yield f"{part} {number} on {label[:4]}", label

    @classmethod
    def write_rows(cls, path, dataset, count, delimiter, columns):
        with open(cls.folder / "data" / path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=delimiter)
            writer.writerow(columns)
            writer.writerows(cls.rows(dataset, path, count))

    def run_recipe(self, recipe, num_runs, extra="", has_noise=True):
        out = "out-" + "-".join(recipe.relative_to(RECIPES).with_suffix("").parts)
        result = self.sandbox.run(f"HF_HUB_CACHE=$PWD/hub normscope run {recipe} --out {out} {SHORT} {extra}")
        self.assertEqual(result.returncode, 0, f"{recipe}\n{result.stdout}\n{result.stderr}")
        status = json.loads(self.sandbox.run(f"normscope status {out} --json").stdout)
        self.assertEqual((status["done"], status["total"]), (num_runs, num_runs))
        for run in status["runs"]:
            with open(self.folder / out / "runs" / run["id"] / "metrics.csv", newline="") as file:
                epochs = list(csv.DictReader(file))
            self.assertEqual([row["epoch"] for row in epochs], ["0", "1"], run["id"])
            parts = [epochs[1][name] for name in ("memorization", "recovery", "random_prediction")]
            if has_noise:
                self.assertAlmostEqual(sum(map(float, parts)), 100, places=6)
            else:
                self.assertEqual(parts, ["", "", ""])
        self.assertIn("</html>", (self.folder / out / "report.html").read_text())
        return status

    def test_every_pair_has_a_paper_and_a_fair_recipe(self):
        expected = {f"{dataset}-{model}.toml" for dataset, models in PAIRS.items() for model in models}
        for folder in ("paper", "fair"):
            self.assertEqual({path.name for path in (RECIPES / folder).iterdir()}, expected, folder)
        fixtures = {path.name for path in RECIPES.glob("*.toml")}
        self.assertEqual(fixtures, {"demo.toml", "paper_text.toml"}, "a new recipe needs a test here")

    def test_the_whole_matrix_says_what_its_parts_say(self):
        matrix = tomllib.loads((RECIPES / "paper_text.toml").read_text())
        pairs = {pair.pop("name"): pair for pair in matrix["grid"]["pair"]}
        self.assertEqual(set(pairs), {path.stem for path in (RECIPES / "paper").iterdir()})
        for name, pair in pairs.items():
            part = tomllib.loads((RECIPES / "paper" / f"{name}.toml").read_text())
            for section in ("model", "data", "noise", "training"):
                whole = {**matrix.get(section, {}), **pair.get(section, {})}
                self.assertEqual(whole, part[section], f"{name} [{section}]")
            for key in ("seed.all", "norm.policy"):
                self.assertEqual(matrix["grid"][key], part["grid"][key], name)

    def test_fair_recipes_differ_only_in_model_and_data(self):
        fair = [tomllib.loads(path.read_text()) for path in sorted((RECIPES / "fair").iterdir())]
        for recipe in fair:
            self.assertEqual(recipe["grid"], fair[0]["grid"], recipe["name"])
            self.assertEqual(recipe["training"], fair[0]["training"], recipe["name"])

    def test_paper_recipes_run(self):
        for recipe in sorted((RECIPES / "paper").iterdir()):
            with self.subTest(recipe=recipe.name):
                self.run_recipe(recipe, 5)

    def test_fair_recipes_run(self):
        for recipe in sorted((RECIPES / "fair").iterdir()):
            with self.subTest(recipe=recipe.name):
                self.run_recipe(recipe, 12)

    def test_rebuttal_recipes_run(self):
        runs = {"noise": 6, "optimizers": 6, "single_layer": 4, "epochs": 2, "trigger": 2}
        for recipe in sorted((RECIPES / "rebuttal").iterdir()):
            question, pair = recipe.stem.split("-", 1)
            with self.subTest(recipe=recipe.name):
                extra = "--set 'grid.norm.layers=[\"none\", \"0\", \"1\", \"2\"]'" if question == "single_layer" else ""
                if question == "trigger":
                    extra = "--set trigger.rate=0.05 --set noise.rate=0"
                self.run_recipe(recipe, runs[question], extra, has_noise=question != "trigger")
                paper = tomllib.loads((RECIPES / "paper" / f"{pair}.toml").read_text())
                mine = tomllib.loads(recipe.read_text())
                self.assertEqual((mine["model"], mine["data"]), (paper["model"], paper["data"]))

    def test_cifar_n_recipes_are_complete(self):
        labels = {"cifar10n": 5, "cifar100n": 1}
        self.assertEqual({path.stem for path in (RECIPES / "cifar-n").iterdir()}, set(labels))
        for name, count in labels.items():
            result = self.sandbox.run(f"normscope run {RECIPES}/cifar-n/{name}.toml --dry-run")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(len(result.stdout.splitlines()), count)

    def test_the_whole_matrix_runs(self):
        status = self.run_recipe(RECIPES / "paper_text.toml", 13 * 5)
        self.assertIn("paper-all-news-longformer-seed28", [run["id"] for run in status["runs"]])

    def test_the_demo_runs_on_another_checkpoint(self):
        checkpoint = self.folder / "hub/models--google-bert--bert-base-uncased/snapshots"
        rows = "--set data.train=data/news/train.csv --set data.test=data/news/test.csv"
        columns = "--set data.text_column=Excerpt --set data.label_column=Category --set noise.class=tech"
        self.run_recipe(RECIPES / "demo.toml", 2, f"--set model.checkpoint={next(checkpoint.iterdir())} {rows} {columns}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
