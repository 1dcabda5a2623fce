"""The description of the HTTP API in OpenAPI 3.1."""

from __future__ import annotations

from functools import cache
from typing import Any

__all__ = ["openapi_document"]

TEXT, NUMBER, WHOLE, FLAG = ({"type": name} for name in ("string", "number", "integer", "boolean"))
TEXTS = {"type": "array", "items": TEXT}
POSITIONS = {"type": "array", "items": WHOLE}
BREACHES = {
    "type": "array",
    "items": {"type": "object", "properties": {"rule": TEXT, "count": WHOLE, "positions": POSITIONS}},
}
RULES = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "name": TEXT,
            "title": {
                **TEXT,
                "description": "What to call it: its name, or its meaning if it has no name of its own.",
            },
            "more": {**TEXT, "description": "The other of the two."},
            "meaning": TEXT,
            "price": {"description": "a number, 'hard' or 'learn'", "type": ["number", "string"]},
            "per": {"enum": ["sequence", "violation"]},
            "line": {"type": ["integer", "null"]},
        },
    },
}
CHOICE = {
    "rules": {**TEXT, "description": "The text of a rule file (TOML); by default the one that is served."},
    "off": {**TEXTS, "description": "Names of rules to leave out."},
    "prices": {
        "type": "object",
        "additionalProperties": {"type": ["number", "string"]},
        "description": "Other prices, by rule name: a number, or 'hard'.",
    },
}
DECODE = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "text": {**TEXT, "description": "A text to split into tokens."},
        "tokens": {**TEXTS, "description": "The tokens, instead of a text."},
        **CHOICE,
        "explain": {
            **FLAG,
            "description": "Whether to explain the answer, which takes about twenty times as long.",
        },
        "runners_up": {
            **WHOLE,
            "minimum": 0,
            "maximum": 10,
            "description": "With explain: the number of next best answers.",
        },
        "probabilities": {**FLAG, "description": "Whether to tell the likeliest labels of each token."},
    },
}
LIKELIEST = {
    "type": ["array", "null"],
    "description": "For each token [label, probability], the likeliest first; null if that takes too long.",
    "items": {"type": "array", "items": {"type": "array", "prefixItems": [TEXT, NUMBER]}},
}
VOTE = {
    "type": ["object", "null"],
    "description": "With explain, for a vote between models: what each wanted, who won, and at what price.",
    "properties": {
        "headline": TEXT,
        "winners": TEXTS,
        "disputed": POSITIONS,
        "taggers": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": TEXT,
                    "weight": NUMBER,
                    "labels": TEXTS,
                    "loss": {"type": ["number", "null"]},
                    "price": {"type": ["number", "null"]},
                    "probability": NUMBER,
                    "in_words": TEXT,
                },
            },
        },
    },
}
ANSWER = {
    "type": "object",
    "properties": {
        "tokens": TEXTS,
        "offsets": {
            "type": "array",
            "items": POSITIONS,
            "description": "Start and end of each token in the text.",
        },
        "labels": TEXTS,
        "plain_labels": {**TEXTS, "description": "The labels without rules."},
        "changed": {**POSITIONS, "description": "The positions at which labels and plain_labels differ."},
        "score": NUMBER,
        "plain_score": NUMBER,
        "loss": {**NUMBER, "description": "The score given up to obey the rules."},
        "status": {"enum": ["optimal", "bounded", "infeasible"]},
        "violations": {**BREACHES, "description": "The rules that the labels break."},
        "plain_violations": {**BREACHES, "description": "The rules that plain_labels break."},
        "contradiction": {
            "type": ["object", "null"],
            "description": "If infeasible: a smallest set of rules that cannot all hold, and the position where that shows.",
            "properties": {"rules": TEXTS, "position": {"type": ["integer", "null"]}},
        },
        "explanation": {
            "type": ["object", "null"],
            "description": "As in lawful.explain(...).to_dict().",
        },
        "probabilities": {
            "type": ["object", "null"],
            "description": "By the model alone (plain) and under the rules (ruled).",
            "properties": {"plain": LIKELIEST, "ruled": LIKELIEST},
        },
        "vote": VOTE,
        "seconds": NUMBER,
    },
}
CHECK = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        **CHOICE,
        "draw": {**TEXTS, "description": "Names of rules whose automata to draw, as SVG."},
        "analyse": {**FLAG, "description": "Whether to look for contradictory and redundant rules."},
    },
}
PROBLEMS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "source": TEXT,
            "line": {"type": ["integer", "null"]},
            "column": {"type": ["integer", "null"]},
            "rule": {"type": ["string", "null"]},
            "key": {"type": ["string", "null"]},
            "message": TEXT,
            "suggestion": {"type": ["string", "null"]},
        },
    },
}
ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["kind", "message"],
            "properties": {
                "kind": {
                    **TEXT,
                    "description": "A word for programs: input, rules, limit, busy, timeout, ...",
                },
                "message": TEXT,
                "problems": {
                    **PROBLEMS,
                    "description": "For kind 'rules': every problem in the rule file.",
                },
            },
        }
    },
}
CHECKED = {
    "type": "object",
    "properties": {
        "ok": FLAG,
        "problems": PROBLEMS,
        "rules": RULES,
        "drawings": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "properties": {"svg": {"type": ["string", "null"]}, "size": TEXT},
            },
        },
        "findings": {"type": ["object", "null"], "description": "As in lawful.check(...).to_dict()."},
    },
}
SERVED = {
    "type": "object",
    "properties": {
        "model": TEXT,
        "text": {**TEXT, "description": "The rule file."},
        "labels": TEXTS,
        "colours": {"type": "object", "additionalProperties": TEXT},
        "rules": RULES,
        "saves_to": {
            "type": ["string", "null"],
            "description": "The file that POST /save writes, if it may.",
        },
        "valid": {**FLAG, "description": "False if another program wrote rules with errors to the file."},
        "fingerprint": {**TEXT, "description": "SHA-256 of the rule file, to be sent with POST /save."},
    },
}
EXAMPLES = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["name", "text"],
        "properties": {"name": TEXT, "text": TEXT, "tokens": TEXTS, "gold": TEXTS, "location": TEXT},
    },
}
SAVE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["rules", "was"],
    "properties": {
        "rules": {**TEXT, "description": "The text of a rule file."},
        "was": {**TEXT, "description": "The fingerprint of the text that it replaces."},
    },
}
SAVED = {"type": "object", "properties": {"saved": TEXT, "fingerprint": TEXT}}
HEALTH = {"type": "object", "properties": {"status": TEXT}}

