"""Text that speaks to the judge instead of to the user: a cautious list of signs.

Such text stays as it is; the presentation is flagged, so that people can look. The patterns are
bounded, so that they take linear time on any text.
"""

import re
import unicodedata
from functools import lru_cache

POSSIBLE_INJECTION = "possible_injection"

_JUDGE = r"(?:judge|evaluator|grader|referee|assessor)"
_JUDGE_ZH = r"(?:评委|裁判|评审|评判者|评分员|评分者|评估者)"
_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing)"
_SIGNS = (
    rf"\b(?:ignore|disregard|forget)\s(?:all\s|any\s|the\s|your\s|of\s){{0,3}}{_EARLIER}\s"
    r"(?:instructions?|prompts?|rules?|directions?)",
    rf"\byou are (?:now )?(?:the|a|an|acting as an?) (?:impartial |ai )?{_JUDGE}\b(?! of\b)",
    rf"\b(?:dear|hey|hello|attention|note to(?: the)?|instructions? (?:to|for) the)[,:]? "
    rf"{_JUDGE}\b",
    r"\b(?:output|print|return|declare|reply with|respond with|answer with)\b[^.\n]{0,40}"
    r"\bwinner\b",
    r"\b(?:give|award|assign)\s(?:me|us|this (?:reply|response|answer|agent|conversation))\s"
    r"(?:a\s|the\s)?(?:full|top|highest|maximum|perfect)\s(?:marks?|scores?|ratings?)",
    r"\b(?:evaluation|judging|grading|assessment)\s(?:is|has been)\s(?:now\s)?"
    r"(?:finished|over|complete|completed|ended)\b",
    r"(?:^|\n)\W{0,4}(?:end|begin|start|beginning)\s(?:of\s)?(?:the\s)?"
    r"(?:conversation|transcript|dialogue)\b",
    r"(?:^|\n)[ \t]{0,8}[\[<#*]{0,4}\s?(?:system|developer)(?:\s(?:prompt|message|note))?"
    r"[\]>*]{0,3}\s?[:：]",
    r"<\|[a-z_]{2,20}\|>|\[/?inst\]",
    r"[\"“](?:winner|scores)[\"”]\s{0,3}[:：]",
    r"(?:忽略|无视|不要理会|忘记|忽视)[^。\n]{0,6}(?:之前|以上|上述|上面|前面|先前|此前|所有)"
    r"[^。\n]{0,6}(?:指令|指示|要求|规则|提示)",
    rf"(?:你|您)(?:现在)?(?:就)?是(?:一名|一位|本次|这次)?[^。，,\n]{{0,6}}{_JUDGE_ZH}",
    rf"{_JUDGE_ZH}[^。\n]{{0,12}}(?:请|务必|必须|应当|应该)[^。\n]{{0,12}}(?:判|选|打|给|输出)",
    rf"(?:请|务必|必须)[^。\n]{{0,4}}{_JUDGE_ZH}[^。\n]{{0,12}}(?:判|选|打|给|输出)",
    r"(?:请|务必|必须|应当)(?:直接)?(?:判|选择?|输出)[^。\n]{0,12}(?:获胜|胜出|胜者|优胜)",
    r"(?:请|务必|必须)?给(?:我|本|这个|该)(?:回答|回复|智能体|助手)?[^。\n]{0,4}"
    r"(?:满分|最高分|最高评分)",
    r"(?:评审|评估|评分|评判)(?:已经|已|现已)(?:结束|完成)",
    r"(?:^|\n)[ \t]{0,8}[\[【]?系统(?:提示|消息|指令)?[\]】]?\s?[:：]",
    r"(?:^|\n)\W{0,4}(?:对话|会话)[^\n]{0,6}(?:结束|开始)\W{0,4}(?:\n|$)",
)
_ANY_SIGN = re.compile("|".join(f"(?:{sign})" for sign in _SIGNS))
_SPACES = re.compile(r"[^\S\n]+")


# A transcript is read again for every comparison that it stands in.
@lru_cache(maxsize=1024)
def speaks_to_judge(text: str) -> bool:
    """Whether a text shows a sign of addressing or imitating the judge's prompt."""
    return _ANY_SIGN.search(_plain(text)) is not None


def _plain(text: str) -> str:
    """The text folded: no case, no invisible characters, runs of white space as one blank."""
    for sign in set(text):
        if unicodedata.category(sign) == "Cf":
            text = text.replace(sign, "")
    return _SPACES.sub(" ", text).casefold()
