"""`restore` changes nothing but its own place, refuses parts that are no files, and asks before it replaces."""

import hashlib
import json
import os
import shutil
import signal
import time

import content
import states
import stores
from cases import case, expect
from terminal import Terminal


def work_folder(store):
    return os.path.join(os.path.dirname(store), f".{stores.NAME}.restoring")


def victim(box):
    stores.write(box.path("victim", "notes.txt"), b"precious")
    stores.write(box.path("victim", "sub", "more.txt"), b"precious too")
    return content.files(box.path("victim"))


def sign(backup):
    """Writes the manifest's hashes anew, as whoever makes a hostile backup does."""
    path = os.path.join(backup, "manifest.json")
    with open(path) as file:
        manifest = json.load(file)
    for part in manifest["files"]:
        with open(os.path.join(backup, part["path"]), "rb") as file:
            data = file.read()
        part["bytes"], part["sha256"] = len(data), hashlib.sha256(data).hexdigest()
    seal(backup, manifest)


def seal(backup, manifest):
    text = (json.dumps(manifest, separators=(",", ":")) + "\n").encode()
    stores.write(os.path.join(backup, "manifest.json"), text)
    stores.write(os.path.join(backup, "manifest.sha256"), f"{hashlib.sha256(text).hexdigest()}  manifest.json\n".encode())


def add_part(backup, name, data=None):
    with open(os.path.join(backup, "manifest.json")) as file:
        manifest = json.load(file)
    part = {"path": name, "bytes": len(data or b""), "sha256": hashlib.sha256(data or b"").hexdigest()}
    manifest["files"] = [f for f in manifest["files"] if f["path"] != name] + [part]
    if data is not None:
        stores.write(os.path.join(backup, name), data)
    seal(backup, manifest)


@case("R1", "a planted link named like restore's work folder: nothing behind it goes")
def planted_link(box):
    store = box.store()
    backup = box.backup(store)
    before = victim(box)
    os.symlink(box.path("victim"), work_folder(store))
    result = box.restore(backup)
    expect(content.files(box.path("victim")) == before, f"the linked folder lost files: {result.describe()}")


@case("R1", "the same in a bundle without the store, with a relative link, and no --confirm")
def planted_relative_link(box):
    store = box.store()
    backup = box.backup(store)
    before = victim(box)
    os.symlink("../victim", work_folder(store))
    os.remove(store)
    result = box.run("restore", backup, "--no-config")
    expect(content.files(box.path("victim")) == before, f"the linked folder lost files: {result.describe()}")


@case("R1", "a planted real folder named like restore's work folder: what others put there stays")
def planted_folder(box):
    store = box.store()
    backup = box.backup(store)
    stores.write(os.path.join(work_folder(store), "thesis", "chapter.txt"), b"precious")
    stores.write(os.path.join(work_folder(store), "notes.txt"), b"precious")
    result = box.restore(backup)
    for name in ("thesis/chapter.txt", "notes.txt"):
        expect(os.path.exists(os.path.join(work_folder(store), name)), f"{name} is gone: {result.describe()}")


@case("R1", "links below a planted work folder: nothing behind them goes")
def planted_inner_links(box):
    store = box.store()
    backup = box.backup(store)
    before = victim(box)
    os.mkdir(work_folder(store), 0o700)
    for name in ("new", "old", "merged", "merged-old", "keeping", "lock"):
        os.symlink(box.path("victim"), os.path.join(work_folder(store), name))
    result = box.restore(backup)
    expect(content.files(box.path("victim")) == before, f"the linked folder changed: {result.describe()}")


def with_super_journal(box, backup, target):
    """Gives the backup, or the store in the place, a hot journal that names a file elsewhere as its super-journal."""
    source = box.store("rollback", "hot")
    states._hot_journal(source, os.path.dirname(source))
    journal = source + "-journal"
    states.super_journal(journal, target)
    return source, journal


