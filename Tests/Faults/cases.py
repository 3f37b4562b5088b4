"""One deterministic case for each defect that an adversarial review found, by the review's own numbers."""

import importlib
import os
import shutil

import commands
import stores
from findings import Findings
from process import run

CASES = []  # (defect, what must hold, function)


def case(defect, promise):
    def add(function):
        CASES.append((defect, promise, function))
        return function
    return add


class Broken(Exception):
    """The promise doesn't hold."""


class Box:
    """A folder for one case."""

    def __init__(self, options, folder):
        self.binary = options.binary
        self.stores = options.stores
        self.folder = commands.empty(folder)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def store(self, kind="nowal", name="s"):
        """The path of a new store in a folder of its own."""
        return os.path.join(stores.base(self.binary, self.path(name), kind), stores.NAME)

    def run(self, *words, timeout=40, **kwargs):
        return run([self.binary, *words], timeout=timeout, home=self.folder, cwd=self.folder,
                   most_kib=kwargs.pop("most_kib", 2 << 20), **kwargs)

    def apply(self, store, *operation, **kwargs):
        operation = operation or ("resync", "--pull")
        name = os.path.basename(store)
        return self.run(operation[0], store, *operation[1:], "--apply", "--confirm", name, "--no-config", **kwargs)

    def backup(self, store):
        """Makes one by an operation. Returns its folder."""
        result = self.apply(store)
        expect(result.code == 0, f"no backup: {result.describe()}")
        folder = os.path.dirname(store)
        return next(os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.endswith(".backup"))

    def restore(self, backup, *words, **kwargs):
        return self.run("restore", backup, *words, "--confirm", stores.NAME, "--no-config", **kwargs)


def expect(condition, text):
    if not condition:
        raise Broken(text)


def check(options):
    for module in ("cases_restoring", "cases_applying", "cases_reading", "cases_limits"):
        importlib.import_module(module)
    findings = Findings("cases")
    root = os.path.join(options.work, "cases")
    shutil.rmtree(root, ignore_errors=True)
    for number, (defect, promise, function) in enumerate(CASES):
        if options.only not in (None, defect, function.__name__) or (not options.only and number % options.sample):
            continue
        findings.ran()
        try:
            function(Box(options, os.path.join(root, f"{number:02}-{function.__name__}")))
            print(f"  holds   {defect:4} {promise}", flush=True)
        except Broken as broken:
            findings.violation(defect, promise, str(broken), f"faults.py {options.binary} cases --only {function.__name__}")
        except Exception as error:  # a case that can't run proves nothing
            findings.violation(f"{defect} (not run)", promise, repr(error))
    return findings.finish()
