"""Runs a program under strace: lists its calls, or makes one of them fail or be its last."""

import os
import re
import shutil
from dataclasses import dataclass

from process import run

# Every call that can change a file, a name or a lock file.
CHANGING = ("write pwrite64 writev pwritev fsync fdatasync sync_file_range rename renameat renameat2 link linkat unlink "
            "unlinkat mkdir mkdirat rmdir ftruncate truncate fallocate fchmod fchmodat chmod fchown fchownat chown lchown "
            "utimensat setxattr fsetxattr lsetxattr symlink symlinkat copy_file_range sendfile msync "
            "removexattr fremovexattr ioctl").split()
READING = ("openat pread64 read fcntl newfstatat fstat statx lseek getdents64 readlink readlinkat access faccessat "
           "faccessat2 statfs fstatfs mmap listxattr flistxattr close").split()

_LINE = re.compile(r"^(\d+)\s+(\w+)\((.*)$")


@dataclass(frozen=True)
class Call:
    name: str
    number: int  # the N-th of that name in its thread
    text: str

    @property
    def is_changing(self):
        return self.name in CHANGING and self.name != "ioctl" or (self.name == "openat" and "O_CREAT" in self.text)


def _wrapped(argv):
    """A process space of its own: the number of calls doesn't depend on what else runs, and nothing outlives the run."""
    if os.geteuid() == 0 and shutil.which("unshare"):
        return ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child", *argv]
    return list(argv)


def calls(argv, log, mark, timeout=60, **kwargs):
    """The calls of a run that isn't disturbed, from the first on that mentions `mark`."""
    result = run(_wrapped(["strace", "-f", "-s", "200", "-o", log, *argv]), timeout=timeout, **kwargs)
    numbers, found, begun = {}, [], False
    with open(log, errors="replace") as lines:
        for line in lines:
            match = _LINE.match(line)
            if not match:
                continue
            key = (match[1], match[2])
            numbers[key] = numbers.get(key, 0) + 1
            begun = begun or (mark in line and "execve" not in line)
            if begun:
                found.append(Call(match[2], numbers[key], match[3].strip()))
    return found, result


def injected(argv, log, call, what, timeout=60, **kwargs):
    """Runs it with `what` (`signal=KILL`, `error=EIO`, `delay_enter=20000`) at one call.

    Returns the result and whether the call was reached. A signal comes before the call does anything.
    """
    if os.path.exists(log):
        os.remove(log)
    result = run(_strace(argv, log, call, what), timeout=timeout, **kwargs)
    try:
        with open(log, errors="replace") as lines:
            text = lines.read()
    except FileNotFoundError:
        text = ""
    return result, "(INJECTED)" in text or "(DELAYED)" in text or "killed by SIGKILL" in text


def injected_line(argv, call, what):
    return _strace(argv, "/dev/null", call, what)


def _strace(argv, log, call, what):
    # With a seccomp filter only the traced calls cost time, but a signal is dropped at the stop that it makes.
    quick = [] if what.startswith("signal") else ["--seccomp-bpf"]
    return _wrapped(["strace", "-f", *quick, "-s", "200", "-o", log, "-e", f"trace={call.name}", "-e",
                     f"inject={call.name}:{what}:when={call.number}", *argv])
