"""Holds the download scripts to their failure paths: clear words, nothing half done. Needs no network."""
import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).parents[2] / "scripts"


class FetchTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.programs = self.path / "bin"
        self.programs.mkdir()
        self.put_program("sleep", "exit 0")  # three attempts without their pauses

    def put_program(self, name, text):
        program = self.programs / name
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)

    def run_script(self, *words, **settings):
        environment = {**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}", "PIP_NO_INDEX": "1",
                       "PIP_FIND_LINKS": "", "NORMSCOPE_CACHE": str(self.path / "cache"), **settings}
        return subprocess.run(words, env=environment, text=True, capture_output=True)

    def test_no_index_is_reported_by_package_name(self):
        pins = self.path / "pins"
        pins.write_text("some-package==1.0 --hash=sha256:" + "0" * 64 + "\n")
        result = self.run_script(SCRIPTS / "fetch-wheels", pins, self.path / "wheels")
        self.assertEqual(result.returncode, 1)
        self.assertIn("attempt 2 failed, trying again", result.stderr)
        self.assertIn("could not download some-package==1.0; is PyPI reachable from here?", result.stderr)

    def test_python_without_pip_says_what_to_install(self):
        self.put_program("python3", "exit 1")
        result = self.run_script(SCRIPTS / "fetch-wheels", self.path / "pins", self.path / "wheels")
        self.assertEqual(result.returncode, 1)
        self.assertIn("apt-get install python3-pip", result.stderr)

    def test_a_failed_fetch_leaves_nothing_behind(self):
        result = self.run_script(SCRIPTS / "get-libtorch")
        self.assertEqual(result.returncode, 1)
        self.assertIn("could not download torch==2.15.0", result.stderr)
        self.assertEqual([entry.name for entry in (self.path / "cache").iterdir()], [".get-libtorch.lock"])

    def test_leftovers_of_a_killed_fetch_are_cleared(self):
        (self.path / "cache/get-libtorch.killed").mkdir(parents=True)
        self.run_script(SCRIPTS / "get-libtorch")
        self.assertFalse((self.path / "cache/get-libtorch.killed").exists())

    def test_an_unfinished_folder_does_not_count_as_fetched(self):
        where = self.run_script(SCRIPTS / "get-libtorch", "--where").stdout.strip()
        pathlib.Path(where, "lib").mkdir(parents=True)
        self.assertEqual(self.run_script(SCRIPTS / "get-libtorch").returncode, 1)
        pathlib.Path(where, ".complete").touch()
        result = self.run_script(SCRIPTS / "get-libtorch")
        self.assertEqual((result.returncode, result.stdout.strip()), (0, where))

    def test_an_unknown_processor_is_named(self):
        self.put_program("uname", "echo riscv64")
        result = self.run_script(SCRIPTS / "get-libtorch")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no pinned wheel for riscv64; install LibTorch >= 2.11", result.stderr)

    def test_the_users_own_libtorch_is_enough(self):
        (self.path / "own/lib").mkdir(parents=True)
        (self.path / "own/lib/libtorch_cpu.so").touch()
        result = self.run_script(SCRIPTS / "get-libtorch", "--unless-found", CMAKE_PREFIX_PATH=str(self.path / "own"))
        self.assertEqual(result.returncode, 0)
        self.assertFalse((self.path / "cache").exists())

    def test_the_demo_without_package_lists_says_so(self):
        self.put_program("apt-cache", "exit 0")
        self.put_program("apt-get", "exit 0")
        self.put_program("sudo", 'exec "$@"')
        result = self.run_script(SCRIPTS / "demo-data")
        self.assertEqual(result.returncode, 1)
        self.assertIn("0 training texts in the package lists, 1200 needed", result.stderr)
        self.assertEqual([entry.name for entry in (self.path / "cache").iterdir()], [".demo-data.lock"])


if __name__ == "__main__":
    unittest.main()
