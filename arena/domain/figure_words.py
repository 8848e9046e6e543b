"""What each figure of a diagnosis is called, what it means, and what to do where it is notable.

Both languages side by side, for the command line and the page alike. Places like `{value}` are
filled by whoever says the sentence.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.domain.words import Words


def _w(en: str, zh: str) -> Words:
    return Words(en=en, zh=zh)


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureWords:
    """`name`; `meaning` in one sentence; what to do where it is notable `above` or `below`."""

    name: Words
    meaning: Words
    above: Words | None = None
    below: Words | None = None


_REPLACE = _w(
    "Read some of its verdicts; then reword its prompt, take another judge or add judges.",
    "请抽查它的判定，再改写提示词、更换评审或增加评审。",
)
FIGURES: Mapping[str, FigureWords] = {
    "flips": FigureWords(
        name=_w("flips with the order", "换序翻转"),
        meaning=_w(
            "Share of comparisons in which the two orders name different winners; such a "
            "comparison counts half a point each.",
            "两种先后次序判出不同胜者的比较所占比例；这种比较双方各得半分。",
        ),
    ),
    "first_shown": FigureWords(
        name=_w("first shown wins", "先出示者获胜"),
        meaning=_w(
            "Share of decided verdicts won by whoever was shown first; ½ without position bias.",
            "分出胜负的判定中先出示一方获胜的比例；没有位置偏好时为 ½。",
        ),
        above=_w(
            "It prefers what it is shown first: keep both orders of every comparison, and look at "
            "ratings with --control position.",
            "它偏向先出示的一方：每个比较都要保留两种次序，并用 --control position 查看评分。",
        ),
        below=_w(
            "It prefers what it is shown last: keep both orders of every comparison, and look at "
            "ratings with --control position.",
            "它偏向后出示的一方：每个比较都要保留两种次序，并用 --control position 查看评分。",
        ),
    ),
    "longer": FigureWords(
        name=_w("the longer one wins", "较长者获胜"),
        meaning=_w(
            "Share of decided comparisons won by the longer transcript; longer ones may be better, "
            "so the effect of length below says whether that is a bias.",
            "分出胜负的比较中较长一方获胜的比例；较长的可能本来就更好，是否为偏好见下面的长度效应。",
        ),
    ),
    "ties": FigureWords(
        name=_w("ties", "平局"),
        meaning=_w("Share of verdicts that are ties.", "判定为平局的比例。"),
    ),
    "unread_verdict": FigureWords(
        name=_w("verdicts not usable", "不可用的判定"),
        meaning=_w(
            "Share of answers to comparisons that could not be counted, and each reason apart.",
            "比较的答复中无法计入的比例，并按原因分列。",
        ),
    ),
    "unread_sheet": FigureWords(
        name=_w("score sheets not usable", "不可用的评分表"),
        meaning=_w(
            "Share of answers to scorings that could not be counted, and each reason apart.",
            "评分的答复中无法计入的比例，并按原因分列。",
        ),
    ),
    "repeats": FigureWords(
        name=_w("same answer when asked again", "重复提问答复一致"),
        meaning=_w(
            "Share of pairs of repeated askings, of the same transcripts in the same order, that "
            "got the same answer.",
            "相同对话、相同次序重复提问时，两次答复一致的比例。",
        ),
    ),
    "reason_conflict": FigureWords(
        name=_w("reason against verdict", "理由与判定矛盾"),
        meaning=_w(
            "Share of verdicts whose reason calls the other side better.",
            "理由称赞另一方更好的判定所占比例。",
        ),
    ),
    "possible_injection": FigureWords(
        name=_w("text that speaks to the judge", "疑似对评审说话"),
        meaning=_w(
            "Share of verdicts on transcripts in which some text addresses the judge.",
            "对话中含有对评审说话的文字的判定所占比例。",
        ),
    ),
    "cut": FigureWords(
        name=_w("shown in part", "内容被截短"),
        meaning=_w(
            "Share of verdicts for which the transcripts were cut to what the judge can be sent.",
            "因超出评审可接收的长度而截短对话的判定所占比例。",
        ),
    ),
    "position_effect": FigureWords(
        name=_w("effect of being first", "先出示的效应"),
        meaning=_w(
            "What being shown first adds to the log-odds of winning, the agents' strengths given; "
            "0 without position bias.",
            "在智能体实力给定时，先出示使获胜的对数几率增加多少；没有位置偏好时为 0。",
        ),
        above=_w(
            "It prefers what it is shown first, and its orders are not balanced: have every "
            "comparison judged in both orders.",
            "它偏向先出示的一方，而且两种次序不均衡：每个比较都应按两种次序判定。",
        ),
        below=_w(
            "It prefers what it is shown last, and its orders are not balanced: have every "
            "comparison judged in both orders.",
            "它偏向后出示的一方，而且两种次序不均衡：每个比较都应按两种次序判定。",
        ),
    ),
    "length_effect": FigureWords(
        name=_w("effect of length", "长度效应"),
        meaning=_w(
            "What being 2.7 times as long adds to the log-odds of winning, the agents' strengths "
            "and (where there are any) the scores of the transcripts given; 0 without length bias.",
            "在智能体实力及（如有）对话得分给定时，"
            "长度为 2.7 倍使获胜的对数几率增加多少；没有长度偏好时为 0。",
        ),
        above=_w(
            "It prefers longer answers beyond what they are worth: look at ratings with "
            "--control length, and tell it in its prompt that length is no merit.",
            "它对较长回答的偏好超出其质量：请用 --control length 查看评分，"
            "并在提示词中说明长度不是优点。",
        ),
        below=_w(
            "It prefers shorter answers beyond what they are worth: look at ratings with "
            "--control length, and at what its prompt says of brevity.",
            "它对较短回答的偏好超出其质量：请用 --control length 查看评分，"
            "并检查提示词中关于简洁的说法。",
        ),
    ),
    "own_family": FigureWords(
        name=_w("own family above others' view", "同族智能体多得的份额"),
        meaning=_w(
            "What agents of the judge's own vendor or family earn from it more than from the other "
            "judges, on the same comparisons; the effect below says whether that is a bias.",
            "在相同的比较中，与评审同厂商或同系列的智能体从它那里比从其他评审那里多得的份额；是否为偏好见下面的效应。",
        ),
    ),
    "family_effect": FigureWords(
        name=_w("effect of own family", "同族效应"),
        meaning=_w(
            "What being of the judge's own vendor or family adds to the log-odds of winning, the "
            "strengths that the other judges find given; 0 without self-preference.",
            "在其他评审得出的实力给定时，"
            "与评审同厂商或同系列使获胜的对数几率增加多少；没有偏袒自家时为 0。",
        ),
        above=_w(
            "It favours its own family: set vendor_guard to exclude, or leave it out of the panel.",
            "它偏袒自家：请将 vendor_guard 设为 exclude，或将它移出评审组。",
        ),
        below=_w(
            "It disfavours its own family: set vendor_guard to exclude, or leave it out of the "
            "panel.",
            "它亏待自家：请将 vendor_guard 设为 exclude，或将它移出评审组。",
        ),
    ),
    "severity": FigureWords(
        name=_w("severity", "宽严"),
        meaning=_w(
            "Its score less the mean of the other judges', on the same transcripts; 0 for a judge "
            "that is neither harsh nor lenient beside them.",
            "对相同的对话，它的评分减去其他评审的平均分；既不偏严也不偏宽时为 0。",
        ),
        above=_w(
            "It scores more leniently than the others: compare absolute scores only where the same "
            "judges scored all agents.",
            "它比其他评审宽松：只有所有智能体都由同一组评审评分时，才比较绝对分数。",
        ),
        below=_w(
            "It scores more harshly than the others: compare absolute scores only where the same "
            "judges scored all agents.",
            "它比其他评审严格：只有所有智能体都由同一组评审评分时，才比较绝对分数。",
        ),
    ),
    "decoy": FigureWords(
        name=_w("decoy", "诱饵"),
        meaning=_w(
            "Share of the points that a decoy, which answers nothing, earns from real agents; well "
            "below ½ for a judge that sees through it.",
            "不作真正回答的诱饵在与真实智能体比较时赢得的份额；能识破它的评审给出的应远低于 ½。",
        ),
        above=_w(
            "It is fooled by an agent that answers nothing: do not use its verdicts.",
            "它被不作回答的诱饵蒙骗：不要使用它的判定。",
        ),
        below=_w("It sees through the decoy.", "它识破了诱饵。"),
    ),
    "agreement_raw": FigureWords(
        name=_w("agreement", "一致率"),
        meaning=_w(
            "Share of the comparisons judged by both in which both name the same winner, or both "
            "a tie.",
            "两位评审都判过的比较中，胜者相同或同为平局的比例。",
        ),
    ),
    "agreement_kappa": FigureWords(
        name=_w("Cohen's κ", "Cohen κ"),
        meaning=_w(
            "Agreement beyond chance: 1 is perfect, 0 is what chance gives.",
            "扣除偶然之后的一致程度：1 为完全一致，0 为偶然水平。",
        ),
    ),
    "agreement_alpha": FigureWords(
        name=_w("Krippendorff's α", "Krippendorff α"),
        meaning=_w(
            "Agreement beyond chance for coders who may be exchanged: 1 is perfect, 0 is chance.",
            "评审可互换时扣除偶然之后的一致程度：1 为完全一致，0 为偶然水平。",
        ),
    ),
    "criterion_raw": FigureWords(
        name=_w("agreement with people", "与人一致率"),
        meaning=_w(
            "Share of the comparisons in which it and people (other people, for a person) name the "
            "same better one by this criterion, or both neither.",
            "就该项标准，它与人（若本身是人，则与其他人）判定同一方更好或同判相当的比较所占比例。",
        ),
    ),
    "criterion_kappa": FigureWords(
        name=_w("Cohen's κ with people", "与人的 Cohen κ"),
        meaning=_w(
            "The same beyond chance: 1 is perfect, 0 is what chance gives.",
            "同上，扣除偶然之后：1 为完全一致，0 为偶然水平。",
        ),
    ),
    "criterion_alpha": FigureWords(
        name=_w("Krippendorff's α with people", "与人的 Krippendorff α"),
        meaning=_w(
            "The same beyond chance, for coders who may be exchanged.",
            "同上，扣除偶然之后，且双方可互换。",
        ),
    ),
    "people_alpha": FigureWords(
        name=_w("people among each other", "人与人之间"),
        meaning=_w(
            "Krippendorff's α of all people, over who won and by criterion: a judge can hardly be "
            "asked to agree with people better than they agree with each other.",
            "所有人之间的 Krippendorff α，含胜负与各项标准："
            "很难要求评审与人的一致程度高于人与人之间。",
        ),
    ),
    "panel_alpha": FigureWords(
        name=_w("all judges: who won", "全体评审：胜负"),
        meaning=_w(
            "Krippendorff's α of all judges over who won each comparison.",
            "全体评审对每个比较胜负的 Krippendorff α。",
        ),
    ),
    "score_alpha": FigureWords(
        name=_w("all judges: scores", "全体评审：评分"),
        meaning=_w(
            "Krippendorff's α of all judges over the scores, in all and by criterion.",
            "全体评审评分的 Krippendorff α，含总分与各项标准。",
        ),
    ),
}
REASONS: Mapping[str, Words] = {
    "no_rows": _w("no verdicts", "没有判定"),
    "one_order": _w("only one order was judged", "只判了一种次序"),
    "no_orders": _w("which was shown first is not recorded", "没有记录先后次序"),
    "no_lengths": _w("lengths are not known, or never differ", "长度未知或没有差别"),
    "no_scores": _w("it scored nothing", "没有评分"),
    "no_repeats": _w("nothing was asked twice", "没有重复提问"),
    "no_scenarios": _w("rows name no scenario", "数据没有情境列"),
    "not_by_scenario": _w("not known by scenario", "无法按情境统计"),
    "no_vendors": _w("vendors are not recorded", "没有记录厂商"),
    "no_kin": _w(
        "it judged no agent of its own vendor or family", "没有判过同厂商或同系列的智能体"
    ),
    "all_kin": _w(
        "every agent is of its own vendor or family: there is no other to set them against",
        "所有智能体都与它同厂商或同系列，没有可比的他者",
    ),
    "guarded": _w(
        "the vendor guard keeps it from agents of its own vendor or family",
        "同源回避不让它判同厂商或同系列的智能体",
    ),
    "not_shared": _w("no other judge judged the same", "没有其他评审判过相同的内容"),
    "single_judge": _w("not measured: there is no other judge", "未测量：没有其他评审"),
    "not_connected": _w("the agents cannot be rated by its verdicts", "无法由它的判定评出实力"),
    "not_told": _w("cannot be told from the agents' strengths", "无法与智能体实力区分"),
    "few_scenarios": _w("fewer than 5 scenarios", "少于 5 个情境"),
    "few_rows": _w("fewer than 5 rows", "少于 5 行"),
    "unvaried": _w("nothing varies over the scenarios", "各情境之间没有变化"),
    "one_code": _w("all answers are the same", "所有答复都相同"),
}
READINGS: Mapping[str, Words] = {
    "unknown": _w("unknown: {why}", "未知：{why}"),
    "open": _w("no interval: {why}", "没有区间：{why}"),
    "plain": _w("told as it is", "仅供参考"),
    "neutral": _w("no sign", "未见异常"),
    "above": _w("NOTABLE", "值得注意"),
    "below": _w("NOTABLE", "值得注意"),
    "beaten": _w("seen through", "已识破"),
    "unclear": _w("not clearly beaten", "未明显落败"),
}
NOTES: Mapping[str, Words] = {
    "single_judge": _w(
        "Single judge of comparisons: agreement is not measured.",
        "只有一位评审判定比较：一致程度没有测量。",
    ),
    "single_scorer": _w(
        "Single judge of scores: severity and agreement of scores are not measured.",
        "只有一位评审评分：宽严与评分的一致程度没有测量。",
    ),
    "rows_drawn": _w(
        "Rows name no scenario: intervals take them as independent and may be too narrow.",
        "数据没有情境列：区间按各行独立计算，可能偏窄。",
    ),
    "people_picked": _w(
        "Some comparisons were put to people because judges differ on them: over all comparisons, "
        "judges and people likely agree more than is told here. These votes correct no rating.",
        "有些比较因评审意见不一而被挑给人看：就全部比较而言，评审与人的一致程度很可能高于此处所示。"
        "这些投票不用于校正评分。",
    ),
    "people_no_chance": _w(
        "With what chance some people were asked is not known: agreement holds for what they saw.",
        "有些人被询问的概率未知：一致程度只就他们看过的内容而言。",
    ),
    "answer_key": _w(
        "An answer key judges here: there is no judge to diagnose.",
        "此处由标准答案判定：没有评审可诊断。",
    ),
}
OF_PEOPLE = ("people_picked", "people_no_chance")
"""Notes that tell of people."""
GIVEN: Mapping[str, Words] = {
    "others": _w("given strengths and the other judges' scores", "实力与其他评审的评分给定"),
    "own": _w("given strengths and its own scores", "实力与它自己的评分给定"),
    "": _w("given strengths", "实力给定"),
}
