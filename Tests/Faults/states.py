"""Reads stores in every state that a journal can be in: nothing may change, not even an access time."""

import os
import shutil
import sqlite3
import stat
import struct
from concurrent.futures import ThreadPoolExecutor

import commands
import stores
from findings import Findings
from process import command_line, run

LONG_AGO = 978_307_200 * 10**9  # an access time that every reading would move


def snapshot(folder):
    """Name -> everything that stat tells. Access times are set to long ago first, links and all."""
    found = {}
    for root, folders, names in os.walk(folder):
        for path in [root, *(os.path.join(root, n) for n in folders + names)]:
            status = os.lstat(path)
            if status.st_atime_ns > LONG_AGO and not stat.S_ISDIR(status.st_mode):
                os.utime(path, ns=(LONG_AGO, status.st_mtime_ns), follow_symlinks=False)
    for root, folders, names in os.walk(folder):
        for path in [root, *(os.path.join(root, n) for n in folders + names)]:
            found[os.path.relpath(path, folder)] = details(path)
    return found


def details(path):
    s = os.lstat(path)
    return {"inode": s.st_ino, "links": s.st_nlink, "owner": (s.st_uid, s.st_gid), "mode": s.st_mode, "size": s.st_size,
            "mtime": s.st_mtime_ns, "ctime": s.st_ctime_ns, "atime": s.st_atime_ns}


def compare(findings, folder, before, where, again):
    after = {os.path.relpath(p, folder): details(p) for root, d, n in os.walk(folder)
             for p in [root, *(os.path.join(root, x) for x in d + n)]}
    if set(after) != set(before):
        findings.violation("names", where, f"new {sorted(set(after) - set(before))}, gone {sorted(set(before) - set(after))}",
                           again)
    for name in set(after) & set(before):
        changed = [k for k in before[name] if before[name][k] != after[name][k]]
        # A folder's and a link's access time moves with every look at it; O_NOATIME is for files.
        if stat.S_ISDIR(before[name]["mode"]) or stat.S_ISLNK(before[name]["mode"]):
            changed = [k for k in changed if k != "atime"]
        if changed == ["atime"]:
            findings.violation("atime", where, f"access time of {name}", again)
        elif changed:
            findings.violation("changed", where, f"{changed} of {name}", again)


def _bytes(path, size=None):
    with open(path, "rb") as file:
        return file.read() if size is None else file.read(size)


def _put(path, content):
    if os.path.lexists(path):
        os.remove(path)
    with open(path, "wb") as file:
        file.write(content)


def _patch(path, offset, content):
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(content)


def _hot_journal(store, folder):
    """Leaves the store as a crash in the middle of a transaction does: pages written, and a journal to roll them back."""
    connection = sqlite3.connect(store, isolation_level=None)
    connection.execute("PRAGMA cache_size=1")
    connection.execute("PRAGMA cache_spill=1")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE ZTAG SET ZNAME = ZNAME || 'x'")
    connection.execute("UPDATE ACHANGE SET Z_OPT = 99")
    connection.execute("UPDATE ZENTRY SET Z_OPT = 99")
    for suffix in ("", "-journal"):
        shutil.copyfile(store + suffix, os.path.join(folder, "torn" + suffix))
    connection.execute("ROLLBACK")
    connection.close()
    for suffix in ("", "-journal"):
        os.replace(os.path.join(folder, "torn" + suffix), store + suffix)


def super_journal(journal, victim):
    """Appends the name of a super-journal, as SQLite does where one transaction spans several files."""
    name = victim.encode()
    tail = struct.pack(">I", 0x40000000 // 4096 + 1) + name + struct.pack(">II", len(name), sum(
        b if b < 128 else b - 256 for b in name) & 0xFFFFFFFF) + bytes.fromhex("d9d505f920a163d7")
    with open(journal, "ab") as file:
        file.write(tail)


