"""What decoys reply: the same words to everybody, or polite filler around the user's own words.

No model is asked. The language is that of the user's last turn.
"""

import re

from arena.domain.call import Reply, Request
from arena.domain.decoy import PREFIX
from arena.domain.tokens import estimate_prompt, estimate_tokens
from arena.domain.words import Lang
from arena.errors import ProviderFault

NULL: dict[Lang, str] = {
    "en": "I understand. Thank you for telling me.",
    "zh": "我明白了，谢谢您告诉我。",
}
PADDING: dict[Lang, str] = {
    "en": (
        "Thank you so much for reaching out and for sharing this with me. I hear you, and I want "
        "you to know that I truly understand how important this is to you.\n\n"
        "You said: {said}\n\n"
        "That is a very good question, and it deserves a careful answer. There are many sides to "
        "it, every situation is different, and it is always worth considering all aspects before "
        "coming to a conclusion. What matters most is that you feel comfortable and well "
        "supported at every step along the way.\n\n"
        "I hope this is helpful. Please do not hesitate to let me know if there is anything else "
        "I can do for you. I am always happy to help!"
    ),
    "zh": (
        "非常感谢您的信任，也感谢您愿意把这些告诉我。我完全理解您的心情，也明白这件事对您有多么重要。\n\n"
        "您刚才说：{said}\n\n"
        "这是一个非常好的问题，值得认真对待。事情往往有很多方面，每个人的情况也各不相同，"
        "在得出结论之前，综合考虑各方面的因素总是有益的。最重要的是，在整个过程中您都能感到安心，"
        "并得到充分的支持。\n\n"
        "希望以上内容对您有所帮助。如果还有其他需要，请随时告诉我，我非常乐意为您服务！"
    ),
}
REPEATED = 600
"""Characters of the user's turn that the padding repeats."""
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


class Decoys:
    """The provider of every `decoy/…` model."""

    async def __call__(self, request: Request) -> Reply:
        """Answer at once; raises ProviderFault for a decoy that there is not."""
        name = request.endpoint.model.removeprefix(f"{PREFIX}/")
        said = next((m.text for m in reversed(request.messages) if m.role == "user"), "")
        lang: Lang = "zh" if _CHINESE.search(said) else "en"
        if name == "null":
            text = NULL[lang]
        elif name == "padding":
            # Replaced, not formatted: braces in what the user said are text.
            text = PADDING[lang].replace("{said}", said[:REPEATED])
        else:
            raise ProviderFault("rejected", f"no decoy is called {name}", status=404)
        return Reply(
            text=text,
            finish_reason="stop",
            model_returned=f"{PREFIX}/{name}",
            tokens_in=estimate_prompt(request.messages),
            tokens_out=estimate_tokens(text),
        )
