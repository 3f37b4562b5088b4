"""What an assistant gets from storescope mcp, through the protocol's own client."""

import asyncio
import hashlib
import json
import re

from mcp import Client, StdioServerParameters

QUIET = {"LANG": "C.UTF-8"}
VALUES = re.compile(r"[A-Za-z]{4}[^\0]*")


def check(check, program, stores, folder):
    for store in stores:
        before = hashes(store)
        shown = asyncio.run(ask(check, program, store, ["--include-values"]))
        hidden = asyncio.run(ask(check, program, store, []))
        check.expect(hashes(store) == before, store.name, "its files have changed")
        check.expect(set(shown) == set(hidden), store.name, "a tool answers only with values, or without")
        # What the command itself prints is what the tool returns.
        for tool in ["summary", "preflight"]:
            expected = program.json(tool, store) | {"values": "included"}
            answer = {key: value for key, value in shown.get(tool, {}).items() if key != "asides"}
            check.expect(answer == expected, store.name, f"{tool} differs from the command")
        check.expect(all(answer["values"] == "included" for answer in shown.values()), store.name, "values aren't marked")
        check.expect(all(answer["values"] == "withheld" for answer in hidden.values()), store.name, "values aren't marked")
        counted(check, program, store, hidden)
        compare(check, store, shown, hidden)


async def ask(check, program, store, options):
    """What each tool returns, by its name."""
    answers = {}
    server = StdioServerParameters(command=str(program.path), args=["mcp", *options], env=QUIET)
    async with Client(server) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        check.count("servers")

        async def call(tool, **arguments):
            check.expect(tool in tools, store.name, f"there is no tool {tool}")
            result = await client.call_tool(tool, arguments)
            check.count("calls")
            text = result.content[0].text
            if result.is_error:
                check.count("errors of tools")
                check.expect(text.endswith("."), store.name, f"{tool}: {text}")
                return None
            check.expect(json.loads(text) == result.structured_content, store.name, f"{tool} has two answers")
            answers[tool] = result.structured_content
            return result.structured_content

        path = str(store)
        await call("find", path=str(store.parent))
        summary = await call("summary", store=path)
        await call("doctor", store=path)
        await call("pending", store=path, limit=20)
        await call("preflight", store=path)
        await call("explain", word="134419")
        entity = next((entity["name"] for entity in summary["entities"] if entity["rows"]), None)
        await call("query", store=path, list="views")
        if entity:
            rows = await call("query", store=path, sql=f'SELECT * FROM "{entity}"', limit=20)
            if rows and rows["rows"]:
                await call("trace", store=path, object=rows["rows"][0]["uri"])
            sql = f'SELECT COUNT(*) AS n, MAX(pk) AS last FROM "{entity}"'
            answers["count"] = {**(await client.call_tool("query", {"store": path, "sql": sql})).structured_content, "sql": sql}
        await call("search", store=path, text="a", limit=5)
        refused = await client.call_tool("query", {"store": path, "sql": "DELETE FROM Z_METADATA"})
        check.expect(refused.is_error, store.name, "a DELETE isn't refused")
        check.expect((await client.call_tool("summary", {"store": "/none"})).is_error, store.name, "no error")
    return answers


def counted(check, program, store, hidden):
    """What is answered without values is what the command prints."""
    if answer := hidden.get("count"):
        rows = program.json("query", store, answer["sql"])["rows"]
        check.expect(answer["rows"] == rows, store.name, f"{answer['sql']}: {answer['rows']}, not {rows}")


def compare(check, store, shown, hidden):
    """No text of a row that is shown with values is in any answer without them."""
    rows = shown.get("query", {}).get("rows", [])
    texts = {
        value
        for row in rows
        for name, value in row.items()
        if isinstance(value, str) and name not in {"uri", "entity"} and not name.endswith("_uri") and len(value) > 5
    }
    everything = json.dumps(list(hidden.values()), ensure_ascii=False)
    for text in texts:
        # Dates are as wide as those of history.
        if VALUES.fullmatch(text):
            check.count("texts looked for")
            check.expect(json.dumps(text, ensure_ascii=False) not in everything, store.name, f"shows {text[:40]!r}")


def hashes(store):
    files = sorted(store.parent.glob(f"{store.name}*"))
    return [(file.name, hashlib.sha256(file.read_bytes()).hexdigest()) for file in files if file.is_file()]
