"""Every recipe in recipes/ end to end on fixture models and a few rows: recipes_test.py NORMSCOPE."""
import csv
import gzip
import json
import os
import shutil
import sqlite3
import sys
import tomllib
import unittest

from pictures import png
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
    "google/vit-base-patch16-224": "vit",
    "facebook/deit-base-distilled-patch16-224": "deit",
    "facebook/vit-msn-small": "vit_msn",
}
TEXT_PAIRS = {
    "emotions": {"bert", "deberta", "distilbert", "gpt_neo", "electra", "qwen2"},
    "news": {"electra", "longformer", "qwen2", "gpt2"},
    "tweettopic": {"roberta", "gpt2_medium", "roberta_prelayernorm"},
}
IMAGE_PAIRS = {"cifar10": {"vit_b"}, "cifar100": {"vit_s"}, "utkface": {"deit"}, "nico": {"vit_s"}}
PAIRS = TEXT_PAIRS | IMAGE_PAIRS
CIFAR10 = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
NICO = ("car", "flower", "penguin", "camel", "chair", "monitor", "truck", "wheat", "sword", "seal", "lion", "fish",
        "dolphin", "lifeboat", "tank", "none of the study's")
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


def gray_pixels(number):
    return bytes((number * 31 + i * 7) % 256 for i in range(3 * 32 * 32))


def small_picture(number):
    return png(40, 40, lambda x, y: ((number * 37 + 5 * x) % 256, (11 * y) % 256, number % 256))


def few_rows(pair):
    """CIFAR's preparations draw 2,000 and 500 rows of every class; here all the rows there are."""
    if "cifar" not in pair:
        return ""
    batch = "cifar-100-python/test.bin" if "cifar100" in pair else "cifar-10-batches-py/test_batch.bin"
    return f"--set data.prepare=plain --set data.validation=data/{batch}"


class RecipesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sandbox = Sandbox(NORMSCOPE)
        cls.addClassCleanup(cls.sandbox.close)
        cls.folder = cls.sandbox.folder
        for name, fixture in FIXTURES.items():
            cls.put_into_hub_cache(name, fixture)
        for dataset in TEXT_PAIRS:
            (cls.folder / "data" / dataset).mkdir(parents=True)
        for part, count in (("train", 60), ("val", 12), ("test", 12)):
            cls.write_rows(f"emotions/{part}.txt", "emotions", count, ";", ("text", "label_name"))
            cls.write_rows(f"news/{part}.csv", "news", count, ",", ("Excerpt", "Category"))
        for part, count in (("train", 60), ("validation", 12), ("test", 12)):
            with open(cls.folder / f"data/tweettopic/{part}_2020.jsonl", "w", encoding="utf-8") as file:
                for text, label in cls.rows("tweettopic", part, count):
                    file.write(json.dumps({"text": text, "label_name": label}) + "\n")

        cls.write_cifar("cifar-10-batches-py", [f"data_batch_{i}.bin" for i in range(1, 6)], "test_batch.bin",
                        "batches.meta.txt", CIFAR10, range(10), 1)
        fine = [f"class{i:02}" if i != 6 else "bee" for i in range(100)]
        cls.write_cifar("cifar-100-python", ["train.bin"], "test.bin", "fine_label_names.txt", fine,
                        [*range(100), 6, 6], 2)
        for number in range(60):
            cls.write_picture(f"UTKFace/{number}_0_{number % 5}_2017.jpg", number)
        for number, label in enumerate(NICO * 10):
            cls.write_picture(f"NICO/public_ood_0412_nodomainlabel/train/{label}/{number}.jpg", number)
        for part, count in (("train", 60), ("test", 6)):
            for number in range(count):
                label = ("airfield", "bridge", "canyon")[number % 3]
                cls.write_picture(f"mini_places365/{part}/{label}/{number}.png", number)

    @classmethod
    def write_picture(cls, path, number):
        file = cls.folder / "data" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(small_picture(number))

    @classmethod
    def write_cifar(cls, folder, train, test, names_file, names, labels, label_bytes):
        folder = cls.folder / "data" / folder
        folder.mkdir(parents=True)
        record = lambda label, number: bytes([0] * (label_bytes - 1) + [label]) + gray_pixels(number)
        for name in (*train, test):
            (folder / name).write_bytes(b"".join(record(label, i) for i, label in enumerate(labels)))
        (folder / names_file).write_text("\n".join(names) + "\n")

    @classmethod
    def put_into_hub_cache(cls, name, fixture):
        repository = cls.folder / "hub" / ("models--" + name.replace("/", "--"))
        snapshot = repository / "snapshots/0123456789abcdef0123456789abcdef01234567"
        snapshot.mkdir(parents=True)
        (repository / "refs").mkdir()
        (repository / "refs/main").write_text(snapshot.name)
        for file in ("config.json", "model.safetensors"):
            shutil.copy(ROOT / "tests/fixtures/models" / fixture / file, snapshot / file)
        if "patch_size" not in (ROOT / "tests/fixtures/models" / fixture / "config.json").read_text():
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
        out = "out-" + "-".join(recipe.with_suffix("").parts[-2:])
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
        self.assertEqual(fixtures, {"demo.toml", "paper_text.toml", "paper_images.toml", "fashion_mnist.toml",
                                    "fashion_mnist_pretraining.toml"},
                         "a new recipe needs a test here")

    def test_the_whole_matrices_say_what_their_parts_say(self):
        for matrix, expected in (("paper_text.toml", TEXT_PAIRS), ("paper_images.toml", IMAGE_PAIRS)):
            self.compare_with_parts(tomllib.loads((RECIPES / matrix).read_text()), expected)

    def compare_with_parts(self, matrix, expected):
        pairs = {pair.pop("name"): pair for pair in matrix["grid"]["pair"]}
        self.assertEqual(set(pairs), {f"{dataset}-{model}" for dataset, models in expected.items() for model in models})
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
                self.run_recipe(recipe, 5, few_rows(recipe.name))

    def test_fair_recipes_run(self):
        for recipe in sorted((RECIPES / "fair").iterdir()):
            with self.subTest(recipe=recipe.name):
                self.run_recipe(recipe, 12, few_rows(recipe.name))

    def test_rebuttal_recipes_run(self):
        runs = {"noise": 6, "optimizers": 6, "single_layer": 4, "epochs": 2, "trigger": 2, "post_norm": 2,
                "more_data": 2, "learning_rates": 6}
        for recipe in sorted((RECIPES / "rebuttal").iterdir()):
            question, pair = recipe.stem.split("-", 1)
            with self.subTest(recipe=recipe.name):
                extra = few_rows(pair)
                if question == "single_layer":
                    extra = "--set 'grid.norm.layers=[\"none\", \"0\", \"1\", \"2\"]'"
                if question == "trigger":
                    extra = "--set trigger.rate=0.05 --set noise.rate=0"
                self.run_recipe(recipe, runs[question], extra, has_noise=question != "trigger")
                if question == "more_data":
                    continue
                paper = tomllib.loads((RECIPES / "paper" / f"{pair}.toml").read_text())
                mine = tomllib.loads(recipe.read_text())
                if question == "post_norm":
                    paper["model"] |= {"start": "rewired", "placement": "post_norm"}
                self.assertEqual((mine["model"], mine["data"]), (paper["model"], paper["data"]))

    def test_package_recipes_run_from_what_the_script_writes(self):
        """The whole chain: pretraining writes the checkpoints that placement starts from. MiniLM is the fixture here."""
        packages = self.folder / "data/packages"
        checkpoint = next((self.folder / "hub/models--google-bert--bert-base-uncased/snapshots").iterdir())
        for folder in ("minilm", "small_bert", "descriptions", "audit", "pretraining"):
            (packages / folder).mkdir(parents=True)
        for name in ("minilm", "small_bert"):
            for path in checkpoint.iterdir():
                if name == "minilm" or path.suffix != ".safetensors":
                    (packages / name / path.name).symlink_to(path.resolve())
        stanzas = "".join(f"Package: p{i}\nSection: {('sound', 'net', 'text')[i % 3]}\nDescription: package {i} of many\n\n"
                          for i in range(600))
        for folder, extra in (("descriptions", "--pretraining data/packages/pretraining --pretraining-rows 60"), ("audit", "")):
            result = self.sandbox.run(f"{ROOT}/scripts/package-descriptions data/packages/{folder} --train-rows 60 "
                                      f"--test-rows 20 {extra} <<< '{stanzas}'")
            self.assertEqual(result.returncode, 0, result.stderr)
        (self.folder / "recipes").unlink(missing_ok=True)
        (self.folder / "recipes").symlink_to(RECIPES)
        self.assertEqual({path.stem for path in (RECIPES / "packages").iterdir()},
                         {"minilm", "pretraining", "placement", "audit"})
        self.run_recipe(RECIPES / "packages/minilm.toml", 14, "--set 'grid.seed.all=[28, 64]'")
        result = self.sandbox.run("normscope run recipes/packages/pretraining.toml --set training.epochs=1 "
                                  "--set data.max_length=12")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.run_recipe(RECIPES / "packages/placement.toml", 4, "--set 'grid.seed.all=[28]'")
        result = self.sandbox.run(f"{ROOT}/scripts/audit-comparison $(command -v normscope) recipes/packages/audit.toml "
                                  "audits --kinds symmetric --rates 0.1 --seeds 28,64 --folds 2")
        self.assertEqual(result.returncode, 0, result.stderr)
        for words in ("**AUPRC, norms intact**", "| symmetric 10% |", "| mean_margin |", "removed minus intact"):
            self.assertIn(words, result.stdout)

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

    def test_the_whole_image_matrix_runs(self):
        recipe = self.folder / "paper_images.toml"
        text = (RECIPES / "paper_images.toml").read_text()
        for name in IMAGE_PAIRS:
            if few_rows(name):
                text = text.replace(f'data.prepare = "{name}"', 'data.prepare = "plain"')
        recipe.write_text(text)
        status = self.run_recipe(recipe, 4 * 5)
        self.assertIn("paper-early-utkface-deit-seed28", [run["id"] for run in status["runs"]])

    def test_fashion_mnist_is_split_pretrained_and_tuned(self):
        source = self.folder / "fashion-mnist"
        source.mkdir()
        for split, rows in (("train", 400), ("t10k", 50)):
            pixels = bytes((i * 7 + i // 784 * 31) % 256 for i in range(784 * rows))
            for kind, shape, values in (("images-idx3", (rows, 28, 28), pixels),
                                        ("labels-idx1", (rows,), bytes(i % 10 for i in range(rows)))):
                header = bytes([0, 0, 8, len(shape)]) + b"".join(size.to_bytes(4, "big") for size in shape)
                (source / f"{split}-{kind}-ubyte.gz").write_bytes(gzip.compress(header + values))
        (self.folder / "recipes").symlink_to(RECIPES)
        run = lambda command: self.assertEqual((result := self.sandbox.run(command)).returncode, 0, result.stderr)
        run(f"{ROOT}/scripts/fashion-mnist fashion-mnist data/fashion_mnist")
        run("normscope run recipes/fashion_mnist_pretraining.toml --set training.epochs=1")
        run("normscope run recipes/fashion_mnist.toml --set training.epochs=1 --set 'grid.seed.all=[28]'")
        with sqlite3.connect(self.folder / "runs/fashion_mnist/normscope.db") as database:
            rows = database.execute("SELECT placement, norm_selection, count(*) FROM runs WHERE state = 'done' "
                                    "GROUP BY placement, norm_selection ORDER BY 1, 2").fetchall()
        self.assertEqual([row[0] for row in rows], ["post_norm", "post_norm", "pre_norm", "pre_norm"])
        self.assertEqual([row[2] for row in rows], [3] * 4)
        names = (self.folder / "data/fashion_mnist/tuning/class_names.txt").read_text().split("\n")
        self.assertEqual(names, ["T-shirt", "Pullover", "Coat", "Shirt", "Bag", ""])

    def test_the_demo_runs_on_another_checkpoint(self):
        checkpoint = self.folder / "hub/models--google-bert--bert-base-uncased/snapshots"
        rows = "--set data.train=data/news/train.csv --set data.test=data/news/test.csv"
        columns = "--set data.text_column=Excerpt --set data.label_column=Category --set noise.class=tech"
        self.run_recipe(RECIPES / "demo.toml", 2, f"--set model.checkpoint={next(checkpoint.iterdir())} {rows} {columns}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
