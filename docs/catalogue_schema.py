"""Generates the JSON Schemas of the catalogue's files from their structs."""

from __future__ import annotations

from typing import Any

import msgspec
from field_docs import about, meanings
from msgspec import inspect as mi

from grader.catalogue.loading.files import AssignmentFile, CaseFile
from grader.catalogue.mistakes import MistakesFile
from grader.model.syntax import CONSTRUCTS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
FILES = {"assignment": AssignmentFile, "case": CaseFile, "mistakes": MistakesFile}
"""Name of the schema → struct of the file."""

Schema = dict[str, Any]


def schema(name: str) -> Schema:
    """Return the schema of `assignment`, `case` or `mistakes` files."""
    struct = FILES[name]
    _, definitions = msgspec.json.schema_components((struct,), ref_template="#/$defs/{name}")
    for found in structs(struct):
        _describe(definitions[found.cls.__name__], found)
    if "CaseEntry" in definitions:
        definitions["CaseEntry"]["oneOf"] = [
            {"required": [key]} for key in ("input", "input_file", "generate", "policy")
        ]
    if "PolicySpec" in definitions:
        _list_syntax(definitions)
    root = definitions.pop(struct.__name__)
    return {"$schema": DIALECT, "$id": f"{name}.schema.json", **root, "$defs": dict(sorted(definitions.items()))}


def _list_syntax(definitions: Schema) -> None:
    """Let an entry of `no` or `require` that is one bare word be a known one; editors complete it."""
    definitions["Construct"] = {"title": "Construct", "enum": [*CONSTRUCTS]}
    written: list[Schema] = [{"$ref": "#/$defs/Construct"}, {"type": "string", "pattern": r"\W"}]
    for key in ("no", "require"):
        entry = definitions["PolicySpec"]["properties"][key]["items"]
        entry["anyOf"] = written + [each for each in entry["anyOf"] if each != {"type": "string"}]


def schema_text(name: str) -> str:
    """Return the schema as the text of its file."""
    return msgspec.json.format(msgspec.json.encode(schema(name)), indent=2).decode() + "\n"


def structs(struct: Any) -> list[mi.StructType]:
    """Return the struct and all structs below it, each once, in the order of their first mention."""
    found: dict[str, mi.StructType] = {}
    _collect(mi.type_info(struct), found)
    return list(found.values())


def fields(struct: mi.StructType) -> list[mi.Field]:
    """Return the fields, those of the struct itself before those that it shares with others."""
    return sorted(struct.fields, key=lambda field: field.name not in struct.cls.__annotations__)


def _collect(kind: mi.Type, found: dict[str, mi.StructType]) -> None:
    match kind:
        case mi.StructType():
            if kind.cls.__name__ not in found:
                found[kind.cls.__name__] = kind
                for field in fields(kind):
                    _collect(field.type, found)
        case mi.Metadata():
            _collect(kind.type, found)
        case mi.UnionType():
            for each in kind.types:
                _collect(each, found)
        case mi.VarTupleType():
            _collect(kind.item_type, found)
        case mi.DictType():
            _collect(kind.value_type, found)


def _describe(definition: Schema, struct: mi.StructType) -> None:
    """Add the fields' meanings; leave out defaults that say nothing."""
    definition["description"] = about(struct.cls)
    explained = meanings(struct.cls)
    for field in struct.fields:
        written = definition["properties"][field.encode_name]
        if field.name in explained:
            written["description"] = explained[field.name]
        if written.get("default", 0) is None or isinstance(written.get("default"), dict):
            del written["default"]
