"""What every room's tests share: where the project's shared folder is, how hypothesis runs, and what a skipped browser
test means on a machine that promised a browser."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

BROWSER_PROMISED = os.environ.get("HUPAI_NO_SKIP_BROWSER") == "1"
"""Set by .ci/run: a skipped browser test is then a failure, and so is a whole run without one."""

# Machines differ too much for deadlines. In CI the same commit must give the same answer, so examples are not random.
settings.register_profile("house", deadline=None, print_blob=True, derandomize="CI" in os.environ)
settings.load_profile("house")

_browser_tests_passed = pytest.StashKey[int]()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The project's shared folder beside the checkout; tests that need it are skipped where it is not."""
    if not (SHARED / "data").is_dir():
        pytest.skip("../shared/data is not beside this checkout")
    return SHARED


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Journeys go last: what is quick fails first, and Playwright keeps an event loop running in this thread from its
    first test to the end, beside which no other test could call `asyncio.run`."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count browser tests that passed; turn those that were skipped into failures where a browser was promised."""
    report = yield
    if item.get_closest_marker("browser"):
        if report.when == "call" and report.passed:
            item.config.stash[_browser_tests_passed] = item.config.stash.get(_browser_tests_passed, 0) + 1
        if BROWSER_PROMISED and report.skipped and not hasattr(report, "wasxfail"):
            report.outcome = "failed"
            report.longrepr = f"HUPAI_NO_SKIP_BROWSER=1, yet this browser test was skipped: {report.longrepr}"
    return report


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A whole run that walked no journey fails where a browser was promised (a module may have skipped itself)."""
    whole_run = not session.config.option.markexpr.startswith(("bench", "slow")) and session.config.args == ["tests"]
    if BROWSER_PROMISED and whole_run and not session.config.stash.get(_browser_tests_passed, 0):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        print("\nHUPAI_NO_SKIP_BROWSER=1, yet no browser test ran.")
