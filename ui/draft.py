"""A hand while a person puts it right.

A `Draft` is what the check screen edits: tiles in the hand, declared sets, the winning tile, tiles of the photograph
that belong to nobody. Every edit is a pure function from one draft to the next, so undo is keeping the old one.
A doubt of the reader stays on its tile until a person has touched it; nothing is settled in silence."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from scoring.hand import MELD_KINDS
from scoring.tiles import TILES
from vision.result import UNKNOWN, MeldKind, Reading, ReadTile

KONGS: tuple[MeldKind, ...] = ("kong_exposed", "kong_added", "kong_concealed")
CLAIMS: tuple[MeldKind, ...] = ("pung", *KONGS)
"""The sets of a game in which no run can be claimed."""
BACK = "back"
CHOICES = 5
"""How many of the reader's guesses are worth a button of their own."""


@dataclass(frozen=True)
class Piece:
    """One tile of the draft.

    id: its own for as long as the hand is open; edits name tiles by it.
    tile: a tile code, `back`, or `UNKNOWN`.
    seen: (photograph, index in that reading's tiles), or None for a tile that a person typed.
    candidates: the reader's guesses with their probabilities, best first, its best one included.
    doubt: true until a person has looked at it, for a tile the reader was not sure of.
    """

    id: int
    tile: str
    seen: tuple[int, int] | None = None
    candidates: tuple[tuple[str, float], ...] = ()
    doubt: bool = False


@dataclass(frozen=True)
class Group:
    """A declared set (chow, pung or kong) as it lies on the table."""

    kind: MeldKind
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Draft:
    """The hand as it stands. `winning` is the id of one of `concealed`, or None while it is not known. `photographs`
    are the numbers of those that lie beside it, so that they go and come back with its tiles."""

    concealed: tuple[Piece, ...] = ()
    melds: tuple[Group, ...] = ()
    flowers: tuple[Piece, ...] = ()
    aside: tuple[Piece, ...] = ()
    winning: int | None = None
    photographs: tuple[int, ...] = ()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """Every tile that belongs to the hand, in the order in which it is shown."""
        return (*self.concealed, *(piece for group in self.melds for piece in group.pieces), *self.flowers)

    @property
    def doubts(self) -> tuple[Piece, ...]:
        """Tiles that a person should look at: the reader was unsure, they lie face down, or nobody has said what they
        are."""
        return tuple(piece for piece in self.pieces if piece.doubt or piece.tile in (UNKNOWN, BACK))

    @property
    def is_empty(self) -> bool:
        return not (self.pieces or self.aside)

    def piece(self, identity: int) -> Piece:
        """The tile with this id. Raises KeyError when it is not there."""
        for piece in (*self.pieces, *self.aside):
            if piece.id == identity:
                return piece
        raise KeyError(identity)

    def count(self) -> int:
        """Tiles as players count them: a kong is three, flowers are not counted."""
        return len(self.concealed) + sum(min(len(group.pieces), 3) for group in self.melds)


# -- from a reading, or from nothing ---------------------------------------------------------------------------------


def next_id(draft: Draft) -> int:
    """An id that no tile of this draft has."""
    return 1 + max((piece.id for piece in (*draft.pieces, *draft.aside)), default=-1)


def is_flower(tile: str) -> bool:
    return len(tile) == 2 and tile[1] == "f"


def from_reading(
    reading: Reading, photograph: int = 0, onto: Draft | None = None, kinds: Collection[MeldKind] = MELD_KINDS
) -> Draft:
    """What the reader saw, as a draft; `onto` is the hand so far when this is a further photograph of it. `kinds`: the
    sets that can be declared in this game; where a run cannot be, tiles laid out as one are only sorted.

    Backs in a concealed kong are turned into the tile they must be: the rules leave nothing else, so only a back that
    was itself read doubtfully stays a doubt."""
    base = onto or Draft()
    ids = count(next_id(base))

    def piece(index: int) -> Piece:
        seen = reading.tiles[index]
        named = () if seen.tile == UNKNOWN else ((seen.tile, seen.confidence),)
        guesses = (*named, *(guess for guess in seen.alternatives if guess[0] != seen.tile))[:CHOICES]
        return Piece(next(ids), seen.tile, (photograph, index), guesses, bool(seen.doubt) or seen.tile == UNKNOWN)

    hand = reading.hand
    melds = [meld for meld in hand.melds if meld.kind in kinds]
    groups = tuple(Group(meld.kind, tuple(piece(i) for i in meld.tiles)) for meld in melds)
    groups = tuple(_turn_backs(group) for group in groups)
    placed = {i for meld in melds for i in meld.tiles}
    sorted_out = [i for meld in hand.melds if meld not in melds for i in meld.tiles]
    own = {i: piece(i) for i in (*hand.concealed, *sorted_out) if i not in placed}
    placed |= set(own)
    rest = [piece(i) for i in range(len(reading.tiles)) if i not in placed]
    flowers = tuple(p for p in (*own.values(), *rest) if is_flower(p.tile))
    winning = own.get(hand.winning_tile) if hand.winning_tile is not None else None
    return Draft(
        concealed=(*base.concealed, *(p for p in own.values() if not is_flower(p.tile))),
        melds=(*base.melds, *groups),
        flowers=(*base.flowers, *flowers),
        aside=(*base.aside, *(p for p in rest if not is_flower(p.tile))),
        winning=base.winning if base.winning is not None else (winning.id if winning else None),
        photographs=(*base.photographs, photograph),
    )


