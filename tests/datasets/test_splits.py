"""Whatever the photographs are, a split has no group, cluster or look-alike on two sides, and comes near its shares."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import splits
from datasets.labels import LabelledPhoto, Mark, box_corners
from tests.datasets.test_checks import jpeg, look
from tests.datasets.test_formats import picture

SHARES = {"train": 0.7, "val": 0.2, "test": 0.1}


@st.composite
def collections(draw: st.DrawFn) -> tuple[list[LabelledPhoto], list[splits.Pair]]:
    count = draw(st.integers(1, 40))
    few = st.integers(0, 12).map(lambda k: str(k) if k < 10 else "")
    photos = [
        LabelledPhoto(
            f"{draw(few)}.rf.{k:032x}.jpg" if draw(st.booleans()) else f"{k}.jpg",
            10,
            10,
            (Mark(draw(st.sampled_from(["1p", "2p", "E"])), box_corners(0, 0, 5, 5)),),
            group=draw(few),
            cluster=draw(few),
        )
        for k in range(count)
    ]
    ends = st.integers(0, count - 1)
    pairs = draw(st.lists(st.tuples(ends, ends, st.sampled_from(["near", "exact", "mirrored"])), max_size=5))
    return photos, pairs  # pyright: ignore[reportReturnType]


@settings(max_examples=50)
@given(collections(), st.integers(0, 3), st.sampled_from(["group", "cluster"]))
def test_nothing_that_belongs_together_is_ever_divided(
    collection: tuple[list[LabelledPhoto], list[splits.Pair]], seed: int, by: splits.By
) -> None:
    photos, pairs = collection
    tied = splits.blocks(photos, pairs, by)
    assert sorted(i for block in tied for i in block) == list(range(len(photos)))
    if len(tied) < len(SHARES):
        with pytest.raises(splits.SplitError):
            splits.deal(photos, tied, SHARES, seed)
        return
    sides = splits.deal(photos, tied, SHARES, seed)
    assert set(sides) == {"train", "val", "test"}
    for i, one in enumerate(photos):
        for j, other in enumerate(photos[:i]):
            together = (
                (one.cluster and one.cluster == other.cluster)
                or (by == "group" and one.group and one.group == other.group)
                or (splits.source_name(one.name) and splits.source_name(one.name) == splits.source_name(other.name))
            )
            assert not together or sides[i] == sides[j]
    assert all(sides[i] == sides[j] for i, j, _ in pairs)


def lone(count: int) -> list[LabelledPhoto]:
    return [LabelledPhoto(f"{k}.jpg", 10, 10, ()) for k in range(count)]


def test_a_split_comes_near_its_shares_and_its_seed_decides_it() -> None:
    photos = lone(200)
    tied = splits.blocks(photos, [])
    sides = splits.deal(photos, tied, SHARES, seed=1)
    assert [sides.count(s) for s in SHARES] == [140, 40, 20]  # 0.7, 0.2 and 0.1 of 200
    assert sides == splits.deal(photos, tied, SHARES, seed=1)
    assert sides != splits.deal(photos, tied, SHARES, seed=2)


def test_held_out_sides_show_every_class_when_they_can() -> None:
    """Sixty photographs of 1p and six of 9s: a blind fifth would miss 9s in one deal of five."""
    tiles = ["1p"] * 60 + ["9s"] * 6
    photos = [LabelledPhoto(f"{k}.jpg", 9, 9, (Mark(t, box_corners(0, 0, 5, 5)),)) for k, t in enumerate(tiles)]
    for seed in range(5):
        sides = splits.deal(photos, splits.blocks(photos, []), {"train": 0.8, "val": 0.2}, seed)
        assert {t for t, s in zip(tiles, sides, strict=True) if s == "val"} == {"1p", "9s"}


@pytest.mark.parametrize("count", [1, 5])
def test_one_block_cannot_be_split_and_the_sentence_says_what_to_do(count: int) -> None:
    photos = [LabelledPhoto(f"{k}.jpg", 10, 10, (), group="one table") for k in range(count)]
    with pytest.raises(splits.SplitError, match=r"1 block.* --by cluster"):
        splits.deal(photos, splits.blocks(photos, []), {"train": 0.8, "val": 0.2})


def test_look_alikes_are_found_among_strangers_in_any_order() -> None:
    pixels = [picture(k) for k in range(6)] + [jpeg(picture(2)), np.ascontiguousarray(picture(4)[:, ::-1]), picture(5)]
    looks = [look(p, f"{k}") for k, p in enumerate(pixels[:-1])] + [look(pixels[-1], "5")]
    assert splits.alike(looks) == [(2, 6, "near"), (4, 7, "mirrored"), (5, 8, "exact")]
    assert splits.alike(looks[:1]) == splits.alike([]) == []


def test_roboflow_copies_share_a_source_and_other_names_have_none() -> None:
    copies = {splits.source_name(f"{folder}/hand_jpg.rf.{k:032x}.jpg") for k, folder in enumerate(("train", "valid"))}
    assert copies == {"hand_jpg"}
    assert splits.source_name("train/hand.jpg") == ""
