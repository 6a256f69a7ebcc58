"""A check is a function; all run in the order in which they stand, and what fails is told at the end."""

import sys
import traceback

failed = []


def check(function):
    """Runs a check at once, and prints what became of it."""
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
