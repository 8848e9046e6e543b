import json
import re
import unicodedata
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import arena.site
from arena.site import formats
from arena.site.downloads import safe_cell
from arena.site.slugs import RESERVED, slugs
from arena.site.text import plain, unblind, unblind_text, visible
from arena.site.words import say_in

FOLDER = Path(arena.site.__file__).parent
TEXT = st.text(alphabet=st.characters(codec=None), max_size=60)


class Tags(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.tags, self.data = [], ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.data += data


@given(TEXT)
def test_visible_text_makes_no_element_but_code_points_and_hides_nothing(text):
    shown = Tags(str(visible(text)))
    assert all(tag == ("span", {"class": "cp"}) for tag in shown.tags)
    assert not [
        c
        for c in shown.data
        if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs") and c not in "\n\t"
    ]
    bare = [c for c in text if unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs")]
    assert [c for c in shown.data if c in bare] or not bare


@given(TEXT)
def test_plain_text_is_printable_utf8_on_a_second_pass_too(text):
    assert plain(plain(text)) == plain(text)
    plain(text).encode()


def test_line_breaks_stay_whatever_their_kind():
    assert str(visible("a\r\nb\rc\td")) == "a\nb\nc\td"


@given(TEXT, st.lists(TEXT, min_size=2, max_size=2), st.lists(TEXT, min_size=2, max_size=2))
def test_unblinding_never_makes_markup(reason, codes, names):
    shown = Tags(str(unblind(reason, dict(zip(codes, names, strict=True)))))
    assert {tag for tag, _ in shown.tags} <= {"span", "b"}
    assert all(set(attrs) <= {"class"} for _, attrs in shown.tags)


def test_codes_become_names_only_as_whole_words_and_never_inside_an_entity():
    shown = str(unblind("A1 < A12 & amp A1，amp", {"A1": "<Ann>", "amp": "Bob"}))
    ann, bob = '<b class="who">&lt;Ann&gt;</b>', '<b class="who">Bob</b>'
    assert shown == f"{ann} &lt; A12 &amp; {bob} {ann}，{bob}"


RUNS = st.lists(st.text(alphabet="aB1", max_size=3), min_size=2, max_size=2)


@given(st.text(alphabet="aB1 -，<&;\u200b", max_size=40), RUNS)
def test_codes_of_letters_and_digits_are_replaced_as_any_other_code_is(reason, codes):
    names, said = dict(zip(codes, ("Ann", "Bob"), strict=True)), f"{reason} ★"
    other = {**names, "★": "Eve"}  # no run of letters and digits: it takes the other way
    assert unblind_text(said, other).replace("Eve", "★") == unblind_text(said, names)
    shown = str(unblind(said, other)).replace('<b class="who">Eve</b>', "★")
    assert shown == str(unblind(said, names))


@given(
    st.sets(
        st.text(min_size=1, max_size=30) | st.sampled_from(["a-b", "A-B", "con", "x"]), max_size=12
    )
)
@pytest.mark.reported("R57")
def test_slugs_are_single_safe_and_independent_of_order(names):
    made = slugs(names)
    assert len(set(made.values())) == len(names)
    assert made == slugs(sorted(names, reverse=True))
    for slug in made.values():
        assert re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,110}", slug)
        assert slug not in RESERVED


@pytest.mark.reported("R57")
def test_plain_names_keep_their_name_and_dangerous_ones_get_a_hash():
    made = slugs(["EC-13", "../../x", "CON", "com1", "颐养助手", "a/b", "n" * 200, "Ok", "oK"])
    assert made["EC-13"] == "ec-13"
    for name in ("../../x", "CON", "com1", "颐养助手", "a/b", "n" * 200, "Ok", "oK"):
        assert re.search(r"-[0-9a-f]{8}$", made[name]), name


def test_both_languages_have_the_same_keys_and_the_same_facts_in_them():
    zh, en = say_in("zh").table, say_in("en").table
    assert set(zh) == set(en)
    for key in zh:
        fields = [set(re.findall(r"\{(\w+)\}", t[key])) for t in (zh, en)]
        # "1 scenario|{n} scenarios": a language may do without the number.
        assert fields[0] ^ fields[1] <= {"n"}, key


def test_every_word_is_used_and_every_key_asked_for_exists():
    source = "\n".join(
        p.read_text(encoding="utf-8")
        for p in (*FOLDER.rglob("*.py"), *FOLDER.glob("templates/*.j2"))
    )
    table = say_in("en").table
    asked = set(re.findall(r"""(?:say|w|known)\(\s*['"]([a-z_.]+)['"]""", source))
    assert asked <= set(table), asked - set(table)
    families = set(re.findall(r"""f['"]([a-z_]+(?:\.[a-z_]+)*)\.\{""", source)) | {
        "reason",
        "flag",
        "status",
    }
    unused = [
        key
        for key in table
        if f'"{key}"' not in source
        and f"'{key}'" not in source
        and not any(key.startswith(f"{family}.") for family in families)
        and not re.match(r"(criteria|style)\.", key)
    ]
    assert unused == []


def test_no_page_word_uses_a_term_that_the_vocabulary_forbids():
    for lang, banned in (
        ("zh", ("判官", "对战", "对局", "竞技", "Elo")),
        ("en", ("battle", "Elo", "matchup")),
    ):
        text = json.dumps(dict(say_in(lang).table), ensure_ascii=False)
        assert [word for word in banned if word in text] == []


def test_cells_of_text_are_no_formulas_and_numbers_stay_numbers():
    for text in ("=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "\n=1", "＝1"):
        assert safe_cell(text) == "'" + text
    assert safe_cell(-12.5) == "-12.5"
    assert safe_cell(None) == ""
    assert safe_cell(0) == "0"


def test_numbers_are_written_without_false_certainty():
    assert formats.percent(0.997) == ">99%"
    assert formats.percent(1.0) == "100%"
    assert formats.percent(0.003) == "<1%"
    assert formats.percent(0.0) == "0%"
    assert formats.percent(None) == "—"
    assert formats.whole(-0.2) == "0"
    assert formats.whole(-20.4) == "−20"
    assert formats.deviation(1000, 971, 1030) == "+30/−29"
    assert formats.deviation(1000, 970, 1030) == "±30"
    assert formats.money(Decimal("0.000123"), "CNY") == "0.00012 CNY"
    assert formats.money(Decimal("0"), "CNY") == "0.00 CNY"
    assert formats.money(Decimal("1234.5"), "CNY") == "1,234.50 CNY"
