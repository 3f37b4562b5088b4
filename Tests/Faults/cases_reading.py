"""Reading: no lock while a person reads, no file written in a store's own places, nothing said that isn't known."""

import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import time

import stores
from cases import case, expect
from process import environment, run


def big(box, kind):
    """A store whose rows are more than a pipe takes."""
    store = box.store(kind)

    def change(connection):
        connection.execute("WITH c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000) INSERT INTO ZPERSON(Z_PK, "
                           "Z_ENT, Z_OPT, ZNAME) SELECT n + 100, (SELECT Z_ENT FROM ZPERSON LIMIT 1), 1, 'Person ' || n FROM c")
    stores.edit(os.path.dirname(store), kind, change)
    return store


def stalled(box, store, words, act):
    """Runs `act` while nobody reads on from the command's output."""
    child = subprocess.Popen([box.binary, *words, "--no-config"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             env=environment(box.folder))
    try:
        time.sleep(3)
        act()
        # What is read later is the same result, whole.
        out = child.stdout.read()
        expect(out.count(b"\n") >= 3000, f"only {out.count(10)} lines came afterwards")
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


@case("A1", "a stalled reader of a long result: an app can save (rollback journal)")
def stalled_rollback(box):
    store = big(box, "rollback")

    def act():
        try:
            connection = sqlite3.connect(store, timeout=1, isolation_level=None)
            connection.execute("UPDATE ZTAG SET Z_OPT = 5")
            connection.close()
        except sqlite3.OperationalError as error:
            expect(False, f"the app's save fails: {error}")
    stalled(box, store, ["rows", store, "Person", "--format", "ndjson"], act)


@case("A1", "the same in WAL mode: an app can empty its WAL and leave WAL mode")
def stalled_wal(box):
    store = big(box, "wal")

    def act():
        try:
            connection = sqlite3.connect(store, timeout=1, isolation_level=None)
            connection.execute("UPDATE ZTAG SET Z_OPT = 5")
            busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            expect(busy[0] == 0, f"the checkpoint is busy: {busy}")
            mode = connection.execute("PRAGMA journal_mode=DELETE").fetchone()
            expect(mode == ("delete",), f"the journal mode stays {mode}")
            connection.close()
        except sqlite3.OperationalError as error:
            expect(False, f"the app can't: {error}")
    stalled(box, store, ["rows", store, "Person", "--format", "ndjson"], act)


@case("A1", "the same for a query's result")
def stalled_query(box):
    store = big(box, "rollback")

    def act():
        try:
            connection = sqlite3.connect(store, timeout=1, isolation_level=None)
            connection.execute("UPDATE ZTAG SET Z_OPT = 5")
            connection.close()
        except sqlite3.OperationalError as error:
            expect(False, f"the app's save fails: {error}")
    stalled(box, store, ["query", store, "SELECT pk, uri, name FROM Person", "--format", "csv"], act)


@case("A3", "an external file that only can't be read isn't called lost")
def unreadable_folder(box):
    if os.geteuid() != 0:
        return
    store = box.store("rollback")
    os.chmod(box.folder, 0o755)
    os.chmod(os.path.join(os.path.dirname(store), ".Journeys_SUPPORT"), 0o700)
    result = box.run("doctor", store, "--rule", "external-data-missing", "--json", user=65534)
    value = json.loads(result.out)
    expect(not value["findings"], f"{json.dumps(value['findings'])[:300]}")
    expect(any(s.get("rule") == "external-data-missing" for s in value["skipped"]), f"not skipped: {value['skipped']}")


@case("A4", "reading moves no access time of the store's own files")
def access_times(box):
    import states
    from findings import Findings
    findings = Findings("access times")
    for kind in stores.KINDS:
        store = box.store(kind, kind)
        for words in (["summary"], ["rows", "Attachment", "--json"], ["doctor"]):
            before = states.snapshot(os.path.dirname(store))
            box.run(words[0], store, *words[1:])
            after = {n: os.lstat(os.path.join(os.path.dirname(store), n)).st_atime_ns for n in before}
            for name, details in before.items():
                path = os.path.join(os.path.dirname(store), name)
                if os.path.isfile(path) and after[name] > details["atime"]:
                    findings.violations.append((kind, name))
        if findings.violations:
            expect(False, f"{kind}: {findings.violations}")


@case("A4", "the same next to an app that has the store open")
def access_times_live(box):
    import states
    for kind in ("rollback", "wal"):
        store = box.store(kind, kind)
        connection = sqlite3.connect(store)
        connection.execute("SELECT * FROM ZTAG").fetchall()
        before = states.snapshot(os.path.dirname(store))
        box.run("rows", store, "Attachment", "--json")
        moved = [n for n, d in before.items() if os.path.isfile(os.path.join(os.path.dirname(store), n))
                 and not n.endswith("-shm")
                 and os.lstat(os.path.join(os.path.dirname(store), n)).st_atime_ns > states.LONG_AGO + 10**9 * 86400]
        connection.close()
        expect(not moved, f"{kind}: access times of {moved}")


@case("B1", "bash completes a hostile entity's name: nothing runs")
def bash_completion(box):
    from terminal import Terminal
    if not shutil.which("bash"):
        return
    store = box.store("rollback")
    name = "Person$(touch${IFS}PWN)`touch${IFS}PWN2`"
    stores.edit(os.path.dirname(store), "rollback", lambda c: (
        c.execute("DELETE FROM Z_MODELCACHE"), c.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = ? WHERE Z_NAME = 'Person'", (name,))))
    script = box.run("completions", "bash").out
    os.mkdir(box.path("bin"))
    os.symlink(box.binary, box.path("bin", "storescope"))
    stores.write(box.path("rc"), b"PS1='ready> '\nbind 'set enable-bracketed-paste off'\n" + script)
    for before in ('"Per', "Per", "'Per", '--entity "Per', '"Person$'):
        terminal = Terminal(["bash", "--noprofile", "--rcfile", box.path("rc"), "-i"], box.folder, box.folder,
                            {"PATH": box.path("bin") + ":" + os.environ["PATH"]})
        terminal.wait_for(b"ready> ")
        command = "history" if before.startswith("--") else "rows"
        terminal.type(f"storescope {command} {store} {before}\t".encode())
        terminal.wait_for(b"\0never", 1.5)
        terminal.type(b"\r")
        terminal.wait_for(b"\0never", 1)
        terminal.type(b"\x03\x04exit\r")
        terminal.finish(4)
        made = [n for n in os.listdir(box.folder) if n.startswith("PWN")]
        expect(not made, f"{before!r} and Tab, Enter: {made} was made; {terminal.shown[-200:]!r}")


@case("L5", "no output lands on or among a store's own files")
def outputs_in_the_store(box):
    store = box.store("rollback")
    place = os.path.dirname(store)
    value = os.path.join(place, stores.SUPPORT, stores.SHARED)
    with open(value, "rb") as file:
        before = file.read()
    for suffix in ("-journal", "-wal", "-shm", ""):
        box.run("doctor", store, "--fail-on", "never", "--write-baseline", store + suffix)
        expect(suffix == "" or not os.path.exists(store + suffix), f"--write-baseline makes a {suffix}")
    for suffix in ("-wal", "-journal", "-shm"):
        # The name of a file of another store's.
        other = os.path.join(place, "Other.db")
        shutil.copyfile(store, other)
        result = box.run("redact", store, "-o", other + suffix)
        expect(not os.path.exists(other + suffix), f"redact makes {os.path.basename(other + suffix)}: {result.describe(80)}")
    script = box.path("script")
    stores.write(script, f"output {value}\nsummary\noutput {store}-journal\nsummary\n".encode())
    box.run("shell", store, "-f", script)
    with open(value, "rb") as file:
        expect(file.read() == before, "the shell's output went over an external value of the store")
    expect(not os.path.exists(store + "-journal"), "the shell's output made a -journal")
    box.run("report", store, "--force", "-o", os.path.join(place, stores.ASSETS, "one"))
    box.run("export", store, "--to", os.path.join(place, stores.SUPPORT, "export"))
    expect(not os.path.exists(os.path.join(place, stores.SUPPORT, "export")), "an export lands in the store's folder")


@case("L7", "outputs that hold values are no more open than the store")
def modes_of_outputs(box):
    store = box.store("rollback")
    os.chmod(store, 0o600)
    box.run("export", store, "--to", box.path("export"), "--blobs")
    box.run("report", store, "--include-values", "-o", box.path("report.json"))
    for path in (box.path("report.json"), *(os.path.join(r, n) for r, d, names in os.walk(box.path("export"))
                                            for n in names)):
        expect(stat.S_IMODE(os.stat(path).st_mode) & 0o077 == 0,
               f"{os.path.relpath(path, box.folder)} is {os.stat(path).st_mode & 0o777:o}")


@case("L8", "invisible characters are shown as escapes")
def invisible(box):
    store = box.store("rollback")
    text = "a\U000E0041\u00ad\u115f\u3164\u200b\u200c\u200d\u2060b"
    stores.edit(os.path.dirname(store), "rollback", lambda c: c.execute("UPDATE ZTAG SET ZNAME = ?", (text,)))
    from terminal import Terminal
    terminal = Terminal([box.binary, "rows", store, "Tag", "--no-pager", "--no-config"], box.folder, box.folder)
    terminal.finish(15)
    shown = terminal.shown.decode("utf-8", "replace")
    left = sorted({f"U+{ord(c):04X}" for c in shown if c in text[1:-1]})
    expect(not left, f"shown as they are: {left}")


@case("L9", "a path of 600 bytes and a name that isn't UTF-8: opened, or a sentence that says why not")
def long_paths(box):
    store = box.store("rollback")
    deep = os.path.join(box.folder, *["d" * 100] * 6)
    os.makedirs(deep)
    shutil.copyfile(store, os.path.join(deep, stores.NAME))
    result = box.run("summary", os.path.join(deep, stores.NAME))
    expect(result.code == 0 or re.search(r"too long|bytes|characters", result.text), result.describe())
    expect(result.code == 0 or "rights" not in result.text, result.describe())
    odd = os.fsencode(box.folder) + b"/odd-\xff\xfe.store"
    shutil.copyfile(store, odd)
    result = run_bytes([box.binary.encode(), b"summary", odd])
    expect(result[0] == 0 or "UTF-8" in result[1], f"exit {result[0]}: {result[1][:200]}")


def run_bytes(argv):
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=30)
    return done.returncode, done.stderr.decode("utf-8", "replace")


@case("L10", "a FIFO or a folder as -shm: the store is read, or the sentence names that file")
def odd_side_files(box):
    for kind in ("fifo", "folder"):
        store = box.store("nowal", kind)
        (os.mkfifo if kind == "fifo" else os.mkdir)(store + "-shm")
        result = box.run("summary", store, timeout=15)
        expect(not result.timed_out, "hangs")
        expect(result.code == 0 or ("-shm" in result.text and "inside" not in result.text), f"{kind}: {result.describe()}")


@case("L13", "arguments that can't be read: no help with exit 0")
def unreadable_arguments(box):
    import tracing
    store = box.store("rollback")
    if not os.path.exists("/proc/self/maps"):
        return
    calls, _ = tracing.calls([box.binary, "doctor", store], box.path("trace"), "/proc/self/maps")
    first = next((c for c in calls if c.name == "openat" and "/proc/self/maps" in c.text), None)
    if first is None:
        return  # not read any more
    result, _ = tracing.injected([box.binary, "doctor", store], box.path("trace"), first, "error=EIO")
    expect(result.code != 0 or b"Usage" not in result.out, f"the help, exit 0: {result.describe(80)}")
