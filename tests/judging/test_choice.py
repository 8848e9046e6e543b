"""The letter of a multiple-choice reply: every shape that counts, and those that must not."""

import pytest

from arena.judging.choice import read_choice

RIGHT = [
    ("答案：A", "A"),
    ("答案: A", "A"),
    ("答案:A", "A"),
    ("答案：[A]", "A"),
    ("答案：【C】", "C"),
    ("答案：（D）", "D"),
    ("答案：**B**", "B"),
    ("**答案：B**", "B"),
    ("**答案**：B", "B"),
    ("【答案】B", "B"),
    ("答案：`C`", "C"),
    ("答案：$\\boxed{A}$", "A"),
    ("答案：“D”", "D"),
    ("答案是C", "C"),
    ("答案是 C。", "C"),
    ("答案是：C", "C"),
    ("答案为B", "B"),
    ("答案应为 B", "B"),
    ("正确答案：D", "D"),
    ("所以答案应该是选项A。", "A"),
    ("选 D", "D"),
    ("选D。", "D"),
    ("故选：B", "B"),
    ("本题选择 C", "C"),
    ("应选（A）", "A"),
    ("答案：Ａ", "A"),
    ("选Ｂ", "B"),
    ("Ｃ", "C"),
    ("D", "D"),
    ("D。", "D"),
    ("**D**", "D"),
    ("(C)", "C"),
    ("一步步想……\n\nB\n", "B"),
    ("答案：B. CO2", "B"),
    ("答案：C。缺乏维生素B12", "C"),
    ("答案：A\n\n希望对你有帮助！", "A"),
    ("排除A和B，答案是C", "C"),
    ("先看A，不对；再看C。\n答案：D", "D"),
    ("答案：A\n再想想，不对。\n答案：B", "B"),
    ("答案：A，也就是A", "A"),
    ("答案不是A。\n答案：B", "B"),
    ("不选A，因为太大。\n选C", "C"),
    ("答案：\nB", "B"),
]
WRONG = [
    "",
    "   \n ",
    "我不知道。",
    "这四个选项都有道理。",
    "答案：",
    "答案：无法确定",
    "答案：A 或 B",
    "答案：A、C",
    "答案：AB",
    "答案：ABCD",
    "答案：A和B",
    "答案：A/B",
    "答案：A，不是B",
    "答案：A。答案：B",
    "选A还是选B？",
    "选A或选B",
    "答案：E",
    "答案：A、E",
    "答案：Apple",
    "答案：CO2",
    "答案：B12",
    "答案：1",
    "答案：①",
    "答案：不是A",
    "答案：A？",
    "答案：A 吗",
    "答案：A是错的",
    "答案：A以外的都对",
    "答案不是A",
    "不选A",
    "不应该选A",
    "别选B",
    "若选A，则矛盾",
    "如果选A，就矛盾了",
    "为什么选A",
    "选项A说的是气温",
    "A选项不正确",
    "A. 氧气\nB. 氮气\nC. 氢气\nD. 二氧化碳",
    "A B",
    "AB",
    "B12",
    "答案：b",
    "答案：A\n更正\n答案：无",
    "The answer could be anything.",
    "维生素C",
]


@pytest.mark.parametrize(("reply", "letter"), RIGHT)
def test_every_shape_that_counts_is_read(reply, letter):
    assert read_choice(reply) == letter


@pytest.mark.parametrize("reply", WRONG)
def test_what_names_no_single_letter_is_unparsed(reply):
    assert read_choice(reply) is None


def test_more_than_thirty_wrong_shapes_are_tried():
    assert len(set(WRONG)) > 30


@pytest.mark.parametrize("letter", "ABCD")
@pytest.mark.parametrize("shape", ["答案：{}", "答案是{}", "选 {}", "{}", "答案：**{}**"])
def test_no_letter_is_read_as_another(shape, letter):
    assert read_choice(shape.format(letter)) == letter
    assert (
        read_choice(f"先排除 {'ABCD'[('ABCD'.index(letter) + 1) % 4]}。\n" + shape.format(letter))
        == letter
    )


@pytest.mark.parametrize(
    "hostile",
    [
        "答案" + " " * 200_000,
        "选" * 100_000,
        "*" * 200_000 + "A",
        "答案：" + "正确" * 100_000,
        "A，" * 100_000,
    ],
    ids=["spaces", "marks", "stars", "filler", "letters"],
)
def test_a_hostile_reply_is_read_in_one_pass(hostile):
    assert read_choice(hostile) is None
