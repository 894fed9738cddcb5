"""The Pi's camera library runs on a Pi only. So what the adapter calls is looked up in the library's own source:
a method that is renamed there fails here.

`./setup.sh test` fetches the source of picamera2 and the header with libcamera's control names into `.cache`.
"""

import ast
import importlib.util
import re
import zipfile
from functools import cache
from pathlib import Path

import pytest

from tests.hardware import picam_library

ROOT = Path(__file__).parent.parent.parent
ADAPTER = ROOT / "hardware" / "real" / "picam.py"
# Newer than the libcamera that Debian 12 has; set only where a camera offers them.
SINCE_LIBCAMERA_0_1 = {"AeFlickerMode", "AeFlickerPeriod"}


def missing(what: str) -> str:
    """Skips where somebody has no network."""
    pytest.skip(f"{what} is missing in .cache; ./setup.sh test fetches it")


@cache
def library_file(name: str) -> str:
    """A file of picamera2: of the installed one on a Pi, else of the one that was fetched."""
    installed = importlib.util.find_spec("picamera2")
    if installed is not None and installed.origin is not None:
        return (Path(installed.origin).parent / name).read_text(encoding="utf-8")
    wheels = sorted((ROOT / ".cache").glob("picamera2-*.whl"))
    if not wheels:
        return missing("picamera2")
    with zipfile.ZipFile(wheels[-1]) as wheel:
        return wheel.read(f"picamera2/{name}").decode()


@cache
def control_names() -> frozenset[str]:
    headers = [path for folder in (ROOT / ".cache", Path("/usr/include")) for path in folder.rglob("control_ids.h")]
    if not headers:
        missing("libcamera's control_ids.h")
    return frozenset(re.findall(r"extern const Control<.*> (\w+);", headers[0].read_text(encoding="utf-8")))


def members(file: str, class_name: str) -> dict[str, ast.FunctionDef]:
    """The methods and properties of a class; of overloaded ones the last, which is the real one."""
    for node in ast.walk(ast.parse(library_file(file))):
        if isinstance(node, ast.ClassDef) and node.name == class_name:
            return {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}
    raise AssertionError(f"picamera2 has no class {class_name} in {file}")


def is_property(function: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "property" for mark in function.decorator_list)


def takes(function: ast.FunctionDef, positional: int, keywords: set[str]) -> bool:
    """Whether a method (self aside) can be called so."""
    names = [argument.arg for argument in function.args.args[1:]]
    needed = names[: len(names) - len(function.args.defaults)]
    given = {*names[:positional], *keywords}
    known = {*names, *(argument.arg for argument in function.args.kwonlyargs)}
    return positional <= len(names) and keywords <= known - set(names[:positional]) and set(needed) <= given


def owner(node: ast.Attribute) -> str | None:
    """Whose attribute it is: the camera's or a request's, as the adapter names them."""
    value = node.value
    if isinstance(value, ast.Attribute) and value.attr == "_picam":
        return "camera"
    return "request" if isinstance(value, ast.Name) and value.id == "request" else None


def used() -> tuple[list[tuple[str, str, int, frozenset[str]]], list[tuple[str, str]]]:
    """The adapter's calls (owner, method, how many unnamed arguments, named ones) and its other attributes."""
    tree = ast.parse(ADAPTER.read_text(encoding="utf-8"))
    calls, called = [], set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and (whose := owner(node.func)):
            named = frozenset(keyword.arg for keyword in node.keywords if keyword.arg)
            calls.append((whose, node.func.attr, len(node.args), named))
            called.add(node.func)
    others = [
        (whose, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node not in called and (whose := owner(node))
    ]
    return calls, others


def test_a_picture_is_mapped_as_the_library_has_it() -> None:
    tree = ast.parse(ADAPTER.read_text(encoding="utf-8"))
    called = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "MappedArray"]
    assert len(called) == 1
    mapped = members("request.py", "MappedArray")
    assert takes(mapped["__init__"], len(called[0].args), {keyword.arg or "" for keyword in called[0].keywords})
    assert {"__enter__", "__exit__"} <= mapped.keys()
    assert is_property(mapped["array"])
    assert "MappedArray" in library_file("__init__.py")


FILES = {"camera": ("picamera2.py", "Picamera2"), "request": ("request.py", "CompletedRequest")}


def test_every_method_that_is_called_is_there_and_takes_what_it_is_given() -> None:
    calls, _ = used()
    assert len(calls) >= 9
    for whose, name, positional, keywords in calls:
        known = members(*FILES[whose])
        assert name in known, f"picamera2's {FILES[whose][1]} has no {name}()"
        assert not is_property(known[name])
        assert takes(known[name], positional, set(keywords)), f"{name}() does not take {positional} and {set(keywords)}"


def test_every_attribute_that_is_read_is_a_property() -> None:
    _, others = used()
    assert ("camera", "camera_controls") in others
    for whose, name in others:
        assert is_property(members(*FILES[whose])[name])


def test_the_camera_is_made_with_its_number_and_imported_from_where_it_is() -> None:
    assert takes(members("picamera2.py", "Picamera2")["__init__"], 1, set())
    assert re.search(r"from \.picamera2 import .*Picamera2|import_module", library_file("__init__.py"))


def test_the_cameras_are_listed_without_opening_one() -> None:
    listed = members("picamera2.py", "Picamera2")["global_camera_info"]
    assert [ast.unparse(mark) for mark in listed.decorator_list] == ["staticmethod"]
    assert "/usb" in ast.unparse(listed)


def test_the_formats_of_both_streams_become_arrays() -> None:
    helper = ast.unparse(members("request.py", "Helpers")["_make_array_shared"])
    for stream_format in re.findall(r'"format": "(\w+)"', ADAPTER.read_text(encoding="utf-8")):
        assert f"'{stream_format}'" in helper


def test_every_control_and_every_fact_about_a_picture_is_one_of_libcamera() -> None:
    text = ADAPTER.read_text(encoding="utf-8")
    names = set(re.findall(r'"((?:[A-Z][a-z]+){2,})"', text))
    assert {"ExposureTime", "ColourGains", "LensPosition", "SensorTimestamp"} <= names
    assert names - SINCE_LIBCAMERA_0_1 <= control_names()


def test_the_stand_in_for_tests_takes_nothing_that_the_library_does_not() -> None:
    tree = ast.parse(Path(picam_library.__file__).read_text(encoding="utf-8"))
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        real = members("picamera2.py" if node.name == "Picamera2" else "request.py", node.name)
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and (not part.name.startswith("_") or node.name == "MappedArray"):
                mine = {argument.arg for argument in part.args.args[1:]}
                assert mine <= {argument.arg for argument in real[part.name].args.args[1:]}, part.name


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("def capture_request(", "def capture_a_request("), "has no capture_request"),
        (("def wait(self, job: Job[T], timeout=None)", "def wait(self, job: Job[T], limit=None)"), "does not take"),
    ],
)
def test_a_renamed_method_or_parameter_would_be_noticed(
    change: tuple[str, str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = library_file

    def changed(name: str) -> str:
        return original(name).replace(*change)

    monkeypatch.setattr("tests.hardware.test_picam_signatures.library_file", changed)
    with pytest.raises(AssertionError, match=told):
        test_every_method_that_is_called_is_there_and_takes_what_it_is_given()
