"""The printed page holds the night, whatever people are called."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from scoring.ledger.documents import write_csv
from scoring.ledger.events import Adjusted, Paid, Seated, Undone
from scoring.ledger.settling import settle_up
from scoring.ledger.summary import LONG, chart, write_page
from tests.ledger.table import discard, draw, night, opening, self_draw


class Words(HTMLParser):
    """The text of a page, cell by cell, and the elements it is made of."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words += [data.strip()] if data.strip() else []


def test_totals_settlement_and_every_event_that_counts_are_on_the_page() -> None:
    now = night(self_draw(0), discard(2, 1), draw(), Undone("3"))
    words = Words(write_page(now, settle_up(now.balances))).words
    text = " ".join(words)
    assert "2026-11-30 · Ka Wu Xing, general · 2 hands" in text
    assert "Totals A 4 ¥ C 0 ¥ B -4 ¥ Check: the totals add up Settling up B → A 4 ¥ How it went" in text
    assert text.endswith("hand what dealer A B C 1 win A +4 -2 -2 2 win A -2 +2")


def test_the_page_speaks_the_language_of_who_prints_it_and_leaves_names_alone() -> None:
    now = night(self_draw(0), Paid("后羿", "B", 2), of=opening("后羿", "B", "C", changes={"unit": 5}))
    page = write_page(now, settle_up(now.balances), "zh-Hant")
    text = " ".join(Words(page).words)
    assert '<html lang="zh-Hant">' in page
    for words in ("核對：收支相抵，沒有差錯", "結算", "卡五星 · 通用（", "后羿 付給 B 2", "莊家"):
        assert words in text
    assert "後羿" not in text
    sheet = write_csv(now, "zh-Hant")
    assert sheet.startswith("\ufeff局,時間,事項,莊家,后羿,B,C,后羿 合計")
    assert "后羿 付給 B 2" in sheet


def test_a_long_log_stands_in_two_columns() -> None:
    now = night(*(draw() for _ in range(LONG + 1)))
    words = Words(write_page(now, ())).words
    assert words.count("what") == 2
    assert [word for word in words if word.isdigit()][-LONG - 1 :] == [str(n) for n in range(1, LONG + 2)]


def test_names_and_notes_are_text_and_never_markup() -> None:
    hostile = opening("<script>alert(1)</script>", "B&B", '"C"')
    now = night(Adjusted({"B&B": -5}, "<img src=x>"), of=hostile)
    page = Words(write_page(now, settle_up(now.balances), "zh"))
    assert "script" not in page.tags
    assert "img" not in page.tags
    assert "<script>alert(1)</script>" in page.words
    assert "核对：收支相抵，没有差错；5 归公账" in page.words
    assert "B&B → 公账" in page.words


def test_a_night_without_events_still_makes_a_page() -> None:
    page = Words(write_page(night(), ()))
    assert "Nobody owes anything." in page.words


def test_the_chart_has_a_line_for_each_player_and_one_who_joined_begins_later() -> None:
    now = night(self_draw(0), Seated(("A", "B", "E")), self_draw(2))
    lines = re.findall(
        r'points="([^"]*)"',
        chart({name: now.colour(name) for name in now.players}, [dict(entry.totals) for entry in now.entries]),
    )
    assert [len(line.split()) for line in lines] == [3, 3, 3, 2]


def test_names_of_equal_totals_do_not_lie_on_each_other() -> None:
    heights = re.findall(r'<text x="630" y="([\d.]+)"', chart(dict.fromkeys("ABC", "#000"), [dict.fromkeys("ABC", 0)]))
    assert len({round(float(height)) // 12 for height in heights}) == 3
    assert min(abs(float(a) - float(b)) for a in heights for b in heights if a != b) >= 12


def test_a_chart_of_nobody_is_empty() -> None:
    assert "polyline" not in chart({"A": "#000"}, [])
