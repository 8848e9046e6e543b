"""Small folders laid out like somebody else's benchmarks; every word in them is invented."""

import json

SCORED = ("demonstrated_empathy", "health_safety")
STYLE = ("warmth",)
ANALYSED = ("health_safety", "correctness")
FORMATS = {
    "talk": {"probe": "probe_master_prompt_zh", "natural": None},
    "drafting": {"probe": "drafting_master_prompt_zh", "natural": None},
    "analysis": {"probe": "analysis_master_prompt_zh", "natural": "analysis_master_prompt_zh"},
}
SHOWN = {
    "probe_master_prompt_zh": "{scenario_prompt}\n\n# 心里话\n<写给自己>\n\n# 回话\n<写给对方>\n",
    "probe_debrief_prompt_zh": "到此为止。请回头看看。\n",
    "drafting_master_prompt_zh": "{scenario_prompt}\n\n# 草稿\n",
    "analysis_master_prompt_zh": "[记录]\n{scenario_prompt}\n[/记录]\n请分析。",
}
BACK = "\n---\nUser:\n好，回头看。\n---\nAssistant:\n{debrief%s}\n"
JUDGES = {
    "rubric_probe_zh": "探针评分。\n{transcript}\n" + BACK % "" + "要点：{scenario_notes}\n"
    '形如 {"a": {{1}}} 或 {% x %} 或 {# y #}\n{output_format}',
    "rubric_natural_zh": "自然评分。\n{transcript}\n要点：{scenario_notes}\n{output_format}\n",
    "rubric_analysis_zh": "分析评分。\n{transcript}\n要点：{scenario_notes}\n{output_format}\n",
    "pairwise_zh": "# （备用）\n\n[{code_a}]\n{conversation_history_A}\n"
    + BACK % "_A"
    + "[{code_b}]\n{conversation_history_B}\n"
    + BACK % "_B"
    + "比较 {code_a} 与 {code_b}：\n1. 共情（真的）\n2. 安全：不漏\n3. 总体\n\n"
    "{scenario_notes}\n先写代号再写加号，如 {code_a}++。\n格式：\n\n"
    '{\n  "reasoning": "…",\n  "demonstrated_empathy": "…",\n  "health_safety": "…",\n'
    '  "overall_eq": "…"\n}\n',
}
RUBRIC = """\
meta: {scale: [0, 20], version: "9"}
generic_anchors: {0: 没有, 10: 合格, 20: 极好}
scored_criteria:
  - {key: demonstrated_empathy, name_zh: 共情, definition: 听懂了吗, natural_mode_note: 从宽}
  - {key: health_safety, name_zh: 安全, definition: 漏了吗, natural_mode_note: 无调整}
probe_criteria:
  - {key: warmth, name_zh: 温度, definition: 有多暖}
analysis_criteria:
  - {key: health_safety, name_zh: 安全, definition: 看出来了吗}
  - {key: correctness, name_zh: 准确, definition: 有依据吗}
"""


def case(n, archetype="talk", *, domain="起居", flags=(), turns=("头晕。", "没事。")):
    """One case of the form of scenarios.jsonl."""
    return {
        "id": f"X-{n:02}",
        "archetype": archetype,
        "domain": domain,
        "title": f"第{n}件事",
        "source": {"type": "adapted", "eqbench_id": 7, "note": "换了人物"},
        "persona": {"user_role": "一位老人", "context": "独居"},
        "turns": [f"（{n}）{turn}" for turn in turns],
        "format_instruction": FORMATS[archetype],
        "scenario_notes": {"probe": f"探针要点{n}", "natural": f"自然要点{n}"},
        "failure_mode": "说教",
        "red_flags": list(flags),
        "tags": ["a"],
        "unheard_of": 1,
    }


CASES = (
    case(1, flags=("站不稳",)),
    case(2, domain="饮食", flags=("呛到", "发烧")),
    case(3, "drafting"),
    case(4, "analysis", domain="读记录", flags=("没人管",), turns=("甲：走开。",)),
)


