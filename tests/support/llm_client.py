"""A client of the test server, for its own tests."""

import http.client
import json
import socket

CHAT = "/v1/chat/completions"
VERDICT = {
    "type": "object",
    "properties": {
        "winner": {"enum": ["A", "B", "tie"]},
        "score": {"type": "integer", "minimum": 1, "maximum": 5},
        "reason": {"type": "string", "maxLength": 60},
    },
    "required": ["winner", "score", "reason"],
    "additionalProperties": False,
}


class Client:
    """One keep-alive connection."""

    def __init__(self, port, timeout=10):
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def send(self, method, path, body=None, headers=None):
        self.http.request(method, path, body, headers or {})
        response = self.http.getresponse()
        return response, response.read()

    def chat(self, model="ok", prompt="hello there", headers=None, **more):
        body = {"model": model, "messages": [{"role": "user", "content": prompt}], **more}
        return self.send("POST", CHAT, json.dumps(body), headers)

    def get(self, path):
        return json.loads(self.send("GET", path)[1])


def message(raw):
    return json.loads(raw)["choices"][0]["message"]


def judged(prompt, client, model="ok", schema=VERDICT):
    wanted = {"type": "json_schema", "json_schema": {"name": "verdict", "schema": schema}}
    _, raw = client.chat(model, prompt, response_format=wanted)
    return message(raw)["content"]


def raw_exchange(port, data):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as sock:
        sock.sendall(data)
        out = b""
        while piece := sock.recv(65536):
            out += piece
    return out
