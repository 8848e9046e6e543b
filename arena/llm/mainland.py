"""Providers with two hosts: a key of one is refused by the other."""

OTHER_HOST = {
    "api.moonshot.ai": "https://api.moonshot.cn/v1",
    "api.moonshot.cn": "https://api.moonshot.ai/v1",
    "api.z.ai": "https://open.bigmodel.cn/api/paas/v4",
    "open.bigmodel.cn": "https://api.z.ai/api/paas/v4",
    "api.minimax.io": "https://api.minimaxi.com/v1",
    "api.minimaxi.com": "https://api.minimax.io/v1",
    "tokenhub-intl.tencentcloudmaas.com": "https://api.hunyuan.cloud.tencent.com/v1",
    "dashscope.aliyuncs.com": "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    "dashscope-intl.aliyuncs.com": "https://dashscope.aliyuncs.com/compatible-mode/v1",
}
"""Host → the `api_base` of the same provider for keys of the other side of the border."""
USUAL_HOST = {"minimax": "api.minimax.io", "moonshot": "api.moonshot.ai", "zai": "api.z.ai"}
"""Prefix of a model string → the host, where LiteLLM does not tell it beforehand."""


def other_base(host: str) -> str | None:
    """The `api_base` of the same provider on the other side; None where there is but one."""
    return OTHER_HOST.get(USUAL_HOST.get(host, host).split(":", 1)[0])
