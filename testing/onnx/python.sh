# Sourced by the scripts beside it: python_with MODULES PACKAGES… prints a Python that has the modules (comma-separated): $PYTHON, or one
# of a virtual environment in the folder $VENV (by default one that lasts as long as the script) with the packages of PyPI. If neither
# works it prints the reason to stderr, and fails.
python_with() {
  local modules=$1 python=${PYTHON:-python3} venv=${VENV:-$dir/venv}
  shift
  if "$python" -c "import $modules" 2> /dev/null; then
    echo "$python"
    return
  fi
  [ -x "$venv/bin/python" ] || "$python" -m venv "$venv" >&2 || return 1
  "$venv/bin/python" -c "import $modules" 2> /dev/null || "$venv/bin/python" -m pip install --quiet "$@" >&2 || return 1
  echo "$venv/bin/python"
}
