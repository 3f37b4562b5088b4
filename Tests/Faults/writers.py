"""Readings next to a process that goes on writing: every sum is right, and no healthy store is called damaged."""

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import commands
import stores
from findings import Findings
from process import command_line, run

KINDS = ("commits", "checkpoints", "vacuum", "reopen", "flips", "replace", "exclusive", "rollback commits", "large")
TOTAL = 80_000  # the sum over all amounts that every transaction keeps
ROWS = 400

DAMAGE = re.compile(r"damaged|malformed|disk I/O error|use a backup|not a database", re.IGNORECASE)
BUSY = re.compile(r"in use|changed while|changing|run the command again|try again|locked|is writing|busy|exclusively", re.IGNORECASE)


def prepare(binary, folder, kind):
    """A store in which the quantities of all packing items always add up to the same."""
    stores.demo(binary, folder)

    def change(connection):
        connection.execute("DELETE FROM ZPACKINGITEM WHERE Z_PK > 1")
        for key in range(2, ROWS + 1):
            connection.execute("INSERT INTO ZPACKINGITEM(Z_PK, Z_ENT, Z_OPT, ZISPACKED, ZQUANTITY, ZTRIP, ZNAME) "
                               "SELECT ?, Z_ENT, 1, 0, 0, ZTRIP, ? FROM ZPACKINGITEM WHERE Z_PK = 1", (key, f"item {key}"))
        connection.execute("UPDATE ZPACKINGITEM SET ZQUANTITY = ?", (TOTAL // ROWS,))
        connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = 'PackingItem'", (ROWS,))
    stores.edit(folder, "rollback" if kind == "rollback commits" else "nowal", change)
    return os.path.join(folder, stores.NAME)


def write(kind, store, rng):
    """Writes until it is killed."""
    def connect(path=store):
        connection = sqlite3.connect(path, timeout=5, isolation_level=None)
        return connection

    def transfer(connection, padding=200):
        connection.execute("BEGIN IMMEDIATE")
        for _ in range(5):
            one, other, amount = rng.randint(1, ROWS), rng.randint(1, ROWS), rng.randint(0, 40)
            connection.execute("UPDATE ZPACKINGITEM SET ZQUANTITY = ZQUANTITY - ?, ZNAME = ? WHERE Z_PK = ?",
                               (amount, "n" * rng.randint(1, padding), one))
            connection.execute("UPDATE ZPACKINGITEM SET ZQUANTITY = ZQUANTITY + ? WHERE Z_PK = ?", (amount, other))
        connection.execute("COMMIT")

    connection = connect() if kind not in ("reopen", "replace") else None
    while True:
        try:
            if kind == "reopen":
                connection = connect()
                transfer(connection)
                connection.close()
            elif kind == "replace":
                copy = store + ".next"
                shutil.copyfile(store, copy)
                connection = connect(copy)
                connection.execute("PRAGMA journal_mode=DELETE")
                transfer(connection)
                connection.close()
                os.rename(copy, store)
                time.sleep(rng.uniform(0, 0.02))
            elif kind == "flips":
                connection.execute(f"PRAGMA journal_mode={rng.choice(('WAL', 'DELETE', 'TRUNCATE'))}")
                transfer(connection)
            elif kind == "vacuum":
                transfer(connection)
                connection.execute("VACUUM")
            elif kind == "checkpoints":
                transfer(connection)
                connection.execute(f"PRAGMA wal_checkpoint({rng.choice(('PASSIVE', 'FULL', 'RESTART', 'TRUNCATE'))})")
            elif kind == "exclusive":
                connection.execute(f"PRAGMA locking_mode={rng.choice(('EXCLUSIVE', 'NORMAL'))}")
                transfer(connection)
                time.sleep(0.01)
            elif kind == "large":
                transfer(connection, 30_000)
            else:
                transfer(connection)
                time.sleep(rng.uniform(0, 0.005))
        except sqlite3.OperationalError as error:
            # Locks of readings are waited for; anything else would be the harness's own fault.
            if "locked" not in str(error) and "busy" not in str(error):
                raise


READINGS = {
    "query": lambda s, out: ["query", s, 'SELECT sum(quantity) AS total, count(*) AS rows FROM PackingItem', "--json"],
    "rows": lambda s, out: ["rows", s, "PackingItem", "--json"],
    "summary": lambda s, out: ["summary", s, "--json"],
    "doctor": lambda s, out: ["doctor", s, "--fail-on", "never", "--json"],
    "export": lambda s, out: ["export", s, "--entity", "PackingItem", "--to", os.path.join(out, "export")],
    "pending": lambda s, out: ["pending", s, "--json"],
}


def wrong(reading, result, out):
    """What contradicts the sum that every commit keeps; nil if nothing does."""
    try:
        if reading == "query":
            row = json.loads(result.out)["rows"][0]
            values = list(row.values()) if isinstance(row, dict) else row
            return None if values == [TOTAL, ROWS] else f"sum {row}"
        if reading == "rows":
            rows = json.loads(result.out)["rows"]
            found = (sum(r["quantity"] for r in rows), len(rows))
            return None if found == (TOTAL, ROWS) else f"sum {found}"
        if reading == "summary":
            rows = [e["rows"] for e in json.loads(result.out)["entities"] if e["name"] == "PackingItem"]
            return None if rows == [ROWS] else f"rows {rows}"
        if reading == "doctor":
            rules = {f["rule"] for f in json.loads(result.out)["findings"]}
            bad = rules & {"integrity-check-failed", "wal-damaged"}
            return f"finds {bad}" if bad else None
        if reading == "export":
            with open(os.path.join(out, "export", "entities", "PackingItem.ndjson")) as file:
                rows = [json.loads(line) for line in file]
            found = (sum(r["quantity"] for r in rows), len(rows))
            return None if found == (TOTAL, ROWS) else f"sum {found}"
    except (ValueError, KeyError, IndexError, OSError) as error:
        return f"unreadable result: {error!r}"
    return None


def check(options):
    findings = Findings("writers")
    root = commands.empty(os.path.join(options.work, "writers"))
    for kind in KINDS:
        if options.only not in (None, kind):
            continue
        folder = os.path.join(root, kind.replace(" ", "-"))
        store = prepare(options.binary, folder, kind)
        out = os.path.join(root, "out")
        writer = subprocess.Popen([sys.executable, os.path.abspath(__file__), kind, store, str(options.seed)])
        rng = random.Random(options.seed)
        until = time.monotonic() + options.seconds / options.sample
        try:
            while time.monotonic() < until:
                reading = rng.choice([*READINGS, "query", "rows"])
                commands.empty(out)
                words = READINGS[reading](store, out)
                result = run([options.binary, *words, "--no-config"], timeout=commands.SECONDS + 5)
                findings.ran()
                where, again = f"{kind} / {reading}", command_line(result.argv)
                commands.limits(findings, result, where, again)
                if result.code in (0, 1):
                    findings.count(f"{kind}: read")
                    problem = wrong(reading, result, out)
                    if problem:
                        findings.violation("wrong", where, f"{problem}; {result.describe(200)}", again)
                elif DAMAGE.search(result.text):
                    findings.violation("called-damaged", where, result.describe(), again)
                elif BUSY.search(result.text):
                    findings.count(f"{kind}: told that it is being written")
                else:
                    findings.violation("refused", where, result.describe(), again)
            if writer.poll() is not None:
                findings.violation("harness", kind, f"the writer ended with {writer.returncode}")
        finally:
            writer.send_signal(signal.SIGKILL)
            writer.wait()
        left = [n for n in os.listdir(folder) if n.startswith(stores.NAME) is False and n != ".Journeys_SUPPORT"]
        if left:
            findings.violation("leftover", kind, str(left))
        if stores.column(store, "PRAGMA integrity_check") != [("ok",)] or \
                stores.column(store, "SELECT sum(ZQUANTITY), count(*) FROM ZPACKINGITEM") != [(TOTAL, ROWS)]:
            findings.violation("store-broken", kind, "the store isn't what its writer made of it")
    return findings.finish()


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], random.Random(int(sys.argv[3])))