@case("R2", "a hot journal in the backup that names a super-journal: that file stays")
def super_journal_in_backup(box):
    store = box.store("rollback")
    backup = box.backup(store)
    target = box.path("victim-file")
    # SQLite deletes a super-journal once none of the journals that it lists names it any more; an empty one counts as none.
    stores.write(target, b"precious")
    source, journal = with_super_journal(box, backup, target)
    shutil.copyfile(source, os.path.join(backup, stores.NAME))
    with open(journal, "rb") as file:
        add_part(backup, stores.NAME + "-journal", file.read())
    sign(backup)
    result = box.restore(backup)
    expect(os.path.exists(target), f"the file that the super-journal's name leads to is gone: {result.describe()}")


@case("R2", "the same for a store in the place")
def super_journal_in_place(box):
    store = box.store("rollback")
    backup = box.backup(store)
    target = box.path("victim-file")
    stores.write(target, b"precious")
    source, journal = with_super_journal(box, backup, target)
    shutil.copyfile(source, store)
    shutil.copyfile(journal, store + "-journal")
    result = box.restore(backup)
    expect(os.path.exists(target), f"the file that the super-journal's name leads to is gone: {result.describe()}")


@case("R2", "the same for reading, and for an operation")
def super_journal_read(box):
    target = box.path("victim-file")
    stores.write(target, b"precious")
    source, _ = with_super_journal(box, None, target)
    for result in (box.run("summary", source), box.run("doctor", source), box.apply(source),
                   box.run("resync", source, "--pull", "--apply", "--on-copy", box.path("Copy.store")),
                   box.run("redact", source, "-o", box.path("Redacted.store")),
                   box.run("resync", source, "--pull", "--rehearse")):
        expect(os.path.exists(target), f"the file is gone: {result.argv} {result.describe()}")


@case("L1", "a FIFO among a backup's parts: refused at once")
def fifo_in_backup(box):
    store = box.store()
    backup = box.backup(store)
    part = os.path.join(backup, stores.SUPPORT, stores.SHARED)
    os.remove(part)
    os.mkfifo(part)
    result = box.restore(backup, timeout=15)
    expect(not result.timed_out and result.code == 2, result.describe())


@case("L1", "a link to a device among a backup's parts: refused at once")
def device_in_backup(box):
    store = box.store()
    backup = box.backup(store)
    part = os.path.join(backup, stores.SUPPORT, stores.SHARED)
    os.remove(part)
    os.symlink("/dev/zero", part)
    result = box.restore(backup, timeout=15)
    expect(not result.timed_out and result.code == 2, result.describe())


@case("L1", "a backup whose part, or whose folder of parts, links to a file of the user's: it isn't restored")
def link_in_backup(box):
    for is_folder in (False, True):
        store = box.store(name=f"s{is_folder}")
        backup = box.backup(store)
        outside = stores.SHARED
        stores.write(box.path("private", outside), b"first content " * 700)  # the same content as the part's
        part = os.path.join(backup, stores.SUPPORT)
        if is_folder:
            shutil.rmtree(part)
            os.symlink(box.path("private"), part)
        else:
            os.remove(os.path.join(part, stores.SHARED))
            os.symlink(box.path("private", outside), os.path.join(part, stores.SHARED))
        result = box.restore(backup)
        expect(result.code == 2, f"taken through a link ({'folder' if is_folder else 'file'}): {result.describe()}")


@case("L1", "a folder, a FIFO or a device in place of a backup's manifest: refused at once")
def odd_manifest(box):
    for kind in ("folder", "fifo", "device"):
        store = box.store(name="s-" + kind)
        backup = box.backup(store)
        path = os.path.join(backup, "manifest.json")
        os.remove(path)
        {"folder": lambda: os.mkdir(path), "fifo": lambda: os.mkfifo(path),
         "device": lambda: os.symlink("/dev/zero", path)}[kind]()
        result = box.restore(backup, timeout=15)
        expect(not result.timed_out and result.code == 2, f"{kind}: {result.describe()}")