def in_game(
    draft: Draft,
    readings: Mapping[int, Reading],
    faces: Collection[str],
    kinds: Collection[MeldKind],
    order: Sequence[str],
) -> Draft:
    """The hand once another game is played, with tiles of `faces` and sets of `kinds`.

    What the reader doubted only because the game before had no such tile, and nobody has touched, is taken as it was
    seen; a hand that is still as it was read has its runs laid down, or sorted in, as this game has it."""

    def as_read(allowed: Collection[MeldKind]) -> Draft:
        read = Draft()
        for number in draft.photographs:
            read = sort(from_reading(readings[number], number, read, allowed), order)
        return read

    if readings and set(readings) == set(draft.photographs):
        untouched = any(draft == as_read(allowed) for allowed in (MELD_KINDS, CLAIMS))
        draft = as_read(kinds) if untouched else draft
    for piece in (*draft.pieces, *draft.aside):
        if not piece.doubt or piece.seen is None or piece.seen[0] not in readings:
            continue
        code, tile = of_another_game(readings[piece.seen[0]].tiles[piece.seen[1]])
        if tile in faces:
            draft = change(draft, piece.id, tile)
            if code == "doubt.instead":
                draft = _map(draft, lambda p, i=piece.id: replace(p, doubt=True) if p.id == i else p)
    return sort(draft, order)


def of_another_game(tile: ReadTile) -> tuple[str, str]:
    """The doubt that a tile owes to the game alone, and what the tile looks like; nothing for any other tile."""
    if tile.doubt is None or tile.doubt.code not in ("doubt.foreign", "doubt.instead"):
        return "", ""
    return tile.doubt.code, str(dict(tile.doubt.facts)["tile"])


def _turn_backs(group: Group) -> Group:
    faces = {piece.tile for piece in group.pieces} - {BACK, UNKNOWN}
    if group.kind != "kong_concealed" or len(faces) != 1:
        return group
    (face,) = faces
    return replace(
        group,
        pieces=tuple(replace(p, tile=face, candidates=((face, 1.0),)) if p.tile == BACK else p for p in group.pieces),
    )


def from_codes(
    concealed: Sequence[str],
    melds: Sequence[tuple[MeldKind, Sequence[str]]] = (),
    winning: str | None = None,
    flowers: Sequence[str] = (),
) -> Draft:
    """A draft from tile codes; `winning` is added to `concealed` and marked."""
    ids = count()
    own = tuple(Piece(next(ids), tile) for tile in concealed)
    groups = tuple(Group(kind, tuple(Piece(next(ids), tile) for tile in tiles)) for kind, tiles in melds)
    petals = tuple(Piece(next(ids), tile) for tile in flowers)
    last = Piece(next(ids), winning) if winning else None
    return Draft((*own, last) if last else own, groups, petals, winning=last.id if last else None)


# -- edits -----------------------------------------------------------------------------------------------------------


def change(draft: Draft, identity: int, tile: str) -> Draft:
    """Say what a tile is. Its doubt is settled. A tile called a flower moves to the flowers, and back."""
    old = draft.piece(identity)
    new = replace(old, tile=tile, doubt=False)
    if is_flower(tile) != is_flower(old.tile) and not any(old in group.pieces for group in draft.melds):
        home = "flowers" if is_flower(tile) else "concealed"
        bare = remove(draft, identity)
        return replace(
            bare, **{home: (*getattr(bare, home), new)}, winning=None if draft.winning == identity else draft.winning
        )
    return _map(draft, lambda piece: new if piece.id == identity else piece)


def confirm(draft: Draft, identity: int) -> Draft:
    """The reader was right: the doubt of this tile is settled as it stands."""
    return _map(draft, lambda p: replace(p, doubt=False) if p.id == identity and p.tile != UNKNOWN else p)


