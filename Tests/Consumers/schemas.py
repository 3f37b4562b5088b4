"""What a complete validator of JSON Schema says of the schemas, and of what the commands print.

The tests validate the same with a validator of the project's own, for the part of the vocabulary that is used.
"""

import json
import shutil

import jsonschema

# Each form of a document at least once, where a store can have it; STORE stands for the store.
QUESTIONS = [
    "summary STORE --commits --metadata",
    "entities STORE",
    "entities STORE --diff OTHER",
    "size STORE",
    "pending STORE",
    "pending STORE --no-author",
    "doctor STORE --thorough",
    "doctor STORE OTHER Missing.store",
    "preflight STORE --cloudkit",
    "mirror STORE",
    "mirror STORE --table ACHANGE",
    "records STORE --decode",
    "events STORE",
    "history STORE",
    "history STORE --by author",
    "history STORE --by day",
    "search STORE a",
    "query STORE --list",
    "query STORE --views",
    "query STORE --functions",
    "query STORE changes-by-author",
    "diff STORE OTHER",
    "repair STORE",
    "resync STORE --pull",
    "resync STORE --rescan --rehearse",
    "reset STORE",
    "report STORE -o -",
    "find .",
]


def check(check, program, stores, folder):
    names = [entry["command"] for entry in json.loads(program.run("schema", "--json").stdout)["commands"]]
    schemas = {name: json.loads(program.run("schema", name).stdout) for name in names}
    schemas_of = {}
    for name, schema in schemas.items():
        check.count("schemas")
        try:
            jsonschema.Draft202012Validator.check_schema(schema)
        except jsonschema.SchemaError as error:
            check.expect(False, name, f"isn't valid by the meta-schema: {error.message}")
        schemas_of[name] = (
            jsonschema.Draft202012Validator(schema),
            jsonschema.Draft202012Validator(line(schema)),
        )
    for words in ["rules", "explain", "explain 134419", "man", "schema", "completions bash"]:
        name = words.split()[0]
        read(check, program, schemas_of, name, words.split(), name)
    for store in stores:
        other = store.with_name("other-" + store.name)
        shutil.copyfile(store, other)
        entities = [one for one in program.json("entities", store)["entities"] if one["rows"]][:4]
        questions = [question.split() for question in QUESTIONS]
        for entity in entities:
            questions.append(["rows", "STORE", entity["name"], "--expand", "--limit", "50"])
            for row in program.json("rows", store, entity["name"], "--limit", "2")["rows"]:
                questions += [["show", "STORE", row["uri"]], ["trace", "STORE", row["uri"]]]
        for question in questions:
            words = [{"STORE": store, "OTHER": other}.get(word, word) for word in question]
            read(check, program, schemas_of, question[0], words, f"{' '.join(question)} on {store.name}")
        other.unlink()


def line(schema):
    """The schema of a line, with the definitions that it refers to."""
    return {"$schema": schema["$schema"], "$ref": "#/$defs/line", "$defs": schema["$defs"]}


def read(check, program, schemas, command, words, place):
    document, lines = schemas[command]
    result = program.run(*words, "--json")
    if not result.stdout:
        check.count("refused")
        return
    check.count("documents")
    for error in list(document.iter_errors(json.loads(result.stdout)))[:3]:
        check.expect(False, place, describe(error))
    if "line" not in document.schema["$defs"]:
        return
    result = program.run(*words, "--format", "ndjson")
    for text in result.stdout.splitlines()[:500]:
        check.count("lines")
        for error in list(lines.iter_errors(json.loads(text)))[:3]:
            check.expect(False, f"{place}, a line", describe(error))


def describe(error):
    error = jsonschema.exceptions.best_match([error])
    return f"{error.json_path}: {error.message[:200]}"
