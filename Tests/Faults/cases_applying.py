"""`--apply`: success and failure are told apart, and only the store that was consented to is changed, by the plan."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys

import content
import judging
import stores
import tracing
from cases import case, expect
from process import command_line, run
from terminal import Terminal

PULL = ("resync", "--pull")


def rows(store, scratch):
    return content.read(os.path.dirname(store), os.path.basename(store), scratch)


def agree(box, store, result, before):
    """Success is told if and only if the store was changed."""
    after = rows(store, box.folder)
    expect(not after.problem, after.problem)
    state = "old" if after == before else "new"
    for kind, text in judging.apply_problems(result, state, os.path.dirname(store)):
        expect(False, f"{kind}: {text}; {result.describe()}")


@case("D1", "a call that fails after the commit: success isn't called a failure")
def failure_after_commit(box):
    store = box.store("wal")
    argv = [box.binary, "resync", store, "--pull", "--apply", "--confirm", stores.NAME, "--json", "--no-config"]
    place = os.path.dirname(store)
    shutil.copytree(place, box.path("base"))
    calls, result = tracing.calls(argv, box.path("trace"), place)
    commit = max(i for i, c in enumerate(calls) if c.name in ("fsync", "fdatasync", "rename"))
    late = [c for c in calls[commit + 1:] if c.name in ("openat", "pread64", "newfstatat", "write", "fcntl")]
    for call in late:
        shutil.rmtree(place)
        shutil.copytree(box.path("base"), place)
        before = rows(store, box.folder)
        result, _ = tracing.injected(argv, box.path("trace"), call, "error=EIO")
        agree(box, store, result, before)


@case("D1", "an app that starts right after the commit: success isn't called a failure")
def app_after_commit(box):
    store = box.store("wal")
    argv = [box.binary, "resync", store, "--pull", "--apply", "--confirm", stores.NAME, "--json", "--no-config"]
    place = os.path.dirname(store)
    shutil.copytree(place, box.path("base"))
    calls, _ = tracing.calls(argv, box.path("trace"), place)
    last = max(i for i, c in enumerate(calls) if c.name in ("rename", "renameat", "renameat2", "fsync"))
    # Each call after the log is written waits in turn until the app has saved.
    late = [c for c in calls[last + 1:] if c.name in ("openat", "newfstatat", "pread64", "write")]
    late = late[::max(1, len(late) // 12)] + [c for c in calls if c.name == "write"][-1:]
    for call in late:
        shutil.rmtree(place)
        shutil.copytree(box.path("base"), place)
        before = rows(store, box.folder)
        app = subprocess.Popen([sys.executable, "-c", APP, store])
        result, _ = tracing.injected(argv, box.path("trace"), call, "delay_enter=300000")
        app.wait()
        expect(rows(store, box.folder).tables["ANSCKRECORDZONEMETADATA"] != before.tables["ANSCKRECORDZONEMETADATA"],
               f"not done: {result.describe(60)}")
        expect(result.code == 0, f"the change was made; {result.describe(60)}")


# Saves as soon as the log says that the change was made.
APP = """
import glob, sqlite3, sys, time
until = time.time() + 10
while time.time() < until and not any('"applied"' in open(p).read() for p in glob.glob(sys.argv[1] + '.*.log')):
    time.sleep(0.005)
c = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=5)
c.execute('UPDATE ZTAG SET Z_OPT = Z_OPT + 1')
c.close()
"""


@case("D1", "the output can't be written after the commit: the change and its backup are told")
def full_output(box):
    store = box.store()
    before = rows(store, box.folder)
    script = command_line([box.binary, "resync", store, "--pull", "--apply", "--confirm", stores.NAME]) + " >/dev/full"
    result = run(["sh", "-c", script])
    agree(box, store, result, before)


@case("D2", "an idle connection to a store with a rollback journal: refused")
def idle_rollback(box):
    store = box.store("rollback")
    connection = sqlite3.connect(store)
    connection.execute("SELECT * FROM ZTAG").fetchall()
    before = rows(store, box.folder)
    result = box.apply(store)
    connection.close()
    expect(result.code == 2, f"done while in use: {result.describe()}")
    expect(rows(store, box.folder) == before, "refused, and yet changed")


@case("D2", "the plan doesn't say that nobody has a store open that is open")
def idle_plan(box):
    store = box.store("rollback")
    connection = sqlite3.connect(store)
    connection.execute("SELECT * FROM ZTAG").fetchall()
    result = box.run("resync", store, "--pull", "--json")
    connection.close()
    conditions = {p["name"]: p["holds"] for p in json.loads(result.out)["plan"]["preconditions"]}
    expect(conditions.get("not-in-use", False) is False or "not-in-use" not in conditions, f"{conditions}")
    connection = sqlite3.connect(store)
    connection.execute("SELECT * FROM ZTAG").fetchall()
    text = box.run("resync", store, "--pull").out.decode()
    connection.close()
    expect(not re.search(r"yes +not-in-use", text), "the plan says that it isn't in use")


@case("D2", "an idle connection to a store in WAL mode: refused")
def idle_wal(box):
    store = box.store("nowal")
    connection = sqlite3.connect(store)
    connection.execute("SELECT * FROM ZTAG").fetchall()
    result = box.apply(store)
    connection.close()
    expect(result.code == 2, f"done while in use: {result.describe()}")


@case("D3", "a second hard link: refused, and nothing damaged")
def hard_link(box):
    store = box.store("wal")
    other = os.path.join(os.path.dirname(store), "Other.store")
    os.link(store, other)
    result = box.apply(other, "repair", "prune-history")
    after = rows(store, box.folder)
    expect(not after.problem, f"the store is damaged: {after.problem}")
    expect(result.code == 2, f"done through a second name: {result.describe()}")
    result = box.apply(store)
    expect(result.code == 2, f"done on a store with two names: {result.describe()}")


@case("D3", "reading through a second hard link, next to which the WAL isn't: a warning")
def hard_link_read(box):
    store = box.store("wal")
    os.mkdir(box.path("hl"))
    os.link(store, box.path("hl", "Other.store"))
    result = box.run("summary", box.path("hl", "Other.store"))
    expect(result.code != 0 or result.text.strip(), "read without its WAL, and nothing said")


@case("D4", "a trigger of somebody's on a planned table: its rows stay, or it is refused")
def trigger(box):
    store = box.store("rollback")
    stores.edit(os.path.dirname(store), "rollback", lambda c: c.executescript(
        "CREATE TABLE X(a PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO X VALUES(1,'precious'),(2,'data');"
        "CREATE TRIGGER t AFTER DELETE ON ANSCKEVENT BEGIN DELETE FROM X; END"))
    result = box.apply(store, "repair", "clear-events")
    expect(stores.column(store, "SELECT count(*) FROM X") == [(2,)], f"rows of another table went: {result.describe()}")


@case("D4", "a trigger that empties sqlite_sequence: it stays, or it is refused")
def trigger_on_sequence(box):
    store = box.store("rollback")
    stores.edit(os.path.dirname(store), "rollback", lambda c: c.executescript(
        "CREATE TABLE Y(a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO Y DEFAULT VALUES;"
        "CREATE TRIGGER t AFTER DELETE ON ANSCKEVENT BEGIN DELETE FROM sqlite_sequence; END"))
    result = box.apply(store, "repair", "clear-events")
    expect(stores.column(store, "SELECT count(*) FROM sqlite_sequence") == [(1,)], result.describe())


@case("D4", "a conflict clause that replaces rows: none goes, or it is refused")
def replace_clause(box):
    store = box.store("rollback")

    source = sqlite3.connect(store, isolation_level=None)
    text, = source.execute("SELECT sql FROM sqlite_master WHERE name = 'Z_PRIMARYKEY'").fetchone()
    content_rows = source.execute("SELECT * FROM Z_PRIMARYKEY").fetchall()
    source.execute("DROP TABLE Z_PRIMARYKEY")
    source.execute(text.replace("Z_MAX INTEGER", "Z_MAX INTEGER UNIQUE ON CONFLICT REPLACE"))
    for number, row in enumerate(content_rows):
        # Tag's highest key is 8: its counter lies below it, and the counter of another entity has the right number.
        top = {"Tag": 2, "Attachment": 8}.get(row[1], 1000 + number)
        source.execute("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, ?)", (*row[:3], top))
    count = source.execute("SELECT count(*) FROM Z_PRIMARYKEY").fetchall()
    source.close()
    result = box.apply(store, "repair", "raise-max")
    expect(result.code == 0 or "would change no row" not in result.text, f"the case makes no plan: {result.describe()}")
    expect(stores.column(store, "SELECT count(*) FROM Z_PRIMARYKEY") == count,
           f"{count} rows became {stores.column(store, 'SELECT count(*) FROM Z_PRIMARYKEY')}: {result.describe(80)}")


@case("D4", "a full-text index of iOS 27 on an entity: an operation on mirror tables isn't stopped by it, or says why")
def full_text(box):
    import hostile
    store = box.store("rollback")
    stores.edit(os.path.dirname(store), "rollback", lambda c: hostile.full_text(c, ""))
    result = box.apply(store)
    expect(result.code == 0 or (result.code == 2 and "othing was changed" in result.text), result.describe())


def exchanged(box, make):
    """A person reads the plan; the store is exchanged; the person types its name."""
    store = box.store("rollback")
    other = box.store("rollback", "other")
    stores.edit(os.path.dirname(other), "rollback", lambda c: c.execute(
        "UPDATE Z_METADATA SET Z_UUID = '0D1C2B3A-4958-4677-8695-A4B3C2D1E0F9'"))
    path, exchange, watched = make(store, other)
    before = content.sha(other)
    terminal = Terminal([box.binary, "resync", path, "--pull", "--apply", "--no-config"], box.folder, box.folder)
    expect(terminal.wait_for(b"Type the", 20), f"no question: {terminal.shown!r}")
    exchange()
    terminal.type(stores.NAME.encode() + b"\r")
    code = terminal.finish()
    expect(content.sha(watched) == before, f"the other store was changed, exit {code}")
    expect(code != 0, "exit 0")


@case("D5", "the store is replaced by another one after the plan was shown: refused")
def replaced_store(box):
    def make(store, other):
        shutil.copyfile(other, store + ".next")
        return store, lambda: os.rename(store + ".next", store), store
    exchanged(box, make)


@case("D5", "a link leads to another store after the plan was shown: refused")
def retargeted_link(box):
    def make(store, other):
        link = box.path("link", stores.NAME)
        os.mkdir(box.path("link"))
        os.symlink(store, link)

        def exchange():
            os.symlink(other, link + ".new")
            os.rename(link + ".new", link)
        return link, exchange, other
    exchanged(box, make)


@case("D5", "a copy with the same identifier takes the store's place after the plan was shown: refused")
def replaced_by_copy(box):
    store = box.store("rollback")
    shutil.copyfile(store, store + ".next")
    before = content.sha(store)
    terminal = Terminal([box.binary, "resync", store, "--pull", "--apply", "--no-config"], box.folder, box.folder)
    expect(terminal.wait_for(b"Type the", 20), f"no question: {terminal.shown!r}")
    os.rename(store + ".next", store)
    terminal.type(stores.NAME.encode() + b"\r")
    code = terminal.finish()
    expect(content.sha(store) == before and code, f"another file than the one of the plan was changed, exit {code}")


@case("L7", "backups and logs are no more open than the store")
def modes_of_backups(box):
    store = box.store("rollback")
    os.chmod(store, 0o600)
    backup = box.backup(store)
    log = backup + ".log"
    expect(os.stat(log).st_mode & 0o077 == 0, f"the log is {os.stat(log).st_mode & 0o777:o} for a store of 600")
    if os.geteuid() == 0:
        mine = box.store("rollback", "nobody")
        for root, folders, names in os.walk(os.path.dirname(mine)):
            for path in [root, *(os.path.join(root, n) for n in folders + names)]:
                os.chown(path, 65534, 65534)
        log = box.backup(mine) + ".log"
        expect(os.stat(log).st_uid == 65534, "the log of another user's store is root's")


@case("E1", "links among a store's external files: a backup and a copy don't follow them")
def linked_values_in_backup(box):
    import hostile
    for name, make in (("file", hostile.secret_file), ("folder", hostile.secret_folder)):
        store = box.store("rollback", name)
        place = os.path.dirname(store)
        stores.edit(place, "rollback", lambda c: make(c, place))
        result = box.apply(store)
        for backup in judging.backups(place):
            expect(not hostile.leaks(backup), f"the backup has the linked {name}'s content: {result.describe(80)}")
        result = box.run("resync", store, "--pull", "--apply", "--on-copy", box.path(f"copy-{name}", "Copy.store"))
        expect(not hostile.leaks(box.path(f"copy-{name}")), f"the copy has the linked {name}'s content")
