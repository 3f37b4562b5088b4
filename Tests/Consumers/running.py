"""The binary, the stores, and what a check counts."""

import collections
import json
import pathlib
import shutil
import sqlite3
import subprocess


class Check:
    """Counts what was looked at, and keeps what was wrong."""

    def __init__(self, name):
        self.name = name
        self.counts = collections.Counter()
        self.violations = []

    def count(self, what, number=1):
        self.counts[what] += number

    def expect(self, holds, where, what):
        if not holds:
            self.violations.append(f"{where}: {what}")
        return holds

    def report(self):
        figures = ", ".join(f"{number:,} {what}" for what, number in self.counts.items())
        print(f"{self.name}: {figures}, {len(self.violations)} violations", flush=True)
        for violation in self.violations[:50]:
            print(f"  {violation}")


class Program:
    def __init__(self, path):
        self.path = path.resolve()

    def run(self, *words, folder=None):
        return subprocess.run(
            [self.path, *map(str, words)], cwd=folder, capture_output=True, text=True, check=False
        )

    def json(self, *words):
        return json.loads(self.run(*words, "--json", "--quiet").stdout)


def copies(folder, target):
    """A copy of each store in the folder, with its side files, in a folder of its own."""
    found = []
    for path in sorted(folder.rglob("*")):
        if "models" in path.parts or not path.is_file():
            continue
        with path.open("rb") as file:
            if file.read(16) != b"SQLite format 3\0":
                continue
        place = target / path.relative_to(folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        for suffix in ["", "-wal", "-shm", "-journal"]:
            source = pathlib.Path(f"{path}{suffix}")
            if source.exists():
                shutil.copyfile(source, f"{place}{suffix}")
        if is_store(place):
            found.append(place)
    return found


def is_store(path):
    """Asks a copy, as SQLite may change what it opens."""
    work = path.with_name(path.name + ".look")
    shutil.copyfile(path, work)
    if (wal := pathlib.Path(f"{path}-wal")).exists():
        shutil.copyfile(wal, f"{work}-wal")
    connection = sqlite3.connect(work)
    try:
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
        return {"Z_METADATA", "Z_PRIMARYKEY"} <= tables
    finally:
        connection.close()
        for left in path.parent.glob(work.name + "*"):
            left.unlink()
