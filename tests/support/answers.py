"""What the test server answers: texts and JSON drawn from a digest, and what a reply file says."""

import hashlib
import json
import math
from fnmatch import fnmatchcase
from typing import Any

WORDS = """
gentle morning walk water medicine daughter garden remember slowly breakfast doctor listen
window music kitchen answer careful evening neighbour question warm steady appointment rest
您好 请慢慢说 记得吃药 好好休息
""".split()  # noqa: SIM905


def digest_of(value: Any) -> str:
    """SHA-256 of a JSON value, the same however its keys are ordered."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


class Draws:
    """Whole numbers drawn from a digest: equal seeds, equal draws."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._block = 0
        self._left = b""

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        if n > 1 << 32:
            return (self.below(1 << 32) * (1 << 32) + self.below(1 << 32)) % n
        if not self._left:
            self._left = hashlib.sha512(f"{self._seed}:{self._block}".encode()).digest()
            self._block += 1
        number = int.from_bytes(self._left[:8], "big")
        self._left = self._left[8:]
        return number % n

    def words(self, n: int) -> str:
        return " ".join([WORDS[self.below(len(WORDS))] for _ in range(n)])


def messages_text(request: dict[str, Any]) -> str:
    """The text of all messages, a line break between them."""
    texts: list[str] = []
    for message in request["messages"]:
        content = message.get("content")
        if isinstance(content, str):
            texts.append(content)
        elif isinstance(content, list):
            texts += [
                str(part["text"]) for part in content if isinstance(part, dict) and "text" in part
            ]
    return "\n".join(texts)


# --- JSON from a schema ------------------------------------------------------------------------


class SchemaError(ValueError):
    """The schema asks for something the generator cannot give."""


FORMATS = {
    "date": "2025-06-{:02d}",
    "date-time": "2025-06-{:02d}T08:00:00Z",
    "time": "08:00:{:02d}Z",
    "email": "person{:02d}@example.org",
    "uuid": "00000000-0000-4000-8000-0000000000{:02d}",
    "uri": "https://example.org/{:02d}",
}


UNSUPPORTED = frozenset({"pattern", "not", "if", "contains", "dependentRequired", "propertyNames"})


