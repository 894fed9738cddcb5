#!/usr/bin/env bash
# Sets All City up and starts it, or tests it. Everything it installs goes into .venv, except
# Debian packages that Python itself lacks. Safe to run again at any time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

help() {
  cat <<'TEXT'
Usage: ./setup.sh run [OPTIONS]    install what is missing, then start the table
       ./setup.sh test [OPTIONS]   install what is missing, then run all checks and tests
       ./setup.sh install          make All City a service that starts with this machine
       ./setup.sh update           bring the service to the newest version, and back if that fails
       ./setup.sh uninstall        remove the service; asks about the games
       ./setup.sh --help           this text

Options after `run` go to `allcity run` (try: ./setup.sh run --help),
options after `test` go to pytest (try: ./setup.sh test -k drone).
TEXT
}

fail() {
  echo "setup.sh: $*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

find_python() {
  local name
  for name in python3 python3.13 python3.12 python3.11; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
  fail "Python 3.11 or newer is needed; install it, then run this again."
}

is_pi() {
  grep -qs "Raspberry Pi" /proc/device-tree/model
}

# On a Pi, OpenCV, numpy and Pillow come from apt: pip's own would break the camera library, which is built
# against apt's. ALLCITY_OPENCV=apt asks for the same on any Debian.
wants_apt_opencv() {
  [ "${ALLCITY_OPENCV:-}" = apt ] || { [ -z "${ALLCITY_OPENCV:-}" ] && is_pi; }
}

# apt_install WHAT-FOR PACKAGE...: nothing to do where all of them are there.
apt_install() {
  local purpose=$1
  shift
  dpkg -s "$@" >/dev/null 2>&1 && return
  command -v apt-get >/dev/null || fail "$purpose is missing and there is no apt-get; install it, then run this again."
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || fail "sudo is needed to install $*; install it or run this as root."
  echo "Installing $purpose ..."
  { as_root apt-get update -q && as_root apt-get install -yq --no-install-recommends "$@"; } >"$log" 2>&1 ||
    fail "apt-get could not install $*; is there a network? Details: $log"
}

# pip_install WHAT...: into .venv.
pip_install() {
  .venv/bin/python -m pip install -q --disable-pip-version-check "$@" >"$log" 2>&1 ||
    fail "pip could not install the packages; is there a network? Details: $log"
}

# dependencies EXTRA: what pyproject.toml asks for, but for what came from apt.
dependencies() {
  "$python" - "$1" <<'PY'
import sys, tomllib
project = tomllib.load(open("pyproject.toml", "rb"))["project"]
extras, wanted = project["optional-dependencies"], list(project["dependencies"])
for extra in ("pi", "docs", "test") if sys.argv[1] == "test" else filter(None, sys.argv[1:]):
    wanted += extras[extra]
print("\n".join(one for one in dict.fromkeys(wanted) if not one.startswith(("numpy", "opencv", "pillow", "allcity"))))
PY
}

# install EXTRA: brings .venv to what pyproject.toml and requirements.lock ask for; nothing to do if those have not
# changed. Where pip brings everything, it brings the very files that the lock names.
install() {
  local python extra=$1 stamp state source=pip venv_options=()
  log=$(mktemp "${TMPDIR:-/tmp}/allcity-setup.XXXXXX")
  python=$(find_python)
  # Debian ships Python without the parts that make a virtual environment.
  "$python" -c 'import venv, ensurepip' 2>/dev/null || apt_install "Python's venv module" python3-venv
  if wants_apt_opencv; then
    source=apt venv_options=(--system-site-packages)
    apt_install "OpenCV" python3-numpy python3-opencv python3-pil
    ! is_pi || apt_install "the drivers of camera, pins and serial port" \
      python3-picamera2 python3-gpiozero python3-lgpio python3-serial
  fi
  stamp=.venv/.installed-${extra:-run}
  state="$(cat pyproject.toml requirements.lock | cksum) $("$python" --version) $source"
  if [ -x .venv/bin/allcity ] && .venv/bin/python -c '' 2>/dev/null && [ "$(cat "$stamp" 2>/dev/null)" = "$state" ]; then
    rm -f "$log"
    return
  fi
  echo "Setting up Python packages ..."
  if ! .venv/bin/python -c '' 2>/dev/null || [ "$(cat .venv/.opencv 2>/dev/null)" != "$source" ]; then
    "$python" -m venv --clear "${venv_options[@]}" .venv >"$log" 2>&1 ||
      fail "the virtual environment .venv could not be made; details: $log"
    echo "$source" >.venv/.opencv
  fi
  if [ "$source" = pip ]; then
    pip_install --require-hashes -r requirements.lock
    if [ -z "$extra" ]; then
      pip_install --no-deps -e .
    else
      # What only the tests need has no hashes here, but must get along with these versions.
      sed -n 's/^\([a-z].*[^ ]\) *\\$/\1/p' requirements.lock >.venv/constraints.txt
      pip_install -c .venv/constraints.txt -e ".[$extra]"
    fi
  else
    dependencies "$extra" >.venv/dependencies.txt
    pip_install -r .venv/dependencies.txt
    pip_install --no-deps -e .
  fi
  echo "$state" >"$stamp"
  rm -f "$log"
}

# What the tests of the hardware look at: tools that draw the wiring and the camera arm, and the source of the Pi's
# camera library with the header that names its controls. Tests skip what is missing here, but not where CI is set.
install_references() {
  (
    log=$(mktemp "${TMPDIR:-/tmp}/allcity-setup.XXXXXX")
    mkdir -p .cache
    compgen -G '.cache/picamera2-*.whl' >/dev/null ||
      .venv/bin/python -m pip download -q --disable-pip-version-check --no-deps -d .cache picamera2 >"$log" 2>&1 ||
      fail "pip could not fetch the source of picamera2; details: $log"
    command -v apt-get >/dev/null || fail "OpenSCAD and rsvg-convert are not installed by this script here"
    apt_install "OpenSCAD and an SVG painter" openscad librsvg2-bin fonts-dejavu-core
    [ -d .cache/libcamera ] || {
      cd .cache && { apt-get download -q libcamera-dev || { as_root apt-get update -q && apt-get download -q libcamera-dev; }; } &&
        dpkg -x libcamera-dev_*.deb libcamera && rm libcamera-dev_*.deb
    } >"$log" 2>&1 || fail "apt-get could not fetch libcamera's header; details: $log"
    rm -f "$log"
  ) || echo "Some tests of the hardware will be skipped."
}

# The firmware is tested on a real MicroPython: its WebAssembly build under node, and Debian's own where there is one.
install_micropython() {
  local folder=.venv/micropython package=@micropython/micropython-webassembly-pyscript
  log=$(mktemp "${TMPDIR:-/tmp}/allcity-setup.XXXXXX")
  { command -v node && command -v npm; } >/dev/null || apt_install "node and npm" nodejs npm
  if [ ! -e "$folder/node_modules/$package/micropython.wasm" ]; then
    echo "Setting up MicroPython ..."
    npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts "$package@^1.27.0" >"$log" 2>&1 ||
      fail "npm could not install MicroPython; is there a network? Details: $log"
  fi
  if ! command -v micropython >/dev/null && apt-cache show micropython >/dev/null 2>&1; then
    apt_install "MicroPython" micropython
  fi
  rm -f "$log"
}

# The pages are tested in Debian's own Chromium, and axe-core looks for what keeps people out. Tests skip what is
# missing here, but not where CI is set.
install_browser() {
  (
    log=$(mktemp "${TMPDIR:-/tmp}/allcity-setup.XXXXXX")
    folder=.venv/axe
    if [ ! -e "$folder/node_modules/axe-core/axe.min.js" ]; then
      npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts axe-core@^4.10 >"$log" 2>&1 ||
        fail "npm could not install axe-core; is there a network? Details: $log"
    fi
    command -v apt-get >/dev/null || fail "Chromium is not installed by this script here"
    # The test driver brings a node of its own, which wants libatomic.
    apt_install "Chromium" chromium libatomic1
    rm -f "$log"
  ) || echo "Tests of the pages in a browser will be skipped."
}

# What the tests of the package need: its builder and its judges. The wheels that the package carries are fetched here,
# so that no test needs a network.
install_packaging() {
  (
    # shellcheck disable=SC2030 # as in the functions above, `log` is this one's own
    log=$(mktemp "${TMPDIR:-/tmp}/allcity-setup.XXXXXX")
    command -v apt-get >/dev/null || fail "the tools for Debian packages are not installed by this script here"
    apt_install "the tools for Debian packages" debhelper dpkg-dev python3-venv lintian shellcheck systemd
    wheels=.cache/wheels-$(cksum <requirements.lock | tr -d ' ')
    [ -d "$wheels" ] || {
      rm -rf .cache/wheels-*
      PYTHON=.venv/bin/python packaging/wheels fetch requirements.lock "$wheels.part" >"$log" 2>&1 && mv "$wheels.part" "$wheels"
    } || fail "pip could not fetch what the package carries; details: $log"
    rm -f "$log"
  ) || echo "Some tests of the package will be skipped."
}

case "${1:-}" in
  run)
    shift
    if is_pi; then install pi; else install ""; fi
    exec .venv/bin/allcity run "$@"
    ;;
  test)
    shift
    install test
    install_micropython
    install_references
    install_browser
    install_packaging
    echo "ruff" && .venv/bin/python -m ruff check . && .venv/bin/python -m ruff format --check .
    # apt's OpenCV and Pillow come without types.
    wants_apt_opencv || { echo "mypy" && .venv/bin/python -m mypy; }
    # A file's tests stay together: they share tables and browsers that are costly to open.
    echo "pytest" && exec .venv/bin/python -m pytest -n auto --dist loadfile "$@"
    ;;
  install | update | uninstall)
    action=$1
    shift
    # shellcheck source=packaging/service.sh
    . packaging/service.sh
    case "${1:-}" in
      -h | --help) service_help ;;
      *) "${action}_service" "$@" ;;
    esac
    ;;
  -h | --help | help) help ;;
  "") help >&2; exit 2 ;;
  *) fail "there is no command '$1'; try ./setup.sh --help" ;;
esac
