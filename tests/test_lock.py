"""What gets installed: every dependency has an upper bound, and the lock file satisfies all of them."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
INSTALLED = PROJECT["dependencies"]
OTHERS = [each for extra in EXTRAS.values() for each in extra if not each.startswith("allcity")]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
AGAIN = "CONTRIBUTING.md tells how to write the lock file anew"


def locked() -> list[tuple[Requirement, str]]:
    """Every requirement with its hashes."""
    parts = re.findall(r"^(\S[^#\n]*?) \\\n((?:    --hash=\S+(?: \\)?\n)+)", LOCK, re.MULTILINE)
    return [(Requirement(told), hashes) for told, hashes in parts]


def name(told: str) -> str:
    return Requirement(told).name.replace("_", "-").lower()


@pytest.mark.parametrize("told", [*INSTALLED, *OTHERS])
def test_every_dependency_has_an_upper_bound(told: str) -> None:
    assert any(bound.operator == "<" for bound in Requirement(told).specifier)


@pytest.mark.parametrize("told", INSTALLED)
@pytest.mark.parametrize("python", ["3.11.2", "3.13.5"])
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_lock_satisfies_the_project(told: str, python: str, machine: str) -> None:
    here = {"python_full_version": python, "python_version": python.rpartition(".")[0], "platform_machine": machine}
    found = [
        requirement
        for requirement, _ in locked()
        if requirement.name == name(told) and (requirement.marker is None or requirement.marker.evaluate(here))
    ]
    assert len(found) == 1, AGAIN
    [pin] = found[0].specifier
    assert pin.operator == "=="
    assert Requirement(told).specifier.contains(pin.version), AGAIN


def test_every_package_is_locked_with_the_hashes_of_its_files() -> None:
    packages = [line for line in LOCK.splitlines() if re.match(r"[a-z]", line)]
    assert len(packages) == len(locked()) >= len(INSTALLED)
    assert all("sha256:" in hashes for _, hashes in locked())


def test_the_lock_names_no_place() -> None:
    assert "://" not in LOCK
    assert "--index" not in LOCK
