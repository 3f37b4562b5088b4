"""`--apply` and `restore` while another process opens, writes, moves and links the store at a random moment."""

import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import applying
import content
import injecting
import judging
import restoring
import stores
from findings import Findings
from process import command_line, run

OTHER_UUID = "0D1C2B3A-4958-4677-8695-A4B3C2D1E0F9"
WRITING = ("commits", "long transaction", "reader", "idle", "checkpoint", "flip", "reopen", "idle then commit")
MOVING = ("replace", "retarget", "hard link")


class Writer:
    """A child process that does one thing to the store after a delay, and tells what it committed."""

    def __init__(self, action, store, aside, delay, rng_seed, report):
        self.report = report
        self.pid = os.fork()
        if self.pid:
            return
        try:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            told = {"committed": [], "errors": [], "did": False, "opened": None, "closed": None}
            time.sleep(delay)
            try:
                self.act(action, store, aside, random.Random(rng_seed), told)
            except (sqlite3.Error, OSError) as error:
                told["errors"].append(f"{type(error).__name__}: {error}")
            with open(report, "w") as file:
                json.dump(told, file)
        finally:
            os._exit(0)

    @staticmethod
    def act(action, store, aside, rng, told):
        def connect():
            if not os.path.exists(store):
                raise OSError("no store")  # SQLite would make an empty one
            connection = sqlite3.connect(f"file:{store}?mode=rw", uri=True, timeout=rng.choice((0, 0.05, 1)),
                                         isolation_level=None)
            told["opened"] = told["opened"] or time.monotonic()
            return connection

        def commit(connection, hold=0.0):
            token = f"{os.getpid()}-{rng.random()}"
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO WRITERLOG VALUES (?)", (token,))
            time.sleep(hold)
            connection.execute("COMMIT")
            told["committed"].append(token)

        pause = rng.uniform(0, 0.03)
        if action == "commits":
            connection = connect()
            for _ in range(4):
                commit(connection)
                time.sleep(pause)
            connection.close()
        elif action == "long transaction":
            connection = connect()
            commit(connection, hold=rng.uniform(0, 0.1))
            connection.close()
        elif action == "reader":
            connection = connect()
            connection.execute("BEGIN")
            connection.execute("SELECT * FROM ZTAG").fetchall()
            time.sleep(rng.uniform(0, 0.1))
            connection.close()
        elif action in ("idle", "idle then commit"):
            connection = connect()
            connection.execute("SELECT * FROM ZTAG").fetchall()
            time.sleep(rng.uniform(0.05, 0.4))
            if action == "idle then commit":
                commit(connection)
            connection.close()
        elif action == "checkpoint":
            connection = connect()
            commit(connection)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.close()
        elif action == "flip":
            for mode in ("DELETE", "WAL", "DELETE"):
                connection = connect()
                connection.execute(f"PRAGMA journal_mode={mode}")
                commit(connection)
                connection.close()
        elif action == "reopen":
            for _ in range(5):
                connection = connect()
                commit(connection)
                connection.close()
                time.sleep(pause)
        elif action == "replace":
            folder = os.path.dirname(store)
            for suffix in ("-wal", "-shm", ""):
                if os.path.exists(store + suffix):
                    os.rename(store + suffix, os.path.join(aside, stores.NAME + suffix))
            os.rename(os.path.join(folder, "Other.ready"), store)
        elif action == "retarget":
            link = os.path.join(aside, stores.NAME)
            os.symlink(os.path.join(os.path.dirname(aside), "other", stores.NAME), link + ".new")
            os.rename(link + ".new", link)
        elif action == "hard link":
            os.link(store, os.path.join(aside, "Second.store"))
        told["did"] = True
        told["closed"] = time.monotonic()

    def finish(self):
        os.waitpid(self.pid, 0)
        try:
            with open(self.report) as file:
                return json.load(file)
        except (OSError, ValueError):
            return {"committed": [], "errors": ["no report"], "did": False, "opened": None, "closed": None}


class Local:
    """Collects in a worker process what `Findings` gets in the main one."""

    def __init__(self):
        self.events = []

    def count(self, what):
        self.events.append(("count", what))

    def violation(self, kind, where, text, again):
        self.events.append(("violation", kind, where, text, again))


