#!/usr/bin/env bash
# Sets All City up and starts it, or tests it. Everything it installs goes into .venv, except
# Debian packages that Python itself lacks. Safe to run again at any time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

help() {
  cat <<'TEXT'
Usage: ./setup.sh run [OPTIONS]    install what is missing, then start the table
       ./setup.sh test [OPTIONS]   install what is missing, then run all checks and tests
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

# Debian ships Python without the parts that make a virtual environment.
ensure_venv_module() {
  "$1" -c 'import venv, ensurepip' 2>/dev/null && return
  command -v apt-get >/dev/null || fail "Python's venv module is missing; install it, then run this again."
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || fail "sudo is needed to install python3-venv; install it or run this as root."
  echo "Installing python3-venv ..."
  { as_root apt-get update -q && as_root apt-get install -yq --no-install-recommends python3-venv; } >"$log" 2>&1 ||
    fail "apt-get could not install python3-venv; is there a network? Details: $log"
}

# install EXTRA: brings .venv to what pyproject.toml asks for; nothing to do if that has not changed.
install() {
  local python stamp state
  log=$(mktemp "${TMPDIR:-/tmp}/allcity-setup.XXXXXX")
  python=$(find_python)
  ensure_venv_module "$python"
  stamp=.venv/.installed$1
  state="$(cksum <pyproject.toml) $("$python" --version)"
  if [ -x .venv/bin/allcity ] && .venv/bin/python -c '' 2>/dev/null && [ "$(cat "$stamp" 2>/dev/null)" = "$state" ]; then
    rm -f "$log"
    return
  fi
  echo "Setting up Python packages ..."
  .venv/bin/python -c '' 2>/dev/null || "$python" -m venv --clear .venv >"$log" 2>&1 ||
    fail "the virtual environment .venv could not be made; details: $log"
  .venv/bin/python -m pip install -q --disable-pip-version-check -e ".$1" >"$log" 2>&1 ||
    fail "pip could not install the packages; is there a network? Details: $log"
  echo "$state" >"$stamp"
  rm -f "$log"
}

case "${1:-}" in
  run)
    shift
    install ""
    exec .venv/bin/allcity run "$@"
    ;;
  test)
    shift
    install "[test]"
    echo "ruff" && .venv/bin/python -m ruff check . && .venv/bin/python -m ruff format --check .
    echo "mypy" && .venv/bin/python -m mypy
    echo "pytest" && exec .venv/bin/python -m pytest "$@"
    ;;
  -h | --help | help) help ;;
  "") help >&2; exit 2 ;;
  *) fail "there is no command '$1'; try ./setup.sh --help" ;;
esac
