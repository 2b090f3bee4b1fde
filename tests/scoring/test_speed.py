"""The bench as a test: hands per second beside the two packages; fails only when a game has become slow."""

import pytest

from tests import bench_scoring as bench


@pytest.mark.bench
def test_scoring_keeps_its_distance_from_the_riichi_calculator(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mahjong", reason="the PyPI package `mahjong` is not installed")
    with capsys.disabled():
        ratios = bench.main(3000)
    # Half of what is wanted: a busy machine is no failure, a lost table of suits is.
    assert {name: ratio for name, ratio in ratios.items() if ratio < bench.WANTED[name] / 2} == {}


@pytest.mark.bench
def test_all_waits_of_thirteen_tiles_take_a_few_milliseconds() -> None:
    assert {name: ms for name, ms in bench.waiting(40).items() if ms > 6} == {}
