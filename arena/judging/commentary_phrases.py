"""What judges are told when they are asked for a commentary, in both languages.

All of it is part of a commentary's wording (its digest is).
"""

from collections.abc import Mapping

from arena.domain.words import Lang

REFUSED = "refused"
"""The word that a reply begins with where its judge cannot comment."""

COMMENTARY: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "form": "Reply in plain text for the makers of the agent, at most 500 words: no JSON, no "
        "scores of your own.",
        "refuse": 'If you cannot comment at all, reply "refused:" and the reason.',
        "whole": "Whole conversation",
        "round": "Round {n}",
        "unjudged": "not judged yet: {keys}",
        "summary": "Summary",
        "strengths": "Strengths",
        "issues": "Issues",
        "suggestions": "Suggestions",
        "between": ", ",
        "colon": ": ",
    },
    "zh": {
        "form": "请用平常的文字写给智能体的开发者看，不超过 800 字：不要 JSON，也不要另外打分。",
        "refuse": "如果完全无法评述，请以 refused: 开头并写明原因。",
        "whole": "全程",
        "round": "第 {n} 轮",
        "unjudged": "尚无法评判：{keys}",
        "summary": "总评",
        "strengths": "长处",
        "issues": "问题",
        "suggestions": "建议",
        "between": "、",
        "colon": "：",
    },
}
