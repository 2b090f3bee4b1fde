"""What is typed without tiles: kongs, a drawn hand, somebody who left, an adjustment, a payment, seats, rules.

Each form says what it needs in the words of the rules and ends in the same preview. A form that was opened from an
entry puts that entry right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import flet as ft

from scoring import Hand, Win
from scoring.hand import Answer as Value
from scoring.ledger.events import LARGEST_AMOUNT, Adjusted, Deed, Paid, Played, RulesChanged, Seated, played
from scoring.ledger.night import Entry, Night
from scoring.ledger.playing import rules_at
from scoring.tiles import NotationError
from ui import theme
from ui.components.answer import Answer, chip, chips
from ui.components.button import main_button, word_button
from ui.components.entry_row import title
from ui.components.hook import named
from ui.components.name_field import NameField
from ui.components.rules_picker import RulesPicker
from ui.components.scroll import Scroll
from ui.components.trouble import Troubles
from ui.components.written import Written
from ui.draft import KONGS
from ui.nights import Form, choice_of, deed_with, house_of, propose
from ui.session import Seated as AtTheTable
from ui.session import Session
from ui.table import House, Said, asked, draft_from_text, hand_of

OF_A_DRAW = ("revealed", "contract_kind", "contract_seat", "contract_level")
"""What the rules ask about a win that an exhausted wall may depend on too."""


@ft.component
def NightRecord(session: Session, night: Night, form: Form, go: Any) -> ft.Control:
    """The form that lies open."""
    entry = night.entry(form.corrects) if form.corrects else None
    seats = entry.seats if entry else night.seats
    then = AtTheTable(session, seats)
    draft, set_draft = ft.use_state(lambda: opened(form, entry, night))
    deed = deed_of(form.kind, draft, seats, night, entry)

    def change(**parts: Any) -> None:
        set_draft(lambda now_: {**now_, **parts})  # two keys may be typed between two drawings

    async def on(e: Any) -> None:
        if deed is not None and await propose(session, deed_with(entry, deed)):
            await go("/night/confirm")

    fields = FORMS[form.kind](then, draft, change, night, entry)
    return Scroll(
        [
            ft.Text(session.t(f"form.{form.kind}"), size=22, weight=ft.FontWeight.W_700),
            *(
                [ft.Text(session.t("form.instead", what=title(session, entry)), font_family=theme.NAMES_FONT)]
                if entry
                else []
            ),
            *fields,
        ],
        [
            *([Troubles(session)] if session.troubles else []),
            main_button(
                session,
                "preview",
                session.t("form.preview"),
                ft.Icons.ARROW_FORWARD,
                on,
                disabled=deed is None,
            ),
        ],
    )


# ---------------------------------------------------------------- what a form holds, and what it comes to


def opened(form: Form, entry: Entry | None, night: Night) -> dict[str, Any]:
    """What stands in the form when it opens: nothing, or what the entry says."""
    deed = entry.deed if entry else None
    case: Any = deed.case if isinstance(deed, Played) else {}
    said = dict(case.get("circumstances") or {})
    match form.kind:
        case "kong":
            return {"kongs": [dict(kong) for kong in case.get("kongs") or [{}]]}
        case "draw":
            contract = case.get("contract") or {}
            known = {key: tuple(value) if isinstance(value, list) else value for key, value in said.items()}
            known |= {f"contract_{key}": value for key, value in contract.items()}
            return {"said": Said(tuple(known.items()))}
        case "escape":
            return {"seat": said.get("escapee"), "tiles": _written(case)}
        case "adjust":
            return _adjustment(deed) if isinstance(deed, Adjusted) else _adjustment(Adjusted({}))
        case "pay":
            if isinstance(deed, Paid):
                return {"payer": deed.payer, "receiver": deed.receiver, "amount": str(deed.amount), "note": deed.note}
            amount = str(form.amount) if form.amount else ""
            return {"payer": form.payer, "receiver": form.receiver, "amount": amount, "note": ""}
        case "seats":
            now_ = deed.seats if isinstance(deed, Seated) else night.seats
            return {"seats": now_, "known": tuple(dict.fromkeys((*night.players, *now_))), "dealer": None, "made": 0}
        case _:
            return {"house": house_of(deed.rules if isinstance(deed, RulesChanged) else night.rules)}


def deed_of(kind: str, draft: dict[str, Any], seats: tuple[str, ...], night: Night, entry: Entry | None) -> Deed | None:
    """What the form says, or None while something is missing."""
    match kind:
        case "kong":
            if not all(_kong_said(kong) for kong in draft["kongs"]):
                return None
            return played({"kind": "kong", "kongs": draft["kongs"]})
        case "draw":
            return played(drawn_case(draft["said"].answers))
        case "escape":
            if draft["seat"] is None:
                return None
            try:
                hand = hand_of(draft_from_text(draft["tiles"])) if draft["tiles"].strip() else Hand()
            except NotationError:
                return None
            melds = [{"kind": meld.kind, "tiles": list(meld.tiles)} for meld in hand.melds]
            said = {"escapee": draft["seat"]}
            flowers = list(hand.flowers)
            return played({"kind": "escape", "melds": melds, "flowers": flowers, "circumstances": said})
        case "adjust":
            amount = _whole(draft["amount"])
            if not amount or not (draft["payers"] or draft["receivers"]):
                return None
            return Adjusted(adjusted(draft["payers"], draft["receivers"], amount), draft["note"].strip())
        case "pay":
            amount = _whole(draft["amount"])
            if not amount or not draft["payer"] or not draft["receiver"]:
                return None
            return Paid(draft["payer"], draft["receiver"], amount, draft["note"].strip())
        case "seats":
            return Seated(draft["seats"], draft["dealer"]) if draft["seats"] else None
        case _:
            house = cast(House, draft["house"])
            return RulesChanged(choice_of(house, min(len(night.players), house.players)))  # by those who are there


def adjusted(payers: tuple[str, ...], receivers: tuple[str, ...], amount: int) -> dict[str, int]:
    """Each payer gives each receiver `amount`; where one side is empty, the points come from or go to nobody.

    >>> adjusted(("A",), ("B", "C"), 5)
    {'A': -10, 'B': 5, 'C': 5}
    """
    gives, takes = amount * max(1, len(receivers)), amount * max(1, len(payers))
    amounts = dict.fromkeys(payers, -gives)
    for name in receivers:
        amounts[name] = amounts.get(name, 0) + takes
    return amounts


def _adjustment(deed: Adjusted) -> dict[str, Any]:
    """What stands in the form for an adjustment: who gives, who receives, and how much where it is the same for all."""
    payers = tuple(name for name, amount in deed.amounts.items() if amount < 0)
    receivers = tuple(name for name, amount in deed.amounts.items() if amount > 0)
    largest = max((abs(amount) for amount in deed.amounts.values()), default=0)
    each = largest // max(1, len(receivers) if payers and -deed.amounts[payers[0]] == largest else len(payers))
    same = each and adjusted(payers, receivers, each) == dict(deed.amounts)
    return {"payers": payers, "receivers": receivers, "amount": str(each) if same else "", "note": deed.note}


def drawn_case(said: dict[str, Any]) -> dict[str, Any]:
    """A drawn hand in the form of the worked examples."""
    kind = said.get("contract_kind")
    circumstances = {key: list(v) if isinstance(v, tuple) else v for key, v in said.items() if key == "revealed" and v}
    case: dict[str, Any] = {"kind": "draw", "circumstances": circumstances}
    if kind in ("two", "one", "none"):
        case["contract"] = {
            "seat": said.get("contract_seat", 0),
            "level": said.get("contract_level", 2),
            "kind": kind,
        }
    return case


def _kong_said(kong: dict[str, Any]) -> bool:
    if kong.get("seat") is None or kong.get("kind") not in KONGS:
        return False
    return kong["kind"] != "kong_exposed" or kong.get("from") not in (None, kong["seat"])


def _whole(words: str) -> int | None:
    words = words.strip()
    return int(words) if words.isdecimal() and len(words) <= len(str(LARGEST_AMOUNT)) else None


def no_amount(session: Any, words: str) -> str:
    """Why what was typed is no amount, or nothing where it is one, or nothing was typed yet."""
    return "" if not words.strip() or _whole(words) else session.t("form.amount_wrong", most=LARGEST_AMOUNT)


def _written(case: Any) -> str:
    """Melds and flowers of a recorded hand as they are typed."""
    if not case.get("melds") and not case.get("flowers"):
        return ""
    return Win.from_case({**case, "winner": 0, "concealed": []}).hand.show()


# ---------------------------------------------------------------- the fields of each form

Change = Callable[..., None]


def _kong_fields(
    then: Any, draft: dict[str, Any], change: Change, night: Night, entry: Entry | None
) -> list[ft.Control]:
    kongs: list[dict[str, Any]] = draft["kongs"]

    def put(place: int, **parts: Any) -> None:
        change(kongs=[{**kong, **parts} if i == place else kong for i, kong in enumerate(kongs)])

    fields: list[ft.Control] = []
    for i, kong in enumerate(kongs):
        fields += [
            *([ft.Divider(height=8)] if i else []),
            _question(then.t("form.kong_who")),
            _seat_chips(then, f"kong{i}-seat", kong.get("seat"), lambda seat, i=i: put(i, seat=seat)),
            _question(then.t("form.kong_kind")),
            chips(
                [
                    chip(
                        f"kong{i}-{kind}",
                        then.t(f"kind.{kind}"),
                        kong.get("kind") == kind,
                        lambda kind=kind, i=i: put(i, kind=kind, **({} if kind == "kong_exposed" else {"from": None})),
                    )
                    for kind in KONGS
                ]
            ),
        ]
        if kong.get("kind") == "kong_exposed":
            fields += [
                _question(then.t("form.kong_from")),
                _seat_chips(
                    then,
                    f"kong{i}-from",
                    kong.get("from"),
                    lambda seat, i=i: put(i, **{"from": seat}),
                    kong.get("seat"),
                ),
            ]
        if i:
            chained = bool(kong.get("chained"))
            fields.append(
                chip(
                    f"kong{i}-chained",
                    then.t("form.kong_chained"),
                    chained,
                    lambda i=i, c=chained: put(i, chained=not c),
                )
            )
    if len(kongs) < 4:
        following = {"seat": kongs[-1].get("seat"), "chained": True}
        fields.append(
            word_button(
                then,
                "one-more-kong",
                then.t("form.one_more_kong"),
                ft.Icons.ADD,
                lambda e: change(kongs=[*kongs, following]),
                kind=ft.TextButton,
            )
        )
    return fields


def _draw_fields(
    then: Any, draft: dict[str, Any], change: Change, night: Night, entry: Entry | None
) -> list[ft.Control]:
    case = entry.deed.case if entry and isinstance(entry.deed, Played) else {}
    house = house_of(rules_at(case, entry.rules if entry else night.rules))
    said: Said = draft["said"]

    def answer(question: str, value: Value) -> None:
        change(said=said.saying(question, value))

    open_ = [a for a in asked(house, Hand(), said) if a.question.id in OF_A_DRAW]
    fields: list[ft.Control] = [Answer(then, a, lambda value, q=a.question.id: answer(q, value)) for a in open_]
    return fields or [ft.Text(then.t("form.draw_plain"), size=16)]


def _escape_fields(
    then: Any, draft: dict[str, Any], change: Change, night: Night, entry: Entry | None
) -> list[ft.Control]:
    return [
        _question(then.t("form.escape_who")),
        _seat_chips(then, "escapee", draft["seat"], lambda seat: change(seat=seat)),
        Written(
            "escape-tiles", then.t("form.escape_tiles"), draft["tiles"], on_change=lambda words: change(tiles=words)
        ),
        ft.Text(then.t("form.escape_hint"), size=14, color=ft.Colors.ON_SURFACE_VARIANT),
    ]


def _adjust_fields(
    then: Any, draft: dict[str, Any], change: Change, night: Night, entry: Entry | None
) -> list[ft.Control]:
    def toggle(side: str, other: str, name: str) -> None:
        now_ = draft[side]
        kept = tuple(n for n in now_ if n != name) if name in now_ else (*now_, name)
        change(**{side: kept, other: tuple(n for n in draft[other] if n != name)})

    fields: list[ft.Control] = []
    for side, other in (("payers", "receivers"), ("receivers", "payers")):
        fields += [
            _question(then.t(f"form.{side}")),
            _name_chips(side, night.players, draft[side], lambda name, s=side, o=other: toggle(s, o, name)),
        ]
    several = len(draft["payers"]) * len(draft["receivers"]) > 1
    fields += _amount(then, draft, change, "form.amount_each" if several else "form.amount")
    if not draft["payers"] or not draft["receivers"]:
        fields.append(ft.Text(then.t("form.nobody"), size=14, color=ft.Colors.ON_SURFACE_VARIANT))
    return [*fields, _note(then, draft, change)]


def _pay_fields(
    then: Any, draft: dict[str, Any], change: Change, night: Night, entry: Entry | None
) -> list[ft.Control]:
    return [
        _question(then.t("form.pay_who")),
        _name_chips("payer", night.players, (draft["payer"],), lambda name: change(payer=name)),
        _question(then.t("form.pay_whom")),
        _name_chips("receiver", night.players, (draft["receiver"],), lambda name: change(receiver=name)),
        *_amount(then, draft, change, "form.amount"),
        _note(then, draft, change),
    ]


def _seats_fields(
    then: Any, draft: dict[str, Any], change: Change, night: Night, entry: Entry | None
) -> list[ft.Control]:
    sitting: tuple[str, ...] = draft["seats"]

    def toggle(name: str) -> None:
        kept = tuple(n for n in sitting if n != name) if name in sitting else (*sitting, name)
        change(seats=kept, dealer=None)

    def join(words: str) -> None:
        name = words.strip()
        if name and name not in draft["known"]:
            change(known=(*draft["known"], name), seats=(*sitting, name), dealer=None, made=draft["made"] + 1)

    return [
        ft.Text(then.t("form.seats_hint", n=house_of(entry.rules if entry else night.rules).players), size=16),
        chips(
            [
                chip(
                    f"sit-{name}",
                    f"{sitting.index(name) + 1} {name}" if name in sitting else name,
                    name in sitting,
                    lambda name=name: toggle(name),
                    theme.NAMES_FONT,
                )
                for name in draft["known"]
            ]
        ),
        NameField(then, "join", then.t("form.join"), on_submit=join, made=draft["made"]),
        _question(then.t("form.seats_dealer")),
        chips(
            [
                chip(
                    f"deals-{name}",
                    name,
                    draft["dealer"] == seat,
                    lambda seat=seat: change(dealer=None if draft["dealer"] == seat else seat),
                    theme.NAMES_FONT,
                )
                for seat, name in enumerate(sitting)
            ]
        ),
    ]


def _rules_fields(
    then: Any, draft: dict[str, Any], change: Change, night: Night, entry: Entry | None
) -> list[ft.Control]:
    picked = cast(House, draft["house"])
    return [
        ft.Text(then.t("form.rules_hint"), size=16),
        RulesPicker(then, picked, lambda house: change(house=house)),
    ]


FORMS: dict[str, Callable[[Any, dict[str, Any], Change, Night, Entry | None], list[ft.Control]]] = {
    "kong": _kong_fields,
    "draw": _draw_fields,
    "escape": _escape_fields,
    "adjust": _adjust_fields,
    "pay": _pay_fields,
    "seats": _seats_fields,
    "rules": _rules_fields,
}


def _question(words: str) -> ft.Control:
    return ft.Text(words, size=17)


def _seat_chips(
    then: Any, prefix: str, picked: int | None, on_pick: Callable[[int], None], but: int | None = None
) -> ft.Control:
    return chips(
        [
            chip(f"{prefix}-{seat}", name, seat == picked, lambda seat=seat: on_pick(seat), theme.NAMES_FONT)
            for seat, name in enumerate(then.seats)
            if seat != but
        ]
    )


def _name_chips(
    prefix: str, names: tuple[str, ...], picked: tuple[str, ...], on_pick: Callable[[str], None]
) -> ft.Control:
    return chips(
        [
            chip(f"{prefix}-{name}", name, name in picked, lambda name=name: on_pick(name), theme.NAMES_FONT)
            for name in names
        ]
    )


def _amount(then: Any, draft: dict[str, Any], change: Change, key: str) -> list[ft.Control]:
    """The field of an amount, and below it why what stands there is none."""
    field = Written(
        "amount",
        then.t(key),
        draft["amount"],
        on_change=lambda words: change(amount=words),
        keyboard_type=ft.KeyboardType.NUMBER,
    )
    wrong = no_amount(then, draft["amount"])
    told = ft.Text(wrong, size=14, color=ft.Colors.ERROR)
    return [field, *([named("amount-wrong", told, live_region=True)] if wrong else [])]


def _note(then: Any, draft: dict[str, Any], change: Change) -> ft.Control:
    return Written(
        "note",
        then.t("form.note"),
        draft["note"],
        on_change=lambda words: change(note=words[:60]),
        text_style=ft.TextStyle(font_family=theme.NAMES_FONT),
    )