def states(options):
    """Name -> (kind of store, what makes the state of it)."""
    def wal(name="", **parts):
        def make(store):
            for part, content in parts.items():
                path = f"{store}-{part}"
                if content is None:
                    os.remove(path)
                elif callable(content):
                    content(path)
                else:
                    _put(path, content)
        return make

    def cut(path):
        os.truncate(path, os.path.getsize(path) - 2000)

    def foreign(path):
        other = os.path.join(options.work, "other-for-wal")
        stores.base(options.binary, other, "wal")
        shutil.copyfile(os.path.join(other, stores.NAME + "-wal"), path)

    def fifo(path):
        if os.path.lexists(path):
            os.remove(path)
        os.mkfifo(path)

    def folder(path):
        if os.path.lexists(path):
            os.remove(path)
        os.mkdir(path)

    def linked(path):
        os.rename(path, path + ".target")
        os.symlink(os.path.basename(path) + ".target", path)

    def huge(path):
        _put(path, b"")
        os.truncate(path, 1 << 30)

    def hot(store):
        _hot_journal(store, os.path.dirname(store))

    def hot_then(change):
        def make(store):
            hot(store)
            change(store + "-journal")
        return make

    def on_store(change):
        return lambda store: change(store)

    return {
        "wal+shm": ("wal", wal()),
        "wal without shm": ("wal", wal(shm=None)),
        "shm without wal": ("wal", wal(wal=None)),
        "wal header, no side files": ("nowal", wal()),
        "empty wal": ("wal", wal(wal=b"")),
        "empty wal, no shm": ("wal", wal(wal=b"", shm=None)),
        "garbage shm": ("wal", wal(shm=os.urandom(32768))),
        "zero shm": ("wal", wal(shm=bytes(32768))),
        "short shm": ("wal", wal(shm=bytes(100))),
        "empty shm": ("wal", wal(shm=b"")),
        "huge shm": ("wal", wal(shm=huge)),
        "torn wal": ("wal", wal(wal=cut)),
        "torn wal, no shm": ("wal", wal(shm=None, wal=cut)),
        "wal with a bad header": ("wal", wal(wal=lambda p: _patch(p, 0, b"\0"))),
        "wal with a bad header, no shm": ("wal", wal(shm=None, wal=lambda p: _patch(p, 0, b"\0"))),
        "wal with a bad checksum": ("wal", wal(wal=lambda p: _patch(p, 32 + 30, b"\xff\xff"))),
        "wal with a bad page size": ("wal", wal(wal=lambda p: _patch(p, 8, b"\0\0\3\xe8"))),
        "wal of its header alone": ("wal", wal(wal=lambda p: os.truncate(p, 32))),
        "garbage wal": ("wal", wal(wal=os.urandom(50_000))),
        "foreign wal": ("wal", wal(wal=foreign)),
        "foreign wal, no shm": ("wal", wal(shm=None, wal=foreign)),
        "rollback": ("rollback", wal()),
        "hot journal": ("rollback", hot),
        "zeroed journal": ("rollback", hot_then(lambda p: _patch(p, 0, bytes(28)))),
        "cut journal": ("rollback", hot_then(cut)),
        "journal of a super-journal": ("rollback", hot_then(
            lambda p: super_journal(p, os.path.join(os.path.dirname(p), "victim")))),
        "garbage journal": ("rollback", wal(journal=os.urandom(9000))),
        "empty journal": ("rollback", wal(journal=b"")),
        "wal and a garbage journal": ("wal", wal(journal=os.urandom(9000))),
        "linked store": ("wal", on_store(linked)),
        "linked wal": ("wal", wal(wal=linked)),
        "hard link": ("wal", on_store(lambda s: os.link(s, os.path.join(os.path.dirname(s), "Other.store")))),
        "fifo shm": ("wal", wal(shm=fifo)),
        "fifo wal": ("wal", wal(wal=fifo)),
        "fifo journal": ("rollback", wal(journal=fifo)),
        "folder as shm": ("wal", wal(shm=folder)),
        "folder as wal": ("wal", wal(wal=folder)),
        "folder as journal": ("rollback", wal(journal=folder)),
        "read-only": ("wal", on_store(lambda s: [os.chmod(s + x, 0o444) for x in ("", "-wal", "-shm")])),
        "cut store": ("rollback", on_store(lambda s: os.truncate(s, 200_000))),
        "as nobody": ("wal", wal()),
        "as nobody, no shm, read-only folder": ("wal", wal(shm=None)),
        "of nobody": ("wal", on_store(lambda s: [os.chown(p, 65534, 65534) for root, d, n in os.walk(os.path.dirname(s))
                                                for p in [root, *(os.path.join(root, x) for x in d + n)]])),
    }


QUICK = 5  # seconds that no reading of a store of half a megabyte takes on the slowest machine


def check(options):
    findings = Findings("states")
    if os.geteuid() != 0:
        print("  without root, the states of other users' files are left out")
    root = commands.empty(os.path.join(options.work, "states"))
    other = os.path.join(stores.base(options.binary, os.path.join(root, "other"), "nowal"), stores.NAME)

    def one(number, name, kind, make):
        folder = os.path.join(root, f"{number:02} {name.replace(' ', '-')}", "folder")
        stores.base(options.binary, folder, kind)
        store = os.path.join(folder, stores.NAME)
        make(store)
        out = os.path.join(os.path.dirname(folder), "out")
        for index, (command, words) in enumerate(commands.reading(store, out, other=other).items()):
            if (index + number) % options.sample:
                continue
            commands.empty(out)
            os.chmod(out, 0o777)
            before = snapshot(folder)
            user = 65534 if name.startswith("as nobody") else None
            result = run([options.binary, *words], timeout=commands.SECONDS + 5, user=user)
            findings.ran()
            findings.count(f"exit {result.code}")
            where = f"{name} / {command}"
            again = command_line(result.argv)
            commands.limits(findings, result, where, again, QUICK)
            (compare if user is None else compare_but_atime)(findings, folder, before, where, again)
            if options.only:
                print(command, result.describe(300))
        if not options.only:
            shutil.rmtree(os.path.dirname(folder), ignore_errors=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(one, number, name, *state) for number, (name, state) in enumerate(states(options).items())
                if not ("nobody" in name and os.geteuid() != 0) and options.only in (None, name)]
        for job in jobs:
            job.result()
    return findings.finish()


def compare_but_atime(findings, folder, before, where, again):
    """O_NOATIME is only the owner's and the administrator's to ask for."""
    for entry in before.values():
        entry.pop("atime")
    compare(findings, folder, before, where, again)
