"""Counts runs and collects violations."""

import sys
import threading
import time


class Findings:
    """What one check found. A violation is a promise that didn't hold, with a way to see it again."""

    shows_all = False
    SHOWN = 8  # of a kind; the totals count all

    def __init__(self, check):
        self.check = check
        self.runs = 0
        self.counts = {}
        self.violations = []
        self.began = time.monotonic()
        self.lock = threading.Lock()

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + number

    def ran(self):
        with self.lock:
            self.runs += 1
            if self.runs % 200 == 0:
                print(f"  {self.check}: {self.runs} runs, {len(self.violations)} violations, "
                      f"{time.monotonic() - self.began:.0f} s", file=sys.stderr, flush=True)

    def violation(self, kind, where, text, again=None):
        with self.lock:
            self.violations.append((kind, where))
            if sum(k == kind for k, _ in self.violations) > self.SHOWN and not self.shows_all:
                return
            print(f"VIOLATION {kind}: {where}: {text}" + (f"\n    again: {again}" if again else ""), flush=True)

    def finish(self):
        """Prints the totals. Returns whether everything held."""
        kinds = {}
        for kind, _ in self.violations:
            kinds[kind] = kinds.get(kind, 0) + 1
        print(f"{self.check}: {self.runs} runs in {time.monotonic() - self.began:.0f} s, "
              f"{len(self.violations)} violations")
        for what, number in sorted(self.counts.items()):
            print(f"  {number:6} {what}")
        for kind, number in sorted(kinds.items()):
            print(f"  {number:6} VIOLATION {kind}")
        sys.stdout.flush()
        return not self.violations