def add(draft: Draft, tile: str) -> Draft:
    """One more tile in the hand (or among the flowers)."""
    piece = Piece(next_id(draft), tile)
    if is_flower(tile):
        return replace(draft, flowers=(*draft.flowers, piece))
    return replace(draft, concealed=(*draft.concealed, piece))


def fill(draft: Draft, tile: str, size: int) -> Draft:
    """`add`; the tile that fills a hand of `size` is the last one drawn or claimed, so it is the winning tile unless
    another one is."""
    new = add(draft, tile)
    if new.winning is None and new.count() == size and not is_flower(tile):
        return mark_winning(new, new.concealed[-1].id)
    return new


def remove(draft: Draft, identity: int) -> Draft:
    """Take a tile away for good. A set that loses a tile becomes a smaller kind, or goes back into the hand."""
    without = replace(
        draft,
        concealed=tuple(p for p in draft.concealed if p.id != identity),
        flowers=tuple(p for p in draft.flowers if p.id != identity),
        aside=tuple(p for p in draft.aside if p.id != identity),
        winning=None if draft.winning == identity else draft.winning,
    )
    melds: list[Group] = []
    loose: list[Piece] = []
    for group in draft.melds:
        kept = tuple(p for p in group.pieces if p.id != identity)
        if len(kept) == len(group.pieces):
            melds.append(group)
        elif len(kept) == 3:
            melds.append(Group("pung", kept))
        else:
            loose += kept
    return replace(without, melds=tuple(melds), concealed=(*without.concealed, *loose))


def set_aside(draft: Draft, identity: int) -> Draft:
    """A tile of the photograph that is not part of the hand: it stays on the photograph, greyed."""
    piece = draft.piece(identity)
    without = remove(draft, identity)
    return replace(without, aside=(*without.aside, replace(piece, doubt=False)))


def bring_back(draft: Draft, identity: int) -> Draft:
    """A tile set aside belongs to the hand after all."""
    piece = draft.piece(identity)
    without = replace(draft, aside=tuple(p for p in draft.aside if p.id != identity))
    home = "flowers" if is_flower(piece.tile) else "concealed"
    return replace(without, **{home: (*getattr(without, home), piece)})


def to_hand(draft: Draft, identity: int) -> Draft:
    """Move a tile into the concealed hand, wherever it was; a set that loses it becomes smaller or is none any more."""
    if any(p.id == identity for p in draft.concealed):
        return draft
    piece, without = draft.piece(identity), remove(draft, identity)
    return replace(without, concealed=(*without.concealed, piece))


def to_meld(draft: Draft, identity: int, meld: int) -> Draft:
    """Move a tile to the set with index `meld`: a fourth one makes an added kong. Nothing happens where it does not
    fit, or where it lies there already."""
    piece, group = draft.piece(identity), draft.melds[meld]
    if group.kind != "pung" or {p.tile for p in group.pieces} != {piece.tile} or piece in group.pieces:
        return draft
    without = remove(draft, identity)
    kong = Group("kong_added", (*group.pieces, piece))
    return replace(without, melds=tuple(kong if g == group else g for g in without.melds))


def mark_winning(draft: Draft, identity: int | None) -> Draft:
    """This concealed tile completed the hand (None: not known). Raises KeyError for a tile that is not concealed."""
    if identity is not None and all(p.id != identity for p in draft.concealed):
        raise KeyError(identity)
    return replace(draft, winning=identity)


def declare(draft: Draft, kind: MeldKind, identities: Iterable[int]) -> Draft:
    """Lay concealed tiles down as a set."""
    chosen = tuple(identities)
    pieces = tuple(draft.piece(identity) for identity in chosen)
    return replace(
        draft,
        concealed=tuple(p for p in draft.concealed if p.id not in chosen),
        melds=(*draft.melds, Group(kind, pieces)),
        winning=None if draft.winning in chosen else draft.winning,
    )


def take_back(draft: Draft, meld: int) -> Draft:
    """A set was no set: its tiles go back into the hand. `meld` is its index."""
    group = draft.melds[meld]
    return replace(
        draft,
        concealed=(*draft.concealed, *group.pieces),
        melds=(*draft.melds[:meld], *draft.melds[meld + 1 :]),
    )


def set_kind(draft: Draft, meld: int, kind: MeldKind) -> Draft:
    """What kind of set it is. A kong made of three tiles gets its fourth, a pung made of four loses one."""
    group = draft.melds[meld]
    pieces = group.pieces
    if kind in KONGS and len(pieces) == 3:
        known = next((p.tile for p in pieces if p.tile not in (UNKNOWN, BACK)), UNKNOWN)
        pieces = (*pieces, Piece(next_id(draft), known))
    elif kind not in KONGS and len(pieces) == 4:
        pieces = pieces[:3]
    return replace(draft, melds=(*draft.melds[:meld], Group(kind, pieces), *draft.melds[meld + 1 :]))


