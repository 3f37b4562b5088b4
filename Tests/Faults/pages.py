"""Random damage to pages, WALs, journals and blobs: no reading command may crash or go past the limits."""

import os
import random
import shutil
import sqlite3
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor

import commands
import stores
from findings import Findings
from process import run

PAGE = 4096
BLOBS = (("Z_METADATA", "Z_PLIST"), ("Z_MODELCACHE", "Z_CONTENT"), ("ACHANGE", "ZCOLUMNS"), ("ATRANSACTION", "ZQUERYGEN"),
         ("ANSCKRECORDMETADATA", "ZENCODEDRECORD"), ("ANSCKRECORDZONEMETADATA", "ZCURRENTCHANGETOKEN"),
         ("ANSCKMETADATAENTRY", "ZTRANSFORMEDVALUE"), ("ZENTRY", "ZTHUMBNAIL"), ("ZENTRY", "ZHOURLY"),
         ("ANSCKRECORDMETADATAENCODEDRECORDASSET", "ZBINARYDATA"))


def damage(rng, data):
    """Some bytes changed, blocks zeroed, copied or cut off."""
    data = bytearray(data)
    if not data:
        return bytes(data)
    for _ in range(rng.choice((1, 1, 3, 20))):
        place = rng.randrange(len(data))
        what = rng.randrange(6)
        if what < 3:
            data[place] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        elif what == 3:
            data[place:place + 8] = rng.choice((b"\0" * 8, b"\xff" * 8, b"\x7f" + b"\xff" * 7))[:len(data) - place]
        elif what == 4:
            length = rng.randrange(1, 200)
            source = rng.randrange(len(data))
            part = data[source:source + length]
            data[place:place + len(part)] = part
        elif len(data) > 1 and rng.random() < 0.3:
            del data[place:]
            if not data:
                return b"\0"
    return bytes(data)


def damage_pages(rng, path):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    if len(data) < 2 * PAGE:
        return
    for _ in range(rng.choice((1, 1, 2, 5))):
        # The schema's and the framework tables' pages lie first, and matter more.
        page = rng.randrange(min(len(data) // PAGE, rng.choice((2, 12, 10**6))))
        start = page * PAGE
        how = rng.randrange(5)
        if how == 0:  # the head of a page: its kind, cell count and pointers
            data[start + rng.randrange(12)] = rng.randrange(256)
        elif how == 1:
            data[start:start + PAGE] = damage(rng, data[start:start + PAGE]).ljust(PAGE, b"\0")
        elif how == 2:
            data[start:start + PAGE] = bytes(PAGE)
        elif how == 3:
            other = rng.randrange(len(data) // PAGE) * PAGE
            data[start:start + PAGE] = data[other:other + PAGE]
        else:
            data[rng.randrange(100)] = rng.randrange(256)
    with open(path, "wb") as file:
        file.write(data)


def damage_blob(rng, store):
    table, column = rng.choice(BLOBS)
    connection = sqlite3.connect(store, isolation_level=None)
    try:
        rows = connection.execute(f'SELECT rowid, "{column}" FROM "{table}" WHERE "{column}" IS NOT NULL').fetchall()
        if not rows:
            return
        row, value = rng.choice(rows)
        value = value.encode() if isinstance(value, str) else bytes(value)
        if column == "Z_CONTENT" and rng.random() < 0.8:
            packer = zlib.compressobj(1, zlib.DEFLATED, -15)
            value = packer.compress(damage(rng, zlib.decompress(value, -15))) + packer.flush()
        else:
            value = damage(rng, value)
        connection.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', (value, row))
    except (sqlite3.Error, TypeError):
        pass  # another layout of the mirror has no such column
    finally:
        connection.close()


def entity_of(store):
    """An entity that has rows, read from a copy: SQLite changes what it opens."""
    with tempfile.TemporaryDirectory() as scratch:
        for suffix in ("", "-wal"):
            if os.path.exists(store + suffix):
                shutil.copyfile(store + suffix, os.path.join(scratch, "copy" + suffix))
        copy = os.path.join(scratch, "copy")
        for name, in stores.column(copy, "SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_MAX DESC LIMIT 1"):
            return name
    return "x"


def check(options):
    findings = Findings("pages")
    root = commands.empty(os.path.join(options.work, "pages"))
    bases = []
    for kind in stores.KINDS:
        folder = stores.base(options.binary, os.path.join(root, "base-" + kind), kind)
        bases.append((folder, stores.NAME, "Tag"))
    for parent, _, names in os.walk(options.stores or ""):
        for name in names:
            path = os.path.join(parent, name)
            if name.endswith((".sqlite", ".db", ".storedata", ".graphdb")) and os.path.getsize(path) < 1 << 20:
                folder = commands.empty(os.path.join(root, "real-" + name))
                for suffix in ("", "-wal", "-shm"):
                    if os.path.exists(path + suffix):
                        shutil.copyfile(path + suffix, os.path.join(folder, name + suffix))
                bases.append((folder, name, entity_of(os.path.join(folder, name))))
    # The demo store has a mirror, history and a WAL, the real ones have shapes that nobody would think of.
    bases = bases[:3] * max(1, len(bases) // 6) + bases[3:]

    def one(seed):
        rng = random.Random(seed)
        base, name, entity = rng.choice(bases)
        folder = os.path.join(root, f"run-{seed}", "folder")
        shutil.copytree(base, folder, symlinks=True)
        store = os.path.join(folder, name)
        parts = [store] + [store + s for s in ("-wal",) if os.path.exists(store + s)]
        how = rng.randrange(3 if name == stores.NAME else 2)
        if how == 2:
            damage_blob(rng, store)
        else:
            part = rng.choice(parts)
            if part == store:
                damage_pages(rng, part)
            else:
                with open(part, "rb") as file:
                    data = file.read()
                stores.write(part, damage(rng, data))
        out = os.path.join(os.path.dirname(folder), "out")
        every = commands.reading(store, out, entity, os.path.join(bases[0][0], stores.NAME))
        for command in rng.sample(sorted(every), 4):
            commands.empty(out)
            result = run([options.binary, *every[command]], timeout=commands.SECONDS + 1, most_kib=commands.MOST)
            findings.ran()
            findings.count(f"exit {result.code}")
            commands.limits(findings, result, f"seed {seed}, {name}, {command}",
                            f"faults.py {options.binary} pages --only {seed}")
            if options.only:
                print(command, result.describe(300))
        if not options.only:
            shutil.rmtree(os.path.dirname(folder), ignore_errors=True)

    seeds = [int(options.only)] if options.only else \
        range(options.seed * 1_000_000, options.seed * 1_000_000 + (options.runs or 1000), options.sample)
    with ThreadPoolExecutor(options.jobs) as pool:
        for _ in pool.map(one, seeds):
            pass
    return findings.finish()
