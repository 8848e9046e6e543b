"""Text for people, in Chinese and in English."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, model_validator

Lang = Literal["zh", "en"]


class Frozen(BaseModel):
    """A closed, immutable record read from a file: an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=False)


class Words(Frozen):
    """A text in both languages; a plain string in a file stands for both."""

    zh: str
    en: str

    @model_validator(mode="before")
    @classmethod
    def _one_for_both(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"zh": value, "en": value}
        if isinstance(value, dict) and len(value) == 1 and set(value) <= {"zh", "en"}:
            only = next(iter(value.values()))
            return {"zh": only, "en": only}
        return value

    def __getitem__(self, lang: Lang) -> str:
        return self.zh if lang == "zh" else self.en
