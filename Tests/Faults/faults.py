#!/usr/bin/env python3
"""Runs a storescope binary from outside, in situations that no test inside of it can make. See README.md."""

import argparse
import importlib
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from findings import Findings  # noqa: E402


def injection(options):
    import applying
    import injecting
    import restoring
    findings = Findings(f"{options.check}")
    sides = {"apply": applying, "restore": restoring}
    for side in [options.of] if options.of else list(sides):
        scenarios = sides[side].scenarios(options.binary, options.check)
        wanted = options.only.split("/") if options.only else None
        if wanted:
            scenarios = [s for s in scenarios if s.name == "/".join(wanted[1:4])]
        injecting.run_all(findings, scenarios, options.check, options)
    return findings.finish()


MODULES = {"hostile-writer": "racing", "states": "states", "writers": "writers", "hostile": "hostile", "pages": "pages",
           "cases": "cases"}


def memory():
    """A file system in memory, where a sync costs nothing; else the usual temporary folder."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", help="the storescope binary")
    parser.add_argument("check", choices=["kills", "failures", *MODULES, "all"])
    parser.add_argument("of", nargs="?", choices=["apply", "restore"], help="kills, failures, hostile-writer: only this")
    parser.add_argument("--work", help="where stores are made (default: a new folder in memory, which stays)")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time (default: 2)")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="only every N-th run")
    parser.add_argument("--offset", type=int, default=0, help="the first run of a sample")
    parser.add_argument("--seconds", type=float, default=20, help="writers: how long each kind (default: 20)")
    parser.add_argument("--runs", type=int, help="hostile-writer, pages: how many")
    parser.add_argument("--seed", type=int, default=1, help="of everything that is left to chance (default: 1)")
    parser.add_argument("--stores", help="a folder of real stores, which are copied and read too")
    parser.add_argument("--show-all", action="store_true", help="print every violation, not only the first of a kind")
    parser.add_argument("--only", metavar="ID", help="one run or case, shown in full")
    options = parser.parse_args()
    Findings.shows_all = options.show_all
    options.binary = os.path.realpath(options.binary)
    options.work = os.path.realpath(options.work or tempfile.mkdtemp(prefix="faults.", dir=memory()))
    os.makedirs(options.work, exist_ok=True)
    os.chmod(options.work, 0o755)  # some runs are another user's
    checks = ["cases", "kills", "failures", "hostile-writer", "states", "writers", "hostile", "pages"] \
        if options.check == "all" else [options.check]
    held = True
    for check in checks:
        options.check = check
        held = (importlib.import_module(MODULES[check]).check(options) if check in MODULES
                else injection(options)) and held
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
