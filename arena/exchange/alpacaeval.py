"""AlpacaEval: answers to single instructions, and judges' preferences over a baseline's answers.

In: a folder of results (or one file of it) with texts, and tables of preferences without. Fields
as its package alpaca-eval 0.6 writes them. Out: a folder with texts, or a .csv of preferences.
"""

from pathlib import Path

from arena.domain.imported import Import
from arena.domain.suite import Suite
from arena.exchange.alpacaeval_figures import figures_of_folder
from arena.exchange.alpacaeval_files import FORMAT, find_results
from arena.exchange.alpacaeval_results import read_results, read_suite
from arena.exchange.alpacaeval_votes import VOTES
from arena.exchange.alpacaeval_write import write
from arena.exchange.format import Format, ReadHow, ResultsPart, SuitePart, SuiteRead


def _suite(folder: Path) -> SuiteRead:
    return SuiteRead(read_suite(folder).made, figures_of_folder(folder))


def _results(path: Path, suite: Suite, how: ReadHow) -> Import:
    return read_results(path, suite, judge=how.judge)


FORM = Format(
    name=FORMAT,
    suite=SuitePart(usual=FORMAT, read=_suite),
    results=ResultsPart(find=find_results, read=_results, write=write),
    votes=VOTES,
)
