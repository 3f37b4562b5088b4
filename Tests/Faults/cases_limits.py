"""20 s and 1 GiB: the shapes of the review, quickly. `hostile` has many more of them, with every command."""

import hashlib
import os
import shutil
import sqlite3
import zlib

import commands
import hostile
import stores
from cases import case, expect


def within(result, seconds=commands.SECONDS, mib=1024):
    expect(not result.timed_out and result.seconds <= seconds, f"{result.argv[1:3]}: {result.seconds:.1f} s")
    expect(result.peak_kib >> 10 <= mib, f"{result.argv[1:3]}: {result.peak_kib >> 10} MiB")
    expect(not result.crashed, result.describe())


def shaped(box, make):
    store = box.store("rollback")
    connection = sqlite3.connect(store, isolation_level=None)
    make(connection, os.path.dirname(store))
    connection.close()
    return store


def limited(box, *words):
    return box.run(*words, timeout=21, most_kib=commands.MOST)


@case("C1", "a generated column in Z_PRIMARYKEY")
def generated_names(box):
    store = shaped(box, hostile.generated("Z_PRIMARYKEY", "Z_NAME"))
    for words in (["summary", store], ["doctor", store], ["export", store, "--to", box.path("out")]):
        within(limited(box, *words))


@case("C1", "a generated column in ATRANSACTIONSTRING")
def generated_strings(box):
    store = shaped(box, hostile.generated("ATRANSACTIONSTRING", "ZNAME"))
    for words in (["doctor", store], ["history", store, "--json"]):
        within(limited(box, *words))


@case("C2", "a damaged WAL header next to a -shm: no waiting")
def damaged_wal_header(box):
    store = box.store("wal")
    with open(store + "-wal", "r+b") as file:
        file.write(b"\0")
    within(limited(box, "summary", store), 5)
    within(limited(box, "resync", store, "--pull", "--rehearse"), 8)


@case("H1", "an entity's table is a view that never ends")
def endless_view(box):
    store = shaped(box, hostile.view("ZTAG", True))
    for words in (["rows", store, "Tag", "--json"], ["summary", store], ["doctor", store],
                  ["export", store, "--to", box.path("out")]):
        within(limited(box, *words))


@case("H2", "an entity's name of 10 MB in a store without a model")
def huge_name(box):
    def make(connection, folder):
        tag, = connection.execute("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'").fetchone()
        hostile.many_rows("ACHANGE", 300, "ZENTITY", tag)(connection, folder)
        connection.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = ? WHERE Z_ENT = ?", ("T" * hostile.LONG, tag))
    store = shaped(box, hostile.no_model(make))
    for words in (["history", store, "--json"], ["summary", store], ["doctor", store]):
        within(limited(box, *words))


@case("L11", "500 rows of one sparse external file")
def amplified_file(box):
    store = shaped(box, hostile.external(500, hostile.sparse(255 << 20)))
    within(limited(box, "rows", store, "Attachment", "--json"))


@case("L11", "300 rows of a gzip bomb")
def amplified_bomb(box):
    store = shaped(box, hostile.many_rows("ZENTRY", 300, "ZTHUMBNAIL", hostile.BOMB))
    within(limited(box, "rows", store, "Entry", "--json"))


@case("L11", "a .momd of 300 models")
def many_models(box):
    for has_hashes in (True, False):
        store = box.store("rollback", f"s{has_hashes}")
        within(limited(box, "summary", store, "--model", hostile.models(os.path.dirname(store), 300, has_hashes)))


@case("L11", "a .momd of 600 large models (only with --stores)")
def large_models(box):
    caches = []
    for parent, _, names in os.walk(box.stores or ""):
        for name in names:
            if name.endswith(".sqlite"):
                copy = box.path("copy.sqlite")
                shutil.copyfile(os.path.join(parent, name), copy)
                try:
                    packed, = stores.column(copy, "SELECT Z_CONTENT FROM Z_MODELCACHE")[0]
                    caches.append((len(packed), packed, os.path.join(parent, name)))
                except (sqlite3.Error, IndexError):
                    pass  # no cache
    if not caches:
        return
    _, packed, path = max(caches)
    shutil.copyfile(path, box.path("Large.sqlite"))
    model = zlib.decompress(packed, -15)
    for number in range(600):
        stores.write(box.path("Many.momd", f"Version {number}.mom"), model.replace(b"DetectedFace", b"DetectedFacx"))
    within(limited(box, "summary", box.path("Large.sqlite"), "--model", box.path("Many.momd")))


@case("L11", "user SQL that asks for gigabytes: a sentence")
def greedy_query(box):
    store = box.store("rollback")
    for text in ("SELECT hex(zeroblob(900000000))", "SELECT length(hex(zeroblob(450000000)) || hex(zeroblob(450000000)))"):
        result = limited(box, "query", store, text)
        within(result)
        expect(result.code == 2 or result.code == 0, result.describe())


@case("L11", "user SQL that never ends: --timeout stops it")
def endless_query(box):
    store = box.store("rollback")
    result = limited(box, "query", store, f"{hostile.ENDLESS} SELECT count(*) FROM c", "--timeout", "2")
    expect(not result.timed_out and result.seconds < 15, f"{result.seconds:.1f} s")
    expect(result.code == 2, result.describe())


@case("L12", "a virtual table of a missing module, however spelled: the other entities are read")
def virtual_tables(box):
    for number, spelling in enumerate(("CREATE VIRTUAL TABLE", "CREATE/**/VIRTUAL TABLE", "create\n--\nvirtual\ttable")):
        store = os.path.join(stores.base(box.binary, box.path(f"v{number}"), "rollback"), stores.NAME)
        connection = sqlite3.connect(store, isolation_level=None)
        hostile.virtual(spelling)(connection, "")
        connection.close()
        result = box.run("rows", store, "Tag", "--json")
        expect(result.code == 0, f"{spelling!r}: {result.describe()}")


@case("E1", "links among external files: shown as links, not followed")
def linked_values(box):
    for name, make in (("file", hostile.secret_file), ("folder", hostile.secret_folder)):
        store = box.store("rollback", name)
        place = os.path.dirname(store)
        stores.edit(place, "rollback", lambda c: make(c, place))
        for words in (["rows", store, "Attachment", "--json"], ["query", store, "SELECT hex(data) AS h FROM Attachment"],
                      ["export", store, "--blobs", "--to", box.path("export-" + name)],
                      ["report", store, "--include-values", "-o", box.path(f"report-{name}.html")],
                      ["redact", store, "-o", box.path(f"redacted-{name}", "Copy.store")]):
            os.makedirs(box.path(f"redacted-{name}"), exist_ok=True)
            result = box.run(*words)
            hexed = hostile.SECRET.hex().upper().encode()
            digest = hashlib.sha256(hostile.SECRET).hexdigest().encode()
            for secret in (hostile.SECRET, hexed, digest):
                expect(secret not in result.out, f"{words[0]} shows the linked {name}'s content or hash")
        for folder in (f"export-{name}", f"redacted-{name}"):
            expect(not hostile.leaks(box.path(folder)), f"{folder} has the linked {name}'s content")