def with_log(scenario):
    """The scenario on a store that has a table for the writer."""
    build = scenario.build

    def built(folder):
        build(folder)
        add_log(folder, scenario.kind if hasattr(scenario, "kind") else scenario.present)
    scenario.build = built
    return scenario


def make_other(binary, folder):
    """A store with another identity, whose mirror has the same rows to change."""
    stores.base(binary, folder, "rollback")
    change(folder, f"UPDATE Z_METADATA SET Z_UUID = '{OTHER_UUID}'")
    change(folder, "CREATE TABLE WRITERLOG(token TEXT)")


def add_log(folder, kind):
    stores.edit(folder, kind, lambda connection: connection.execute("CREATE TABLE WRITERLOG(token TEXT)"))


def change(folder, sql):
    stores.edit(folder, "rollback", lambda connection: connection.execute(sql))


def without_log(state):
    """The state apart from what the writer wrote; what an app has flipped or written there is its own business."""
    state.content.tables = {t: h for t, h in state.content.tables.items() if t not in ("WRITERLOG", "schema")}
    state.content.rows = repr(sorted(state.content.tables.items()))
    return state


def tokens(folder, name, scratch):
    """The writer's rows in a copy of the store."""
    copy = os.path.join(scratch, "tokens")
    shutil.rmtree(copy, ignore_errors=True)
    os.makedirs(copy)
    for suffix in ("", "-wal", "-journal"):
        if os.path.isfile(os.path.join(folder, name + suffix)):
            shutil.copyfile(os.path.join(folder, name + suffix), os.path.join(copy, name + suffix))
    try:
        return {row[0] for row in stores.column(os.path.join(copy, name), "SELECT token FROM WRITERLOG")}
    except sqlite3.Error:
        return set()


_slot = None
_learned = {}


def start(work, counter):
    global _slot
    with counter.get_lock():
        number = counter.value
        counter.value += 1
    _slot = injecting.Slot(work, f"-race{number}")
    _slot.place = os.path.join(_slot.root, "place")


def one(arguments):
    binary, seed, of, verbose = arguments
    rng = random.Random(seed)
    side = of or rng.choice(("apply", "restore"))
    kind = rng.choice(stores.KINDS)
    action = rng.choice(WRITING * 2 + (MOVING if side == "apply" else MOVING[:1]))
    key = (side, kind)
    found = Local()
    if key not in _learned:
        scenario = with_log(applying.Apply(binary, kind, "pull") if side == "apply" else restoring.Restore(binary, kind, kind))
        place = _slot.fresh(scenario)
        scenario.old = without_log(judging.State(place, _slot.scratch))
        if side == "apply":
            began = time.monotonic()
            result = injecting.rerun(scenario.argv(place), _slot)
            scenario.new = without_log(judging.State(place, _slot.scratch))
        else:
            scenario.new = without_log(judging.State(judging.backups(place)[0], _slot.scratch))
            began = time.monotonic()
            result = injecting.rerun(scenario.argv(place), _slot)
        if result.code:
            raise SystemExit(f"{scenario.name} undisturbed: {result.describe(2000)}")
        scenario.seconds = time.monotonic() - began
        _learned[key] = scenario
    scenario = _learned[key]
    place = _slot.fresh(scenario)
    store = os.path.join(place, stores.NAME)
    aside = os.path.join(_slot.root, "aside")
    injecting.clear(aside)
    os.makedirs(aside)
    other = os.path.join(_slot.root, "other")
    if not os.path.exists(other):
        make_other(binary, other)
    if action == "replace":
        shutil.copyfile(os.path.join(other, stores.NAME), os.path.join(place, "Other.ready"))
    other_before = content.sha(os.path.join(other, stores.NAME))
    argv = scenario.argv(place)
    if action == "retarget":
        os.symlink(store, os.path.join(aside, stores.NAME))
        argv[argv.index(store)] = os.path.join(aside, stores.NAME)
    # Slowed at its syncs in one run of three, else most of its time lies before the first change.
    slowed = rng.random() < 0.34
    if slowed:
        argv = ["strace", "-f", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=fsync,fdatasync,rename", "-e",
                "inject=fsync,fdatasync,rename:delay_enter=4000", *argv]
    delay = -1 if rng.random() < 0.2 else rng.uniform(0, scenario.seconds * (3 if slowed else 1.2))
    where = f"seed {seed} ({scenario.name}, {action}, after {max(delay, 0) * 1000:.0f} ms)"
    writer = Writer(action, store, aside, max(delay, 0), seed, os.path.join(_slot.scratch, "told"))
    if delay < 0:
        time.sleep(rng.uniform(0.02, 0.06))  # the writer is there first
    began = time.monotonic()
    result = run(argv, timeout=40, cwd=_slot.root)
    ended = time.monotonic()
    told = writer.finish()
    judge(found, scenario, side, action, where, result, told, place, aside, other, other_before, began, ended,
          f"faults.py {binary} hostile-writer --only {seed}")
    if verbose:
        print(command_line(argv), result.describe(3000), json.dumps(told), sorted(os.listdir(place)), sep="\n")
        print("log:", judging.log_state(place), "folder:", place)
    return found.events


