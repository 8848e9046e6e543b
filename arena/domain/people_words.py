"""Why votes of people correct no rating, or give no interval, in words; for terminal and page."""

from collections.abc import Mapping

from arena.domain.words import Words

WHY: Mapping[str, Words] = {
    "no_chance": Words(
        en="it is not known with what chance people were asked; arena serve and arena vote draw "
        "what they ask about and keep the chance",
        zh="不知道人是以多大概率被询问的；arena serve 与 arena vote 会抽取要问的内容并记下概率",
    ),
    "frame_lost": Words(
        en="what was drawn from was not kept; draw again: arena serve --draw-anew",
        zh="当初从哪些比较中抽取没有保存；请重新抽取：arena serve --draw-anew",
    ),
    "picked": Words(
        en="all that people answered was picked because judges differ on it, not drawn at random",
        zh="人回答的内容都是因评审意见不一而挑出的，并非随机抽取",
    ),
    "none_answered": Words(en="everything was skipped", zh="全部被跳过"),
    "unjudged": Words(en="no judge has compared what people saw", zh="没有评审比较过人看到的内容"),
    "nobody_rated": Words(
        en="people's votes connect too few agents, each winning and losing, to rate any of them",
        zh="人的投票所连接的、互有胜负的智能体太少，无法评出任何一个",
    ),
    "few_scenarios": Words(
        en="no intervals, as people saw fewer than 10 scenarios",
        zh="没有区间，因为人看过的情境少于 10 个",
    ),
    "adaptive": Words(
        en="no intervals, as verdicts chose what was compared",
        zh="没有区间，因为比较内容是由判定选出的",
    ),
}
"""By the keys of `Calibration.why`; the last two leave ratings, without intervals."""
OPEN_ENDED = ("few_scenarios", "adaptive")
LEFT_OUT: Mapping[str, Words] = {
    "skipped": Words(en="skipped: missing, and no tie", zh="跳过：缺失，不算平局"),
    "picked": Words(
        en="picked because judges differ: they count for agreement alone",
        zh="因评审意见不一而挑出：只计入一致程度",
    ),
    "frame_lost": Words(en="drawn from what was not kept", zh="抽取的范围没有保存"),
    "unjudged": Words(en="on what no judge has compared", zh="所看内容没有评审比较过"),
}
"""By the keys of `Calibration.left_out`."""
