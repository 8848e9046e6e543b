"""The sentences that contracts say to judges, in both languages, the same keys in each.

Instructions are part of a judge's wording (their digest is); complaints are not.
"""

from collections.abc import Mapping

from arena.domain.words import Lang

RUBRIC: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "form": "Reply with one JSON object and nothing else, in this form:",
        "score": "<number from {low} to {high}>",
        "comment": "<one short sentence>",
        "summary": "<one or two sentences>",
        "listed": "<short phrase>",
        "rule": "Give every criterion a number on its scale; add no other criterion.",
        "refuse": 'If you cannot score this conversation at all, reply {"refused": "<why>"}.',
    },
    "zh": {
        "form": "只回复一个 JSON 对象，不要写其他内容，格式如下：",
        "score": "<{low} 到 {high} 的数字>",
        "comment": "<一句简短说明>",
        "summary": "<一两句总评>",
        "listed": "<简短要点>",
        "rule": "每项标准都要给出量表内的数字，不得增加其他标准。",
        "refuse": '如果完全无法为这段对话评分，请回复 {"refused": "<原因>"}。',
    },
}

PAIRWISE: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "form": "Reply with one JSON object and nothing else, in this form:",
        "side": "<{first} or {second} or tie>",
        "strength": "<1 to 5>",
        "reason": "<one or two sentences>",
        "rule": "strength: 1 barely better, 5 far better, ignored for a tie. Judge all criteria.",
        "refuse": 'If you cannot compare them at all, write "refused" as the winner.',
    },
    "zh": {
        "form": "只回复一个 JSON 对象，不要写其他内容，格式如下：",
        "side": "<{first} 或 {second} 或 tie>",
        "strength": "<1 到 5>",
        "reason": "<一两句理由>",
        "rule": "tie 表示平局；strength：1 为略好，5 为好得多，平局时忽略。每项标准都要判断。",
        "refuse": '如果完全无法比较，请将 winner 写为 "refused"。',
    },
}

FORCED: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "side": "<{first} or {second}>",
        "rule": "Choose one of the two for every answer: there are no ties. strength: 1 barely "
        "better, 5 far better. Judge all criteria.",
    },
    "zh": {
        "side": "<{first} 或 {second}>",
        "rule": "每一项都必须选出一方，不允许平局；strength：1 为略好，5 为好得多。"
        "每项标准都要判断。",
    },
}
"""What differs where a side must be chosen."""

MARKS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "form": "Reply with one JSON object and nothing else, in this form:",
        "reasoning": "<your reasoning>",
        "mark": "<{first} or {second}, then + to +++++>",
        "rule": "Write the winner's code and from one to five pluses after it: + barely stronger, "
        "+++++ far stronger. Choose one of the two for every key: there are no ties.",
        "refuse": 'If you cannot compare them at all, reply {"refused": "<why>"}.',
    },
    "zh": {
        "form": "只回复一个 JSON 对象，不要写其他内容，格式如下：",
        "reasoning": "<你的推理>",
        "mark": "<{first} 或 {second}，后接 + 至 +++++>",
        "rule": "先写胜者代号，再写一至五个加号：+ 为略强，+++++ 为强得多。"
        "每个键都必须选出一方，不允许平局。",
        "refuse": '如果完全无法比较，请回复 {"refused": "<原因>"}。',
    },
}
"""What is said where a winner is marked by its code and pluses."""

COMPLAIN: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "empty": "The reply was empty.",
        "truncated": "The reply was cut off before the answer was complete; answer more briefly.",
        "no_object": "The reply holds no complete JSON object.",
        "twice": 'The key "{key}" stands twice with different values.',
        "no_scores": 'The object needs "scores": an object with a number for each criterion.',
        "missing": "Criteria without an answer: {keys}.",
        "not_a_number": '"{key}" must be a number from {low} to {high}.',
        "out_of_range": '"{key}" is {value}, but its scale runs from {low} to {high}.',
        "no_winner": '"winner" must be exactly one of: {labels}.',
        "strength": '"strength" of {key} must be a whole number from 1 to 5.',
        "no_criteria": '"criteria" must be an object that judges: {keys}.',
        "side": '"side" of {key} must be exactly one of: {labels}.',
        "no_letter": "The reply names no single letter as its answer.",
        "mark": '"{key}" must be one of {labels}, with one to five pluses after it.',
        "overall": "the winner",
        "repair": "Your reply could not be read: {complaint} Give your answer again.",
        "between": ", ",
    },
    "zh": {
        "empty": "回复是空的。",
        "truncated": "回复在答案完整之前被截断，请答得更简短。",
        "no_object": "回复中没有完整的 JSON 对象。",
        "twice": "键“{key}”出现两次，且值不同。",
        "no_scores": '对象中需要 "scores"：其中每项标准对应一个数字。',
        "missing": "缺少以下标准的答案：{keys}。",
        "not_a_number": "“{key}”必须是 {low} 到 {high} 的数字。",
        "out_of_range": "“{key}”的值是 {value}，但量表是 {low} 到 {high}。",
        "no_winner": '"winner" 必须正好是以下之一：{labels}。',
        "strength": '{key} 的 "strength" 必须是 1 到 5 的整数。',
        "no_criteria": '"criteria" 必须是一个对象，对以下各项作出判断：{keys}。',
        "side": '{key} 的 "side" 必须正好是以下之一：{labels}。',
        "no_letter": "回复中没有唯一的答案字母。",
        "mark": "“{key}”必须是 {labels} 之一，后接一至五个加号。",
        "overall": "总体胜者",
        "repair": "无法读取你的回复：{complaint}请重新作答。",
        "between": "、",
    },
}

DIALOGUE: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "system": "system",
        "user": "user",
        "agent": "agent",
        "empty": "(empty)",
        "cut": "[… cut: {n} characters …]",
    },
    "zh": {
        "system": "系统",
        "user": "用户",
        "agent": "智能体",
        "empty": "（空）",
        "cut": "[……此处略去 {n} 个字符……]",
    },
}
"""How a transcript is set out for a judge."""