class SchemaWriter:
    """Writes a value that fits a JSON schema; ``free`` replaces the free text, if given."""

    DEPTH = 8

    def __init__(self, root: Any, draws: Draws, free: str | None = None) -> None:
        self.root = root
        self.draws = draws
        self.free = free

    def write(self, schema: Any = None, depth: int = 0) -> Any:
        schema = self._resolve(self.root if schema is None else schema, depth)
        if unsupported := UNSUPPORTED.intersection(schema):
            raise SchemaError(f"not supported: {', '.join(sorted(unsupported))}")
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return self._pick(schema["enum"])
        kind = self._kind(schema, depth)
        writer = getattr(self, f"_{kind}", None) if kind in KINDS else None
        if writer is None:
            raise SchemaError(f"unknown type {kind!r}")
        return writer(schema, depth)

    def _pick(self, options: list[Any]) -> Any:
        if not options:
            raise SchemaError("nothing to choose from")
        return options[self.draws.below(len(options))]

    def _resolve(self, schema: Any, depth: int) -> dict[str, Any]:
        """Follow $ref, allOf, anyOf and oneOf down to one plain schema."""
        for _ in range(64):
            if schema is True:
                return {"type": "string"}
            if not isinstance(schema, dict):
                raise SchemaError(f"not a schema: {schema!r}")
            if "$ref" in schema:
                rest = {k: v for k, v in schema.items() if k != "$ref"}
                schema = {**self._target(schema["$ref"]), **rest}
            elif "allOf" in schema:
                schema = self._merged(schema, depth)
            elif "anyOf" in schema or "oneOf" in schema:
                key = "anyOf" if "anyOf" in schema else "oneOf"
                options = schema[key]
                if depth > self.DEPTH:  # the way out of a recursive schema is usually null
                    options = [o for o in options if o.get("type") == "null"] or options
                schema = {**{k: v for k, v in schema.items() if k != key}, **self._pick(options)}
            else:
                return schema
        raise SchemaError("references go round in circles")

    def _target(self, ref: str) -> dict[str, Any]:
        node = self.root
        if not ref.startswith("#"):
            raise SchemaError(f"not a local reference: {ref}")
        for part in ref[1:].split("/")[1:]:
            try:
                node = node[part.replace("~1", "/").replace("~0", "~")]
            except (KeyError, TypeError):
                raise SchemaError(f"no such reference: {ref}") from None
        return node

    def _merged(self, schema: dict[str, Any], depth: int) -> dict[str, Any]:
        merged = {k: v for k, v in schema.items() if k != "allOf"}
        for part in schema["allOf"]:
            for key, value in self._resolve(part, depth).items():
                if key == "properties":
                    merged[key] = {**merged.get(key, {}), **value}
                elif key == "required":
                    merged[key] = [*merged.get(key, []), *value]
                else:
                    merged[key] = value
        return merged

    def _kind(self, schema: dict[str, Any], depth: int) -> str:
        kind = schema.get("type")
        if isinstance(kind, list):
            return "null" if depth > self.DEPTH and "null" in kind else self._pick(kind)
        if kind is None:
            if "properties" in schema or "required" in schema:
                return "object"
            if "items" in schema or "prefixItems" in schema:
                return "array"
            return "number" if "minimum" in schema or "maximum" in schema else "string"
        return kind

    def _object(self, schema: dict[str, Any], depth: int) -> dict[str, Any]:
        properties = schema.get("properties", {})
        required = schema.get("required", [])
        names = required if depth > self.DEPTH else [*properties]
        if depth > 40:
            raise SchemaError("the schema never ends")
        out = {
            name: self.write(properties[name], depth + 1) for name in names if name in properties
        }
        extra = schema.get("additionalProperties", True)
        for name in required:
            if name not in out:
                out[name] = self.write(extra or True, depth + 1)
        while len(out) < schema.get("minProperties", 0):
            out[f"key_{len(out)}"] = self.write(extra or True, depth + 1)
        return out

    def _array(self, schema: dict[str, Any], depth: int) -> list[Any]:
        if depth > 40:
            raise SchemaError("the schema never ends")
        first = schema.get("prefixItems", [])
        items = schema.get("items", not first)
        low = max(schema.get("minItems", 0), len(first))
        high = schema.get("maxItems", max(low, 3))
        if items is False:
            high = min(high, len(first))
        size = low if depth > self.DEPTH else low + self.draws.below(max(high - low, 0) + 1)
        out: list[Any] = []
        for _ in range(size * 20):
            if len(out) == size:
                break
            value = self.write(first[len(out)] if len(out) < len(first) else items, depth + 1)
            if not schema.get("uniqueItems") or value not in out:
                out.append(value)
        if len(out) < low:
            raise SchemaError("not enough distinct items")
        return out

    def _string(self, schema: dict[str, Any], depth: int) -> str:
        if schema.get("format") in FORMATS:
            return FORMATS[schema["format"]].format(10 + self.draws.below(20))
        text = self.free or self.draws.words(4 + self.draws.below(8))
        low, high = schema.get("minLength", 0), schema.get("maxLength", math.inf)
        while len(text) < low:
            text += " " + self.draws.words(8)
        return text if len(text) <= high else text[: int(high)]

    def _integer(self, schema: dict[str, Any], depth: int) -> int:
        step = schema.get("multipleOf", 1)
        if step != int(step):
            raise SchemaError("an integer's multipleOf must be whole")
        low, high = self._range(schema, 1, int(step))
        first, last = math.ceil(low / step), math.floor(high / step)
        if first > last:
            raise SchemaError("an empty range")
        return int(step) * (first + self.draws.below(last - first + 1))

    def _number(self, schema: dict[str, Any], depth: int) -> float:
        if "multipleOf" in schema:
            step = schema["multipleOf"]
            low, high = self._range(schema, step, step)
            first, last = math.ceil(low / step), math.floor(high / step)
            if first > last:
                raise SchemaError("an empty range")
            return round(step * (first + self.draws.below(last - first + 1)), 10)
        low, high = self._range(schema, 0, 1)
        value = low + (high - low) * (1 + self.draws.below(9999)) / 10001  # never an end point
        near = round(value, 2)
        return float(near if low < near < high else value)

    def _range(self, schema: dict[str, Any], gap: float, step: float) -> tuple[float, float]:
        """The closed range; an exclusive end moves by ``gap`` (0: the caller avoids the ends)."""
        low, high = schema.get("minimum"), schema.get("maximum")
        if "exclusiveMinimum" in schema:
            end = schema["exclusiveMinimum"]
            end = math.floor(end / gap) * gap + gap if gap else end
            low = end if low is None else max(low, end)
        if "exclusiveMaximum" in schema:
            end = schema["exclusiveMaximum"]
            end = math.ceil(end / gap) * gap - gap if gap else end
            high = end if high is None else min(high, end)
        if low is None:
            low = 0 if high is None or high > 0 else high - 10 * step
        if high is None:
            high = low + 10 * step
        if low > high:
            raise SchemaError("an empty range")
        return low, high

    def _boolean(self, schema: dict[str, Any], depth: int) -> bool:
        return self.draws.below(2) == 1

    def _null(self, schema: dict[str, Any], depth: int) -> None:
        return None