def sort(draft: Draft, order: Sequence[str]) -> Draft:
    """The concealed tiles in the order of `order` (unknown ones last)."""
    rank = {tile: i for i, tile in enumerate(order)}
    return replace(draft, concealed=tuple(sorted(draft.concealed, key=lambda p: rank.get(p.tile, len(rank)))))


def _map(draft: Draft, edit: Callable[[Piece], Piece]) -> Draft:
    return replace(
        draft,
        concealed=tuple(map(edit, draft.concealed)),
        melds=tuple(replace(group, pieces=tuple(map(edit, group.pieces))) for group in draft.melds),
        flowers=tuple(map(edit, draft.flowers)),
        aside=tuple(map(edit, draft.aside)),
    )


# -- what may be declared ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Declarable:
    """A set that could be laid down with one tap: its kind and the ids of its tiles."""

    kind: MeldKind
    identities: tuple[int, ...]
    tiles: tuple[str, ...]


def declarable(draft: Draft, identity: int, kinds: Sequence[MeldKind]) -> tuple[Declarable, ...]:
    """Every set of these kinds that this concealed tile could be part of, kongs first."""
    piece = draft.piece(identity)
    others = [p for p in draft.concealed if p.id != identity and p.id != draft.winning]
    same = [p for p in others if p.tile == piece.tile]
    found: list[Declarable] = []
    if piece.tile in (UNKNOWN, BACK):
        return ()
    if len(same) >= 3:
        four = (identity, *(p.id for p in same[:3]))
        found += [Declarable(kind, four, (piece.tile,) * 4) for kind in KONGS if kind in kinds]
    if len(same) >= 2 and "pung" in kinds:
        found.append(Declarable("pung", (identity, *(p.id for p in same[:2])), (piece.tile,) * 3))
    if "chow" in kinds and piece.tile[0].isdigit() and piece.tile[-1] in "mps":
        number, suit = int(piece.tile[0]), piece.tile[1]
        for low in range(max(1, number - 2), min(7, number) + 1):
            run = tuple(f"{n}{suit}" for n in range(low, low + 3))
            members = [piece if t == piece.tile else next((p for p in others if p.tile == t), None) for t in run]
            if all(members):
                found.append(Declarable("chow", tuple(p.id for p in members if p), run))
    return tuple(found)


def too_many(draft: Draft, copies: int = 4) -> tuple[str, ...]:
    """Tiles that are there more often than the game has copies of them."""
    held = Counter(p.tile for p in draft.pieces if p.tile not in (UNKNOWN, BACK) and not is_flower(p.tile))
    return tuple(tile for tile, n in held.items() if n > copies)


# -- kept as text ---------------------------------------------------------------------------------------------------


def to_json(draft: Draft) -> str:
    """The hand as text: tiles only. The photographs stay where they are, and so do the reader's guesses."""

    def codes(pieces: tuple[Piece, ...]) -> list[str]:
        return [piece.tile for piece in pieces]

    return json.dumps(
        {
            "concealed": codes(tuple(p for p in draft.concealed if p.id != draft.winning)),
            "melds": [[group.kind, codes(group.pieces)] for group in draft.melds],
            "winning": next((p.tile for p in draft.concealed if p.id == draft.winning), None),
            "flowers": codes(draft.flowers),
        }
    )


def from_json(text: str) -> Draft:
    """The inverse of `to_json`; an empty draft for any other text."""
    known = {*TILES, UNKNOWN, BACK}
    try:
        kept = json.loads(text)
        melds = [(kind, list(tiles)) for kind, tiles in kept["melds"]]
        winning, concealed, flowers = kept["winning"], list(kept["concealed"]), list(kept["flowers"])
        named = [*concealed, *flowers, *(t for _, tiles in melds for t in tiles), *([winning] if winning else [])]
        if not known.issuperset(named) or not {kind for kind, _ in melds} <= {"chow", "pung", *KONGS}:
            return Draft()
        return from_codes(concealed, melds, winning, flowers)
    except (ValueError, KeyError, TypeError):
        return Draft()


# -- undo --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class History:
    """The draft and what it was before. `do` forgets what was undone; an edit that changes nothing leaves no step."""

    now: Draft = Draft()
    past: tuple[Draft, ...] = ()
    future: tuple[Draft, ...] = ()

    def do(self, draft: Draft) -> History:
        return self if draft == self.now else History(draft, (*self.past, self.now))

    def undo(self) -> History:
        return History(self.past[-1], self.past[:-1], (self.now, *self.future)) if self.past else self

    def redo(self) -> History:
        return History(self.future[0], (*self.past, self.now), self.future[1:]) if self.future else self
