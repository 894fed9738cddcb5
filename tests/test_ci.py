"""What continuous integration asks more than a run at home: nothing is skipped."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SKIPPING = "import pytest\ndef test_it(): pytest.skip('a tool is missing')\n"


@pytest.mark.parametrize(("ci", "code"), [("", 0), ("true", 1)])
def test_a_skipped_test_is_a_failure_in_continuous_integration_alone(tmp_path: Path, ci: str, code: int) -> None:
    (tmp_path / "test_skipping.py").write_text(SKIPPING)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.conftest", "--rootdir", tmp_path, tmp_path],
        cwd=ROOT,
        env={**os.environ, "CI": ci},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout
    assert "a tool is missing" in done.stdout or not ci


def test_the_script_of_continuous_integration_says_that_it_is_one(tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    setup = tmp_path / "setup.sh"
    setup.write_text('#!/bin/sh\necho "$1 CI=$CI"\n')
    setup.chmod(0o755)
    home = {key: value for key, value in os.environ.items() if key != "CI"}
    done = subprocess.run([tmp_path / ".ci" / "run"], env=home, capture_output=True, text=True, check=True)
    assert done.stdout == "test CI=true\n"
