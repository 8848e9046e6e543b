"""Other people's prompts as templates of ours: their words as they are, our values in their places.

Theirs hold places like `{scenario_prompt}`, plain text for the codes of the two sides, and end in
the shape of a reply; ours gives the shape itself. What a transcript of ours holds already (the look
back at its end) is not shown a second time.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from arena.domain.suite import TURN_MARK

TURN = "{scenario_prompt}"
NOTES = {"{scenario_notes}": "{{ scenario.notes }}"}
SCORED = re.compile(r"\{transcript\}(?:.*\{debrief\})?", re.DOTALL)
COMPARED = re.compile(r"\{conversation_history_([AB])\}(?:.*?\{debrief_\1\})?", re.DOTALL)
LISTED = re.compile(r"^\d+\. (\S.*)\n?", re.MULTILINE)
SHAPE = re.compile(r"^\{[ \t]*$.*\Z", re.MULTILINE | re.DOTALL)
ASKED = re.compile(r'^[ \t]*"(\w+)"[ \t]*:', re.MULTILINE)
REMARK = re.compile(r"\A#.*\n+")
LOOP = "{% for criterion in criteria %}\n{{ loop.index }}. {{ criterion.question }}\n{% endfor %}\n"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A pairwise prompt: our template, and what it asks by key, in its order."""

    template: str
    asked: Mapping[str, str]


def instruction(prompt: str) -> str:
    """The text around an agent's first turn."""
    return prompt.replace(TURN, TURN_MARK)


def sheet(prompt: str) -> str:
    """The part of a rubric template that one scoring prompt makes."""
    plain = SCORED.sub("{transcript}", prompt)
    return _filled(
        plain,
        {
            "{transcript}": "{{ transcript }}",
            "{output_format}": "{{ instruction }}",
            **NOTES,
        },
    ).strip()


def sheets(*, probe: str, natural: str, analysis: str, only_analysis: str) -> str:
    """One rubric template of three scoring prompts.

    `analysis` serves a sheet that has the criterion `only_analysis`, `probe` the mode of that name.
    """
    return (
        f"{{% if '{only_analysis}' in rubric.criteria | map(attribute='key') | list %}}\n"
        f"{sheet(analysis)}\n"
        "{% elif mode == 'probe' %}\n"
        f"{sheet(probe)}\n"
        "{% else %}\n"
        f"{sheet(natural)}\n"
        "{% endif %}\n"
    )


def comparison(prompt: str, codes: tuple[str, str]) -> Comparison:
    """A pairwise prompt; `codes`: how it names its two sides.

    The numbered list is what it asks, and the last keys of the reply that it wants are their keys;
    `asked` is empty where these do not go together.
    """
    text = REMARK.sub("", prompt)
    shape = SHAPE.search(text)
    wanted = ASKED.findall(shape[0]) if shape else []
    questions = LISTED.findall(text)
    keys = wanted[-len(questions) :] if 0 < len(questions) <= len(wanted) else []
    text = COMPARED.sub(lambda found: f"{{conversation_history_{found[1]}}}", text)
    text = SHAPE.sub("{output_format}", text)
    start, end = _span(text)
    places = {
        "{conversation_history_A}": "{{ first }}",
        "{conversation_history_B}": "{{ second }}",
        "{output_format}": "{{ instruction }}",
        codes[0]: "{{ codes[0] }}",
        codes[1]: "{{ codes[1] }}",
        **NOTES,
    }
    template = _filled(text[:start], places) + LOOP + _filled(text[end:], places)
    return Comparison(template.strip() + "\n", dict(zip(keys, questions, strict=False)))


def _span(text: str) -> tuple[int, int]:
    """Where the numbered list begins and ends."""
    found = list(LISTED.finditer(text))
    return (found[0].start(), found[-1].end()) if found else (len(text), len(text))


def _filled(text: str, places: Mapping[str, str]) -> str:
    """The text with its places filled, and all else shown literally by the template."""
    parts = re.split("(" + "|".join(re.escape(place) for place in places) + ")", text)
    return "".join(places.get(part) or _literal(part) for part in parts)


def _literal(text: str) -> str:
    # A brace that could open a tag of the template is said by a tag of its own.
    return re.sub(r"\{(?=[{%#]|\Z)", "{{ '{' }}", text)
