"""Talking to models. This floor knows nothing of the store.

`provider` is the one protocol, `remote` the one file that names LiteLLM, `scripted` plays offline;
`executor` runs calls, `asking` makes one call with its retries, `limiter` holds limits and the
cap, `feed` hands out work so that every endpoint is kept busy and none starves another.
"""
