"""Repeats one command with a kill or a failure at each of its system calls, several at once."""

import os
import queue
import shutil
import threading

import judging
import tracing
from process import command_line, run

# What each call can really fail with; each call gets two of them in turn if it changes something, else one.
ERRORS = {
    "openat": ("EIO", "EACCES", "ENOSPC", "EINTR", "EDQUOT"), "pread64": ("EIO", "EINTR"), "read": ("EIO", "EINTR"),
    "fcntl": ("EIO", "EACCES", "EINTR"), "write": ("EIO", "ENOSPC", "EDQUOT", "EINTR"),
    "pwrite64": ("EIO", "ENOSPC", "EDQUOT", "EINTR"), "fsync": ("EIO", "ENOSPC", "EDQUOT"),
    "fdatasync": ("EIO", "ENOSPC", "EDQUOT"), "mkdir": ("EACCES", "ENOSPC", "EDQUOT", "EIO"),
}
DEFAULT_ERRORS = ("EIO", "EACCES")
FAILING = ("openat pread64 read fcntl write pwrite64 fsync fdatasync rename renameat renameat2 link linkat unlink unlinkat "
           "mkdir mkdirat rmdir ftruncate fchmod fchmodat fchown fchownat utimensat setxattr fsetxattr fallocate getdents64 "
           "newfstatat fstat statx readlink readlinkat access faccessat2 lseek symlinkat copy_file_range").split()


class Slot:
    """A folder in which one run goes on at a time, always under the same path: a backup's manifest names it."""

    def __init__(self, root, number):
        self.root = os.path.join(root, f"slot{number}")
        self.place = os.path.join(self.root, "place")
        self.scratch = os.path.join(self.root, "scratch")
        self.log = os.path.join(self.root, "trace")
        shutil.rmtree(self.root, ignore_errors=True)
        os.makedirs(self.scratch)
        self.built = {}

    def fresh(self, scenario):
        """Puts the scenario's folder in place as it is before the command."""
        if scenario.name not in self.built:
            template = os.path.join(self.root, "template-" + scenario.name.replace("/", "-").replace(" ", "-"))
            clear(self.place)
            scenario.build(self.place)
            os.rename(self.place, template)
            self.built[scenario.name] = template
        clear(self.place)
        shutil.copytree(self.built[scenario.name], self.place, symlinks=True)
        return self.place


def clear(folder):
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.lexists(folder):
        raise SystemExit(f"can't remove {folder}")


def plan(scenario, slot, mode):
    """The runs of a scenario: (call, what to inject), each as it comes."""
    place = slot.fresh(scenario)
    calls, result = tracing.calls(scenario.argv(place), slot.log, place)
    if result.code != 0:
        raise SystemExit(f"{scenario.name} fails undisturbed: {result.describe(2000)}")
    runs, turn = [], {}
    for call in calls:
        if mode == "kills":
            if call.is_changing:
                runs.append((call, "signal=KILL"))
        elif call.name in FAILING:
            # SQLite asks for locks and pages in long series of like calls: one in three will do.
            number = turn[call.name] = turn.get(call.name, -1) + 1
            if call.name in ("pread64", "newfstatat", "readlink") and number % 3:
                continue
            errors = ERRORS.get(call.name, DEFAULT_ERRORS)
            for error in {errors[number % len(errors)], errors[(number + 1) % len(errors)]} if call.is_changing else \
                    {errors[number % len(errors)]}:
                runs.append((call, f"error={error}"))
    return runs


def run_all(findings, scenarios, mode, options):
    slots = [Slot(options.work, n) for n in range(options.jobs)]
    for scenario in scenarios:
        scenario.learn(slots[0])
        runs = [(f"{mode}/{scenario.name}/{c.name}:{c.number}:{w}", c, w) for c, w in plan(scenario, slots[0], mode)]
        total = len(runs)
        if options.only:
            runs = [r for r in runs if r[0] == options.only]
        else:
            runs = runs[options.offset % options.sample::options.sample]
        print(f"  {scenario.name}: {len(runs)} of {total} {mode}", flush=True)
        waiting = queue.Queue()
        for each in runs:
            waiting.put(each)

        def work(slot):
            while True:
                try:
                    name, call, what = waiting.get_nowait()
                except queue.Empty:
                    return
                one(findings, scenario, slot, name, call, what, options)
                if options.only:
                    print(f"the folder is {slot.place}")
                    os._exit(0)

        threads = [threading.Thread(target=work, args=(slot,)) for slot in slots]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def one(findings, scenario, slot, name, call, what, options):
    place = slot.fresh(scenario)
    argv = scenario.argv(place)
    result, reached = tracing.injected(argv, slot.log, call, what, cwd=slot.root)
    findings.ran()
    if options.only:
        print(command_line(tracing.injected_line(argv, call, what)))
        print(result.describe(5000))
    if not reached:
        findings.count("runs whose call wasn't reached (the run differs from the traced one)")
    problems = []
    was_killed = what.startswith("signal") and result.code == 137
    state, problem = scenario.state(place, slot)
    if problem:
        problems.append(("assets-torn" if state else "torn", problem))
    findings.count(f"store is {state or 'torn'}{' after a kill' if was_killed else f', exit {result.code}'}")
    if was_killed:
        problems += scenario.killed_problems(state, place)
    else:
        problems += scenario.problems(result, state, place)
    if options.only:
        print("state:", state, "log:", judging.log_state(place), "files:", sorted(os.listdir(place)))
    problems += scenario.again(place, slot, state, findings)
    for kind, text in problems:
        findings.violation(kind, name, f"{text}; {result.describe(160) if not was_killed else 'killed'}; at {call.text[:150]}",
                           f"faults.py {options.binary} {findings.check} --only {name!r}")


def rerun(argv, slot):
    return run(argv, timeout=60, cwd=slot.root)