REFUSALS = {
    "400": "not JSON",
    "401": "the token is missing or wrong",
    "403": "the request comes from a page of another origin, or the server was started without --save",
    "409": "the file to save to was changed by another program",
    "408": "the request did not come in whole in time",
    "413": "the body is too large",
    "415": "the body is not sent as application/json",
    "421": "the Host header does not name this machine",
    "422": "the request or its rules are invalid; `problems` says where",
    "500": "a bug, or the process that worked on the request has ended",
    "503": "too many requests at once, or the server is being stopped; Retry-After says when to try again",
    "504": "no answer in time",
    "507": "an answer needs more memory than a request may have",
}


@cache
def openapi_document() -> dict[str, Any]:
    """The description of the API.

    Examples
    --------
    >>> sorted(openapi_document()["paths"])
    ['/check', '/decode', '/examples', '/health', '/openapi.json', '/rules', '/save']
    """
    return {
        "openapi": "3.1.0",
        "info": {"title": "lawful playground", "version": "1", "description": "Label texts under rules."},
        "paths": {
            "/decode": {"post": _operation("Label a text with and without rules.", ANSWER, DECODE)},
            "/check": {"post": _operation("Check a rule file.", CHECKED, CHECK)},
            "/save": {"post": _operation("Save a rule file to where it came from.", SAVED, SAVE)},
            "/rules": {
                "get": _operation("The rule file that is served, the labels and their colours.", SERVED)
            },
            "/examples": {"get": _operation("Texts to try.", EXAMPLES)},
            "/health": {"get": _operation("Check that the server answers.", HEALTH)},
            "/openapi.json": {"get": _operation("This document.", {"type": "object"})},
        },
        "components": {
            "schemas": {"Error": ERROR},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _operation(summary: str, answer: dict[str, Any], body: dict[str, Any] | None = None) -> dict[str, Any]:
    def content(schema: dict[str, Any]) -> dict[str, Any]:
        return {"application/json": {"schema": schema}}

    error = content({"$ref": "#/components/schemas/Error"})
    refusals = {
        code: {"description": description, "content": error}
        for code, description in REFUSALS.items()
        if body is not None or code in ("401", "403", "421")
    }
    operation: dict[str, Any] = {
        "summary": summary,
        "responses": {"200": {"description": "the answer", "content": content(answer)}, **refusals},
    }
    if body is not None:
        operation["requestBody"] = {"required": True, "content": content(body)}
    return operation