def judge(found, scenario, side, action, where, result, told, place, aside, other, other_before, began, ended, again):
    def violation(kind, text):
        found.violation(kind, where, f"{text}; {result.describe(220)}; writer {told['errors']}", again)

    home = place
    # Whoever consents by --confirm consents to what has the name when the plan is made, which the result names.
    is_others = f'"uuid":"{OTHER_UUID}"'.encode() in result.out
    place_of_other = {"replace": place, "retarget": other}.get(action)
    if place_of_other and told["did"] and side == "apply":
        is_changed = content.sha(os.path.join(place_of_other, stores.NAME)) != other_before
        if action == "retarget" and is_changed:
            shutil.rmtree(other)
        if is_others:
            found.count(f"apply: exit {result.code} for the store that had taken the place before the plan")
            return
        if is_changed:
            violation("other-store-changed", "the store that took the place after the plan was changed")
            return
    if action == "replace" and os.path.exists(os.path.join(aside, stores.NAME)):
        home = aside
        # What the writer moved keeps its external files where they are.
        for name in (".Journeys_SUPPORT", stores.ASSETS):
            if os.path.isdir(os.path.join(place, name)):
                shutil.copytree(os.path.join(place, name), os.path.join(aside, name), dirs_exist_ok=True)
    if side == "restore" and home is aside:
        # The writer took the store away by itself: whatever lies in the place must be whole.
        state = judging.State(place, _slot.scratch)
        if state.content.problem and os.path.exists(os.path.join(place, stores.NAME)):
            violation("torn", state.content.problem)
        found.count(f"restore: exit {result.code} after the store was moved away")
        return
    state = without_log(judging.State(home, _slot.scratch))
    which, problem = judging.which(state, scenario.old, scenario.new)
    if problem and home is aside:
        found.count("apply: store moved away while it was written (the writer's own doing)")
        return
    if problem:
        violation("torn", problem)
    found.count(f"{side}: store is {which or 'torn'}, exit {result.code}")
    problems = judging.apply_problems(result, which, place) if side == "apply" else \
        judging.restore_problems(result, which, place, True)
    for kind, text in problems:
        violation(kind, text)
    kept = tokens(home, stores.NAME, _slot.scratch)
    for folder in judging.replaced(place) if side == "restore" else ():
        kept |= tokens(folder, stores.NAME, _slot.scratch)
    lost = set(told["committed"]) - kept
    if lost:
        violation("lost-commit", f"{len(lost)} of {len(told['committed'])} committed rows are gone")
    if action.startswith("idle") and result.code == 0 and told["opened"] and told["closed"] \
            and told["opened"] < began - 0.005 and told["closed"] > ended:
        violation("in-use", "done while another process had the store open from before to after it")


def check(options):
    import multiprocessing
    findings = Findings("hostile-writer")
    runs = options.runs or 1000
    seeds = [int(options.only)] if options.only else \
        range(options.seed * 100_000, options.seed * 100_000 + runs, options.sample)
    counter = multiprocessing.Value("i", 0)
    with ProcessPoolExecutor(1 if options.only else options.jobs, initializer=start,
                             initargs=(options.work, counter)) as pool:
        for events in pool.map(one, [(options.binary, seed, options.of, bool(options.only)) for seed in seeds], chunksize=4):
            findings.ran()
            for kind, *rest in events:
                getattr(findings, kind)(*rest)
    sys.stdout.flush()
    return findings.finish()
