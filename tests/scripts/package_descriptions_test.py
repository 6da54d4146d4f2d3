"""Holds scripts/package-descriptions to its rules: what is a row, which texts are dropped, how little a choice moves."""
import csv
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts/package-descriptions"


def stanza(text, section, key="Description"):
    return f"Package: p\nSection: {section}\n{key}: {text}\n more of it\nSize: 1\n\n"


def choose(stanzas, train_rows, test_rows):
    """Runs the script; returns (train rows, test rows) as lists of [text, label]."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([SCRIPT, folder, "--train-rows", str(train_rows), "--test-rows", str(test_rows)],
                       input="".join(stanzas), text=True, check=True, capture_output=True)
        parts = []
        for name in ("train.csv", "test.csv"):
            with open(pathlib.Path(folder, name), encoding="utf-8", newline="") as file:
                header, *rows = csv.reader(file)
            assert header == ["text", "label"]
            parts.append(rows)
        return tuple(parts)


def archive(size):
    sections = ("net", "contrib/games", "non-free/sound")
    return [stanza(f"package number {i}, \"quoted\"", sections[i % 3]) for i in range(size)]


class PackageDescriptionsTest(unittest.TestCase):
    def test_rows_are_texts_with_bare_section_names(self):
        train, test = choose(archive(60), 15, 10)
        self.assertEqual((len(train), len(test)), (15, 10))
        self.assertLessEqual({label for _, label in train + test}, {"net", "games", "sound"})
        texts = [text for text, _ in train + test]
        self.assertEqual(len(set(texts)), 25)
        self.assertTrue(all(text.endswith('"quoted"') for text in texts))

    def test_translated_key_counts_and_other_sections_do_not(self):
        stanzas = [stanza(f"kept {i}", "net", "Description-en") for i in range(40)]
        stanzas += [stanza(f"dropped {i}", "libs") for i in range(40)]
        train, test = choose(stanzas, 5, 5)
        self.assertTrue(all(text.startswith("kept") for text, _ in train + test))

    def test_a_text_counts_once_and_not_at_all_when_its_labels_conflict(self):
        stanzas = archive(40) + archive(40) + [stanza("Shared text", "net"), stanza("shared text", "sound")]
        whole = archive(40)
        self.assertEqual(choose(stanzas, 10, 10), choose(whole, 10, 10))

    def test_order_of_the_archive_does_not_matter(self):
        self.assertEqual(choose(archive(60), 15, 10), choose(archive(60)[::-1], 15, 10))

    def test_one_more_package_moves_one_row_at_most(self):
        before = choose(archive(60), 15, 10)
        after = choose(archive(60) + [stanza("a newcomer", "net")], 15, 10)
        moved = [len({tuple(row) for row in old} - {tuple(row) for row in new})
                 for old, new in zip(before, after)]
        self.assertLessEqual(sum(moved), 1)

    def test_too_few_packages_are_an_error_that_counts_them(self):
        result = subprocess.run([SCRIPT, "/nonexistent"], input=stanza("alone", "net"), text=True, capture_output=True)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"package-descriptions: [01] training texts in the package lists, 1200 needed")


if __name__ == "__main__":
    unittest.main()
