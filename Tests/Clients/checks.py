"""Checks are functions that run in the order of their definitions; failures are listed at the end."""

import sys
import traceback

failed = []


def check(function):
    """Runs a check immediately, and prints its result."""
    name = function.__name__.replace("_", " ")
    try:
        function()
        print(f"ok    {name}", flush=True)
    except Exception:
        failed.append(name)
        print(f"FAIL  {name}", flush=True)
        traceback.print_exc()
    return function


def finish():
    """Ends the program."""
    sys.exit(f"{len(failed)} failed: " + ", ".join(failed) if failed else 0)
