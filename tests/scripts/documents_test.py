"""Runs what the documents show: documents_test.py NORMSCOPE. Every `sh` block of the README, every recipe dry.

A `toml` block that follows a file name in backticks and a colon is written to that file first.
"""
import pathlib
import re
import sys
import unittest

from sandbox import ROOT, Sandbox

NORMSCOPE = sys.argv.pop(1) if __name__ == "__main__" else ""


def fenced_blocks(text):
    """Yields (language, text before the block, the block) in order."""
    end = 0
    for block in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S):
        yield block[1], text[end:block.start()], block[2]
        end = block.end()


class DocumentsTest(unittest.TestCase):
    def setUp(self):
        self.sandbox = Sandbox(NORMSCOPE)
        self.addCleanup(self.sandbox.close)

    def run_line(self, line):
        result = self.sandbox.run(line)
        self.assertEqual(result.returncode, 0, f"{line}\n{result.stdout}\n{result.stderr}")
        return result

    def test_readme_commands_run(self):
        commands = 0
        for language, before, block in fenced_blocks((ROOT / "README.md").read_text()):
            name = re.search(r"`([\w.]+)`:\s*$", before)
            if language == "toml" and name:
                (self.sandbox.folder / name[1]).write_text(block)
            elif language == "sh":
                for line in filter(None, block.splitlines()):
                    commands += 1
                    self.run_line(line)
        self.assertGreater(commands, 5)
        self.assertIn("<svg", (self.sandbox.folder / "first/report.html").read_text())
        self.assertGreater(len((self.sandbox.folder / "metrics.csv").read_text().splitlines()), 7)

    def test_every_recipe_runs_dry(self):
        recipes = sorted((ROOT / "recipes").glob("*.toml"))
        self.assertTrue(recipes)
        paths = "--set model.checkpoint=checkpoint --set data.train=train.csv --set data.test=test.csv"
        for recipe in recipes:
            with self.subTest(recipe.name):
                self.run_line(f"normscope run {recipe} --dry-run {paths} --out {recipe.stem}")

    def test_every_document_is_linked_and_every_link_leads_somewhere(self):
        pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
        linked = set()
        for page in pages:
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
                with self.subTest(page=page.name, target=target):
                    self.assertTrue((page.parent / target).exists())
                linked.add((page.parent / target).resolve())
        for page in pages[1:]:
            with self.subTest(page.name):
                self.assertIn(page.resolve(), linked)

    def test_paths_named_in_documents_exist(self):
        for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]:
            for path in re.findall(r"`((?:src|tests|scripts|fuzz|docs|recipes|cmake)/[\w./-]+)`", page.read_text()):
                with self.subTest(page=page.name, path=path):
                    self.assertTrue((ROOT / path).exists())


if __name__ == "__main__":
    unittest.main()
