#!/usr/bin/env python3
"""Check a model with Lariat from Python and print the counterexamples.

Usage: lasso.py MODEL [OPTION...]

The options are those of `lariat check`. The environment variable LARIAT names the
program, if it is not `lariat` on the search path. Only the standard library is used.

The exit code is that of `lariat check`: 0 if every property holds, 1 if some property
is violated, 2 if some property is undecided, and larger codes for errors.
"""

import json
import os
import subprocess
import sys


def check(model, *options):
    """Runs `lariat check` and returns its report and its exit code."""
    program = os.environ.get("LARIAT", "lariat")
    command = [program, "check", "--format", "json", "--no-save", *options, model]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if not result.stdout:
        raise RuntimeError(result.stderr.strip() or f"{program} printed nothing")
    report = json.loads(result.stdout)
    if report["schema"] != 2:
        raise RuntimeError(f"this program reads reports of schema 2, not {report['schema']}")
    return report, result.returncode


def describe(step):
    """A step in one line, for both languages."""
    if "statement" in step:
        mover = f"{step['process']}({step['pid']}): " if "process" in step else ""
        text = mover + step["statement"]
    else:
        text = step["does"]
    changes = [f"{change['name']} = {change.get('after', 'gone')}" for change in step.get("changes", [])]
    return f"{text}  [{', '.join(changes)}]" if changes else text


def show(run):
    """Prints the stem and the loop of a counterexample."""
    number = 0
    for part in ("stem", "loop"):
        for step in run.get(part, []):
            number += 1
            print(f"  {part} {number:3}  {describe(step)}")
    if run.get("loop"):
        print(f"  and the loop of {len(run['loop'])} steps repeats forever")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        report, code = check(*sys.argv[1:])
    except (OSError, RuntimeError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(3)
    if "error" in report:
        print(f"error: {report['error']}", file=sys.stderr)
    for item in report["properties"]:
        print(f"{item['name']}: {item['verdict']}")
        run = item.get("counterexample")
        if run:
            shortest = ", and no run is shorter" if run.get("minimal") else ""
            print(f"  {run['message']}; {run['length']} steps{shortest}")
            show(run)
    sys.exit(code)


if __name__ == "__main__":
    main()