@case("L3", "a link deep in the target's folders: refused before anything is replaced")
def deep_link_in_target(box):
    store = box.store()
    backup = box.backup(store)
    place = os.path.dirname(store)
    os.rename(os.path.join(place, stores.SUPPORT), box.path("elsewhere"))
    os.symlink(box.path("elsewhere"), os.path.join(place, stores.SUPPORT))
    before = (content.files(place), content.files(box.path("elsewhere")))
    result = box.restore(backup)
    expect(result.code == 2, f"not refused: {result.describe()}")
    after = (content.files(place), content.files(box.path("elsewhere")))
    expect(after == before, f"refused, and yet changed: {result.describe()}")


@case("L4", "a file in the place that is no store isn't called one")
def no_store_in_place(box):
    store = box.store()
    backup = box.backup(store)
    notes = box.path("notes.txt")
    stores.write(notes, b"my notes")
    with open(os.path.join(backup, "manifest.json")) as file:
        manifest = json.load(file)
    manifest["store"]["path"] = notes
    for part in manifest["files"]:
        if part["path"] == stores.NAME:
            part["path"] = "notes.txt"
    manifest["files"] = [f for f in manifest["files"] if f["path"] == "notes.txt"]
    os.rename(os.path.join(backup, stores.NAME), os.path.join(backup, "notes.txt"))
    seal(backup, manifest)
    result = box.run("restore", backup, "--no-config")
    expect(result.code == 2, result.describe())
    import re
    expect(not re.search(r"[Tt]here is a store|a store, which|[Tt]here is already a store", result.text),
           f"a text file is called a store: {result.describe()}")
    with open(notes, "rb") as file:
        expect(file.read() == b"my notes", "replaced without consent")


@case("D6", "Ctrl-C in the shell during restore: a sentence says what was done")
def interrupted_restore(box):
    for after in (0.2, 0.6, 1.2):
        store = box.store("wal", f"s{after}")
        backup = box.backup(store)
        stores.age(os.path.dirname(store), "nowal")
        before = content.read(os.path.dirname(store), stores.NAME, box.folder)
        # Slowed, so that the key comes while files are moved.
        terminal = Terminal(
            ["strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "-I", "never", "-e", "trace=fsync,rename,linkat,unlink", "-e",
             "inject=fsync,rename,linkat,unlink:delay_enter=50000", box.binary, "shell", store, "--no-config"],
            box.folder, box.folder)
        expect(terminal.wait_for(b"> ", 20), f"no prompt: {terminal.shown!r}")
        begin = len(terminal.shown)
        terminal.type(f"restore {backup} --confirm {stores.NAME}\r".encode())
        time.sleep(after)
        terminal.type(b"\x03")
        time.sleep(0.2)
        until = time.monotonic() + 20
        while time.monotonic() < until and terminal.shown[begin:].count(b"> ") < 2 and b"estored" not in \
                terminal.shown[begin:]:
            terminal._read(0.2)
        terminal.wait_for(b"\0never", 2)
        shown = terminal.shown[begin:].decode("utf-8", "replace")
        os.kill(terminal.pid, signal.SIGHUP)
        terminal.type(b"\x04")
        terminal.finish(5)
        is_changed = content.read(os.path.dirname(store), stores.NAME, box.folder) != before
        text = shown[shown.find(stores.NAME + "\r") + 1:]
        said = any(word in text.lower() for word in ("restored", "replaced", "was changed", "in the place"))
        expect(said if is_changed else True,
               f"the store was replaced by a restore stopped after {after} s, and what is shown is {text[-400:]!r}")
        expect(is_changed or any(w in text.lower() for w in ("nothing", "interrupted", "stopped", "not ", "restored")),
               f"stopped after {after} s without a word: {text[-400:]!r}")
