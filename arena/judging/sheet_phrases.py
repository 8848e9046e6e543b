"""What judges are told about sheets that hold more than numbers, in both languages.

`SHEET` is part of a sheet's wording (its digest is); `FAULT` are complaints and are not.
"""

from collections.abc import Mapping

from arena.domain.words import Lang

CANNOT_JUDGE = "cannot_judge"
"""What a judge writes in place of a number where it may leave a criterion unjudged."""

SHEET: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "fault": "<what falls short>",
        "reason": "<why it costs points>",
        "merit": "<what is good>",
        "suggestion": "<advice to the makers of the agent>",
        "total": "<sum of all scores>",
        "subtotal": "<sum of {keys}>",
        "criterion": "<criterion>",
        "round": "<number of the round, or -1>",
        "quote": "<at most 120 characters, as they stand there>",
        "confidence": "<number from 0 to 1>",
        "may": 'For {keys} write "cannot_judge" instead of a number if there is nothing to judge '
        "by yet.",
        "must": "From round {n} on, nothing collected or nothing to the point is a real 0.",
        "all": "Leave nothing out.",
        "evidence": "Quote word for word and give the round; name criteria without enough to see "
        "in insufficient_evidence.",
        "cut": "Parts of this conversation were cut. Score only what is shown, with lower "
        "confidence; guess nothing, and give no high score because no fault is seen.",
        "missing": "not readable",
        "there": "there",
        "empty": "empty",
        "whole": "no sections found: the whole reply stands for them",
        "reference": "The true record (the agent does not know it)",
        "none": "(nothing)",
    },
    "zh": {
        "fault": "<不足之处>",
        "reason": "<扣分理由>",
        "merit": "<可取之处>",
        "suggestion": "<给智能体开发者的建议>",
        "total": "<各项得分之和>",
        "subtotal": "<{keys} 之和>",
        "criterion": "<标准的键>",
        "round": "<轮次，或 -1>",
        "quote": "<原文摘录，不超过 120 字>",
        "confidence": "<0 到 1 的数字>",
        "may": '{keys} 若此时还没有可供评判的内容，可用 "cannot_judge" 代替数字。',
        "must": "从第 {n} 轮起，什么都没收集到或内容无关，就是真正的 0 分。",
        "all": "各部分都不得省略。",
        "evidence": "摘录须与原文一字不差并注明轮次；"
        "看不到足够依据的标准列入 insufficient_evidence。",
        "cut": "这段对话有删节。只按看得见的部分评分，把握相应降低；"
        "不得猜测，也不得因为没看到缺点就给高分。",
        "missing": "未能读出",
        "there": "有",
        "empty": "空",
        "whole": "未分段，整段回复按记录看",
        "reference": "真实情况（智能体不知情）",
        "none": "（无）",
    },
}

FAULT: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "too_late": '"{key}" must be a number: nothing collected is 0 from now on.',
        "parts": 'The comment of "{key}" needs fault, reason and merit.',
        "left_out": 'The object needs "{key}".',
        "confidence": '"confidence" must be a number from 0 to 1.',
    },
    "zh": {
        "too_late": "“{key}”必须是数字：从这一轮起，没有收集到就是 0 分。",
        "parts": "“{key}”的评语需要 fault、reason 和 merit 三部分。",
        "left_out": '对象中缺少 "{key}"。',
        "confidence": '"confidence" 必须是 0 到 1 的数字。',
    },
}
