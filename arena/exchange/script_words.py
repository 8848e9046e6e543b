"""What a script tells the person who follows it, in both languages."""

from collections.abc import Iterator

from arena.domain.by_hand import Errand
from arena.domain.words import Lang

TITLE = {
    "zh": "人工对话脚本：{agent}（版本 {version}）",
    "en": "Script to follow by hand: {agent} (version {version})",
}
RULES = {
    "zh": (
        "每个情境都开一个全新的对话，不要接着旧对话问；关掉产品的记忆功能，或换一个没有聊过的账号。",
        "按轮次把“粘贴这段话”原样粘贴、发送，一字不改；等产品答完，再发下一轮。不追问，不解释。",
        "把回答原样粘贴到“产品的回答”。有图片、卡片、语音等时，在“非文字内容”写明，"
        "如：图片，卡片（也可在回答里写 [image]）。",
        "开新对话后，产品先说了话，就填在“新对话”那一行；没有就空着。",
        "没有得到回答就空着，写在备注里；不要自己补写。空着的情境不算数，可以以后再补。",
        "“产品版本”：与上面的版本相同就空着；不同，请停下来告诉出题的人：另一个版本是另一个智能体。",
        "“经手人”和“备注”随对话保存，不会公布。",
        "只有回答、非文字内容、经手人、时间、版本、备注可以填写；行的先后不要紧，但不要删除列。"
        "一个格子最多 32767 个字符。",
        "填好后运行：arena import script 文件.xlsx。另存为 CSV 时请选 UTF-8。",
    ),
    "en": (
        "Open an entirely new chat for every scenario and never go on in an old one; switch the "
        "product's memory off, or use an account that has not chatted before.",
        "Paste and send what stands under “paste this”, round by round, without changing a letter; "
        "wait for the whole answer before the next one. Ask and explain nothing of your own.",
        "Paste the answer as it is under “answer”. Where there is a picture, card or recording, "
        "name it under “non-text parts”, like: image, card (or write [image] in the answer).",
        "If the product speaks first in a new chat, that goes into the row “New chat”; otherwise "
        "leave it empty.",
        "Where no answer came, leave the cell empty and say so in the remark; never write one "
        "yourself. A scenario with an empty answer does not count, and can be completed later.",
        "“version seen”: leave it empty if it is the one named above; if it is another, stop and "
        "say so: another version is another agent.",
        "“who” and “remark” are kept with the dialogue and not published.",
        "Only the answer, non-text parts, who, when, version and remark can be filled in; the "
        "order of rows does not matter, but columns must stay. A cell holds 32,767 characters.",
        "Once it is filled in: arena import script FILE.xlsx. For CSV, save it as UTF-8.",
    ),
}
NEW_CHAT = {
    "zh": "▶ 新对话：{scenario} {title}（先不要粘贴；产品若先说了话，填在右边）",
    "en": "▶ New chat: {scenario} {title} (paste nothing yet; if the product speaks first, "
    "put that on the right)",
}
ON_PAPER = {
    "zh": "这一页只供阅读和打印。回答请填进同一命令写出的 .xlsx，再用 arena import script 导入。",
    "en": "This page is for reading and printing only. Answers come back in the .xlsx that the "
    "same command writes, by arena import script.",
}
ROUND = {"zh": "第 {n} 轮", "en": "Round {n}"}
REPEATED = {"zh": "第 {n} 次", "en": "replicate {n}"}


def both(first: Lang) -> tuple[Lang, Lang]:
    """The two languages in order."""
    return ("zh", "en") if first == "zh" else ("en", "zh")


def rules(agent: str, version: str, first: Lang) -> Iterator[tuple[str, bool]]:
    """The lines of the instructions, and whether each is a heading."""
    for lang in both(first):
        yield TITLE[lang].format(agent=agent, version=version), True
        for n, rule in enumerate(RULES[lang], start=1):
            yield f"{n}. {rule}", False


def heading(errand: Errand, lang: Lang) -> str:
    """The name of a dialogue: its scenario, and which repetition."""
    spec = errand.spec
    title = f"{spec.scenario} {errand.title[lang]}"
    more = f" · {REPEATED[lang].format(n=spec.replicate)}" if spec.replicate > 1 else ""
    return title + more


def open_chat(errand: Errand, first: Lang) -> str:
    """The text of a row before a dialogue, in both languages."""
    spec = errand.spec
    return "\n".join(
        NEW_CHAT[lang].format(
            scenario=spec.scenario, title=heading(errand, lang).removeprefix(f"{spec.scenario} ")
        )
        for lang in both(first)
    )
