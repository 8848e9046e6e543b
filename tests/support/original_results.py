"""Small results of the form of EQ-Bench 3 and eqbench-eldercare-zh; every word is invented."""

import json

ROLES = ("user", "assistant")
SCORES = {"empathy": 10, "insight": 14, "warmth": 3}
FORWARD = "A0493:test / A0488:other"
BACKWARD = "A0493:other / A0488:test"


def task(turns, replies, *, back=("Look back now.", "I see."), **more):
    """One task of a run; None for no look back."""
    history = [
        {"role": role, "content": text}
        for pair in zip(turns, replies, strict=True)
        for role, text in zip(ROLES, pair, strict=True)
    ]
    asked, said = back or (None, None)
    return {
        "conversation_history": history,
        "debrief_prompt": asked,
        "debrief_response": said,
        "status": "rubric_scored",
        "end_time": 1746700000.0,
        "rubric_scores": SCORES,
        "raw_rubric_judge_text": "Well.\n" + json.dumps(SCORES),
        **more,
    }


def run(model, tasks, judge="reader"):
    """One run: tasks by scenario, of iteration 1."""
    return {
        "model_name": model,
        "judge_model": judge,
        "scenario_tasks": {"1": tasks},
        "results": {"average_rubric_score": "N/A"},
    }


def compared(first, second, *, order=FORWARD, scenario="1", iteration=1, **said):
    """One comparison; `first` is the tested model, whatever the order."""
    answer = {"chain_of_thought_reasoning": "A0488 is good +++", **said}
    return {
        "scenario_id": scenario,
        "pair": {"test_model": first, "neighbor_model": second, "iteration_index": iteration},
        "order": order,
        "judge_response": answer,
        "outcome_for_test_model": 0.5,
        "plus_for_test": 0,
        "plus_for_other": 0,
    }


def elo(*comparisons):
    """A file of Elo results."""
    rated = {"elo": 1200.0, "elo_norm": 1000.0, "sigma": 20.0}
    return {"x": rated, "__metadata__": {"global_pairwise_comparisons": list(comparisons)}}


def played(case, *, archetype="talk", scores=None, back="我看了。", **more):
    """One line of results.jsonl in mode probe; the prompts are those of `originals`."""
    from tests.support.originals import FORMATS, SHOWN

    wrap = SHOWN[FORMATS[archetype]["probe"]]
    first, *rest = case["turns"]
    turns = [wrap.replace("{scenario_prompt}", first), *rest]
    text = "\n\n---\n\n".join(
        f"User:\n{turn}\n\nAssistant:\n回第{n}句" for n, turn in enumerate(turns)
    )
    return {
        "id": case["id"],
        "status": "ok",
        "archetype": archetype,
        "domain": case["domain"],
        "red_flags": bool(case["red_flags"]),
        "n_turns": len(turns),
        "transcript": text,
        "debrief": back,
        "scores": scores or {"demonstrated_empathy": 10, "health_safety": 4, "warmth": 7},
        "judge_reasoning": "还行",
        **more,
    }
