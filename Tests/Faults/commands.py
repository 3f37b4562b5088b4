"""Every reading command, as the checks call it."""

import os
import shutil


def reading(store, out, entity="Tag", other=None):
    """Name -> arguments. `out` is an empty folder for what commands write; `other` a store to compare with."""
    commands = {
        "summary": ["summary", store],
        "summary --json": ["summary", store, "--json"],
        "entities": ["entities", store, "--json"],
        "rows": ["rows", store, entity, "--json"],
        "rows --expand": ["rows", store, entity, "--expand", "--format", "ndjson"],
        "rows table": ["rows", store, entity],
        "rows --where": ["rows", store, entity, "--where", "1"],
        "show": ["show", store, f"{entity}/p1", "--json"],
        "history": ["history", store, "--json"],
        "history --by": ["history", store, "--by", "author"],
        "history --chart": ["history", store, "--chart"],
        "mirror": ["mirror", store, "--json"],
        "mirror --table": ["mirror", store, "--table", "ANSCKRECORDMETADATA", "--json"],
        "records": ["records", store, "--json"],
        "records --decode": ["records", store, "--decode", "--json"],
        "pending": ["pending", store, "--json"],
        "events": ["events", store, "--json"],
        "trace": ["trace", store, f"{entity}/p1", "--json"],
        "doctor": ["doctor", store, "--fail-on", "never", "--json"],
        "query": ["query", store, "SELECT * FROM records", "--json"],
        "query saved": ["query", store, "churn"],
        "query rows": ["query", store, f'SELECT * FROM "{entity}"', "--format", "csv"],
        "as-of-commit": ["summary", store, "--as-of-commit", "1"],
        "diff": ["diff", store, other or store, "--summary"],
        "report": ["report", store, "-o", os.path.join(out, "report.html")],
        "report values": ["report", store, "--include-values", "-o", os.path.join(out, "values.json")],
        "export": ["export", store, "--to", os.path.join(out, "export")],
        "export --blobs": ["export", store, "--blobs", "--to", os.path.join(out, "blobs")],
        "redact": ["redact", store, "-o", os.path.join(out, "Copy.store")],
        "plan": ["resync", store, "--pull"],
        "rehearse": ["resync", store, "--pull", "--rehearse"],
        "repair": ["repair", store],
        "shell": ["shell", store, "-c", "summary", "-c", "SELECT count(*) FROM changes"],
    }
    return {name: [*words, "--no-config"] for name, words in commands.items()}


def empty(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


SECONDS = 20
KIB = 1 << 20  # 1 GiB
MOST = 3 << 19  # where a run is ended: more would harm the machine


def limits(findings, result, where, again=None, seconds=SECONDS):
    """No reading command may crash, or take longer or more memory than a person puts up with."""
    from process import command_line
    again = again or command_line(result.argv)
    if result.peak_kib <= MOST and result.timed_out or result.seconds > seconds:
        findings.violation("slow", where, f"{result.seconds:.1f} s; {result.describe(120)}", again)
    if result.peak_kib > KIB:
        findings.violation("memory", where, f"{result.peak_kib >> 10} MiB; {result.describe(120)}", again)
    if result.crashed or (result.code not in (0, 1, 2, 64) and not result.timed_out):
        findings.violation("crash", where, result.describe(), again)
    if result.code == 2 and not result.text.strip():
        findings.violation("silent", where, result.describe(), again)