KINDS = {"object", "array", "string", "integer", "number", "boolean", "null"}


def from_schema(schema: Any, seed: str, free: str | None = None) -> Any:
    """A value that fits the schema, drawn from the seed."""
    return SchemaWriter(schema, Draws(seed), free).write()


# --- What a reply file says --------------------------------------------------------------------


class Script:
    """The answers of a reply file; see the module's text."""

    def __init__(self, data: dict[str, Any]) -> None:
        unknown = set(data) - {"answer_schemas", "rules", "default"}
        for rule in data.get("rules", []):
            unknown |= set(rule) - {"model", "contains", "reply", "schema"}
            if ("reply" in rule) == ("schema" in rule):
                raise ValueError("a rule needs either a reply or a schema")
        if unknown:
            raise ValueError(f"unknown keys in the reply file: {sorted(unknown)}")
        self.answer_schemas = bool(data.get("answer_schemas", False))
        self._rules = data.get("rules", [])
        self._default = data.get("default")

    def __call__(self, request: dict[str, Any]) -> str | None:
        text = messages_text(request)
        digest = digest_of(request)
        for rule in self._rules:
            wanted = rule.get("contains", [])
            wanted = [wanted] if isinstance(wanted, str) else wanted
            fits = fnmatchcase(request["model"], rule.get("model", "*"))
            if fits and all(piece in text for piece in wanted):
                if "schema" in rule:
                    return json.dumps(from_schema(rule["schema"], digest), ensure_ascii=False)
                return self._say(rule["reply"], digest)
        return None if self._default is None else self._say(self._default, digest)

    @staticmethod
    def _say(reply: Any, digest: str) -> str:
        if isinstance(reply, list):
            reply = reply[Draws(digest).below(len(reply))]
        if not isinstance(reply, str):
            return json.dumps(reply, ensure_ascii=False)
        return reply.replace("{digest}", digest[:12])


def schema_of(request: dict[str, Any]) -> Any:
    """The JSON schema a request wants its answer in, or None."""
    wanted = request.get("response_format")
    if not isinstance(wanted, dict) or wanted.get("type") != "json_schema":
        return None
    named = wanted.get("json_schema")
    schema = named.get("schema") if isinstance(named, dict) else None
    if schema is None:
        raise SchemaError("response_format.json_schema.schema is missing")
    return schema