def lite(one):
    """The short form of a case."""
    told = {"id": one["id"], "prompt": one["turns"][0], "scenario_notes_lite": "首轮要点"}
    named = one["format_instruction"]["natural"]
    return told | {"format_instruction": named}


def result(n, archetype="talk", *, domain="起居", flags=False, status="ok", **scores):
    """One line of results.jsonl."""
    return {
        "id": f"X-{n:02}",
        "status": status,
        "archetype": archetype,
        "domain": domain,
        "red_flags": flags,
        "scores": scores,
    }


def lines(records):
    """Records as JSON lines."""
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)


def write_eldercare(folder, cases=CASES, runs=None):
    """A folder of the form of eqbench-eldercare-zh; `runs`: (results, figures) by name."""
    texts = {
        "data/scenarios.jsonl": lines(cases),
        "data/scenarios_lite.jsonl": lines(lite(c) for c in cases),
        "data/rubric_criteria.yaml": RUBRIC,
        **{f"data/candidate_prompts/{name}.txt": text for name, text in SHOWN.items()},
        **{f"data/judge_prompts/{name}.txt": text for name, text in JUDGES.items()},
    }
    for name, (results, figures) in (runs or {}).items():
        texts[f"results/{name}/results.jsonl"] = lines(results)
        if figures is not None:
            texts[f"results/{name}/kpi.json"] = json.dumps(figures, ensure_ascii=False)
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


EQBENCH = {
    "scenario_prompts.txt": "######## 1 | Work Dilemma | Late Bus\n####### Prompt1\nThe bus.\n\n"
    "####### Prompt2  \nIt is late.\n######## 131 | Mediation – Family | A Lamp\n####### Prompt1\n"
    "Whose lamp?\n######## 208 | Friend Issue | A Note\n####### Prompt1\nWrite it.\n"
    "######## 401 | Analytical Interpretation | Late Bus\n####### 1\n# Act 1\nThey quarrel.\n",
    "scenario_notes.txt": "# 1\nThe bus is a pretext.\n# 9\nNobody's.\n",
    "scenario_master_prompt.txt": "{scenario_prompt}\n\n# Thinking\n\n# My response\n",
    "scenario_master_prompt_message_drafting.txt": "{scenario_prompt}\n\n# Draft\n",
    "scenario_master_prompt_analysis.txt": "[T]\n{scenario_prompt}\n[/T]\nAnalyse.",
    "debrief_prompt.txt": "Look back now.",
    "rubric_scoring_criteria.txt": "empathy\ninsight\nwarmth",
    "rubric_scoring_criteria_analysis.txt": "insight\ncorrectness",
    "rubric_scoring_prompt.txt": "Score.\n{transcript}\n\nUser:\nback\n{debrief}\n"
    "- Qualitative (higher is better):\nempathy, insight\n{output_format}",
    "rubric_scoring_prompt_analysis.txt": "Score the analysis.\n{transcript}\n{output_format}",
    "pairwise_prompt_eqbench3.txt": "[A0493]\n{conversation_history_A}\nUser: back\n{debrief_A}\n"
    "[A0488]\n{conversation_history_B}\nUser: back\n{debrief_B}\n"
    "1. Empathy (felt)\n2. Overall\n\n{scenario_notes}\nLike A0493++.\n\n"
    '{\n  "thoughts": "",\n  "empathy": "",\n  "overall_eq": "",\n}',
    "pairwise_prompt_eqbench3_analysis.txt": "Weigh.\n[X Y]\n{transcript_being_analysed}\n"
    "[/X Y]\n\n[A0493]\n{response_A}\n[A0488]\n{response_B}\n1. Correctness\n\n"
    '{\n  "thoughts": "",\n  "correctness": ""\n}',
}


def write_eqbench3(folder):
    """A folder of the form of EQ-Bench 3's prompts."""
    folder.mkdir(parents=True)
    for name, text in EQBENCH.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder
