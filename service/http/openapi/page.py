"""The API's description as one HTML page: no script, nothing from elsewhere."""

import re
from html import escape
from json import dumps
from typing import Any

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 0 auto; padding: 1rem }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
pre { overflow-x: auto; padding: .5rem; border: 1px solid #8884 }
table { border-collapse: collapse } td, th { text-align: left; vertical-align: top; padding: .1rem .8rem .1rem 0 }
article { border-top: 1px solid #8888; margin-top: 1rem } h3 code { font-size: 1rem }
"""


def page(document: dict[str, Any]) -> str:
    """The page of this OpenAPI document."""
    areas = [_area(tag, document) for tag in document["tags"]]
    title, about = escape(document["info"]["title"]), _text(document["info"]["description"])
    schemas = "".join(_schema(name, schema) for name, schema in sorted(document["components"]["schemas"].items()))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} API</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f'<body><h1>{title} API</h1><p>{about}</p><p><a href="/v1/openapi.json">openapi.json</a></p>'
        f"<nav><p>{_contents(document)}</p></nav>{''.join(areas)}<h2>Schemas</h2>{schemas}</body></html>"
    )


def _text(text: str) -> str:
    """Escaped text, with parts between backticks as `<code>`."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _anchor(tag: str) -> str:
    return "tag-" + tag.replace(" ", "-")


def _contents(document: dict[str, Any]) -> str:
    return ", ".join(f'<a href="#{_anchor(tag["name"])}">{escape(tag["name"])}</a>' for tag in document["tags"])


def _area(tag: dict[str, str], document: dict[str, Any]) -> str:
    operations = [
        _operation(method, path, told)
        for path, item in document["paths"].items()
        for method, told in item.items()
        if tag["name"] in told["tags"]
    ]
    heading = f'<h2 id="{_anchor(tag["name"])}">{escape(tag["name"].capitalize())}</h2>'
    return f"{heading}<p>{_text(tag['description'])}</p>{''.join(operations)}"


def _operation(method: str, path: str, told: dict[str, Any]) -> str:
    return (
        f'<article id="{told["operationId"]}"><h3><code>{method.upper()} {escape(path)}</code></h3>'
        f"{_says(told)}{_parameters(told)}{_examples(told)}{_responses(told)}</article>"
    )


def _says(told: dict[str, Any]) -> str:
    """The summary, and what the description says beyond it."""
    summary, description = told["summary"], told["description"]
    paragraphs = [summary, *(description.split("\n\n") if description != summary else ())]
    return "".join(f"<p>{_text(one)}</p>" for one in paragraphs)


def _parameters(told: dict[str, Any]) -> str:
    rows = [
        f"<tr><td><code>{escape(one['name'])}</code></td><td>{one['in']}</td><td>{_text(one['description'])}</td></tr>"
        for one in told["parameters"]
    ]
    return f"<table>{''.join(rows)}</table>" if rows else ""


def _examples(told: dict[str, Any]) -> str:
    content = told.get("requestBody", {}).get("content", {}).get("application/json", {})
    return "".join(
        f"<p>{_text(example['summary'])}</p><pre>{escape(dumps(example['value'], indent=1))}</pre>"
        for example in content.get("examples", {}).values()
    )


def _responses(told: dict[str, Any]) -> str:
    rows = [
        f"<tr><td>{status}</td><td>{_text(answer['description'])}</td></tr>"
        for status, answer in told["responses"].items()
    ]
    return f"<table>{''.join(rows)}</table>"


def _schema(name: str, schema: dict[str, Any]) -> str:
    told = f"<pre>{escape(dumps(schema, indent=1))}</pre>"
    return f"<details><summary><code>{escape(name)}</code></summary>{told}</details>"
