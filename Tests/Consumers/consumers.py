"""Checks of what others do with storescope's files: other programs read them, or other people get them.

They run a finished binary over every store in a folder, and read what it writes with the programs that users have. They
are not part of CI, as they need Java and some large packages:

    pip install -r Tests/Consumers/requirements.txt
    python3 Tests/Consumers/consumers.py BINARY STORES all

    doctor      SARIF is valid by the schema of SARIF 2.1.0, and JUnit is read by junitparser: of each store, of all stores
                in one run, and with a baseline.
    exports     Exports are read by DuckDB (through load.sql) and by pandas: all rows, dates as timestamps, and no
                difference between the two formats. The command lines in load.sql's header work as they stand.
    spark       Spark reads exports with the schemas in spark-schemas.json, in its strictest mode.
    fleet       Of 1,000 addresses, a tenth of them in archives, the guide's job for Spark makes the same tables as
                'fleet --to'; every query of Queries/fleet has the same rows in DuckDB and in Spark SQL.
    redaction   In a redacted copy, with the model and without it, there is no text, no fraction and no date of the
                original, and the doctor finds the same.
    schemas     'storescope schema' prints schemas that are valid by JSON Schema's own schema, and what the commands print
                is valid by them.
    assistant   The client of the Model Context Protocol asks every tool of `storescope mcp`, and sees no value unless it may.

STORES is a folder with stores in it, at any depth; they are copied before anything opens them. Prints what was counted, and
a line per violation. The exit code is 0 if there was none.
"""

import argparse
import importlib
import pathlib
import sys
import tempfile

from running import Check, Program, copies

# Each module is imported with the packages that it needs when its check runs, so that one check needs no others'.
CHECKS = {
    "doctor": ("doctor", "check"),
    "exports": ("exports", "check"),
    "spark": ("exports", "check_spark"),
    "fleet": ("fleet", "check"),
    "redaction": ("redaction", "check"),
    "schemas": ("schemas", "check"),
    "assistant": ("assistant", "check"),
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("stores", type=pathlib.Path)
    parser.add_argument("checks", nargs="+", choices=[*CHECKS, "all"])
    options = parser.parse_args()
    names = list(CHECKS) if "all" in options.checks else options.checks
    violations = 0
    with tempfile.TemporaryDirectory(prefix="consumers-") as folder:
        stores = copies(options.stores, pathlib.Path(folder) / "stores")
        if not stores:
            sys.exit(f"there is no store in {options.stores}")
        for name in names:
            check = Check(name)
            place = pathlib.Path(folder) / name
            place.mkdir()
            module, function = CHECKS[name]
            getattr(importlib.import_module(module), function)(check, Program(options.binary), stores, place)
            check.report()
            violations += len(check.violations)
    sys.exit(1 if violations else 0)


if __name__ == "__main__":
    main()
