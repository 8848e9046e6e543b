"""A script in the hands of a person, and what comes back of it: for tests of agents by hand."""

import json

from openpyxl import load_workbook

from tests.e2e.conftest import BY_HAND, agent, judge

TURNS = 2
SCENARIOS = 2
TABLE = "对话 dialogues"
COLUMNS = {
    "scenario": "情境 / scenario",
    "replicate": "第几次 / replicate",
    "round": "轮 / round",
    "paste": "粘贴这段话 / paste this",
    "answer": "产品的回答 / answer",
    "parts": "非文字内容 / non-text parts",
    "who": "经手人 / who",
    "when": "时间 / when",
    "version": "产品版本 / version seen",
    "remark": "备注 / remark",
    "mode": "模式 / mode",
    "agent": "智能体 / agent",
    "suite": "题集 / suite",
    "of_version": "所属版本 / of version",
    "shown": "题面摘要 / shown digest",
}


def configure(workspace, url, *, by_hand=BY_HAND, **more):
    workspace.configure([agent("plain", url), by_hand], [judge("referee", url)], **more)


class Sheet:
    """A script in the hands of a person who fills it in."""

    def __init__(self, path):
        self.path = path
        self.book = load_workbook(path)
        self.table = self.book[TABLE]

    def column(self, name):
        heads = [cell.value for cell in self.table[1]]
        return heads.index(COLUMNS[name]) + 1

    def cell(self, row, name):
        return self.table.cell(row, self.column(name))

    def rows(self, scenario=None):
        """Rows of turns: (row, scenario, round)."""
        for row in range(2, self.table.max_row + 1):
            here, number = self.cell(row, "scenario").value, self.cell(row, "round").value
            if number and scenario in (None, here):
                yield row, here, number

    def row(self, scenario, number):
        return next(r for r, s, n in self.rows(scenario) if n == number)

    def fill(self, scenario=None, **more):
        for row, here, number in self.rows(scenario):
            self.cell(row, "answer").value = f"Answer {number} of {here}."
            for name, value in more.items():
                self.cell(row, name).value = value
        return self

    def put(self, scenario, number, name, value):
        self.cell(self.row(scenario, number), name).value = value
        return self

    def save(self):
        self.book.save(self.path)
        return self


def exported(workspace, name="script.xlsx", *more):
    path = workspace.root / name
    done = workspace.run("export", "script", str(path), "--agent", "homebot", *more)
    assert done.code == 0, done
    return Sheet(path)


def brought(workspace, sheet, *more):
    return workspace.run("import", "script", str(getattr(sheet, "path", sheet)), "--json", *more)


def dialogues(workspace):
    rows = workspace.rows(
        "select scenario, replicate, messages from transcript where agent = 'homebot' order by 1, 2"
    )
    return {(scenario, n): json.loads(messages) for scenario, n, messages in rows}


def cells(done):
    return [fault["cell"].split("!")[1] for fault in done.document["faults"]]
