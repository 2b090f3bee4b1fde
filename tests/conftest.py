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
    """Turn browser tests that were skipped into failures where a browser was promised."""
    report = yield
    if BROWSER_PROMISED and report.skipped and _in_a_browser(report) and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"HUPAI_NO_SKIP_BROWSER=1, yet this browser test was skipped: {report.longrepr}"
    return report


def _in_a_browser(report: pytest.TestReport) -> bool:
    return "browser" in report.keywords


class _Walked:
    """How many browser tests passed, counted where the reports of all processes come together."""

    def __init__(self) -> None:
        self.number = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.number += report.when == "call" and report.passed and _in_a_browser(report)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Walked(), "walked")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A whole run that walked no journey fails where a browser was promised (a module may have skipped itself)."""
    if hasattr(session.config, "workerinput"):  # one of several processes: the first of them knows the whole run
        return
    whole_run = not session.config.option.markexpr.startswith(("bench", "slow")) and session.config.args == ["tests"]
    if BROWSER_PROMISED and whole_run and not session.config.pluginmanager.getplugin("walked").number:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        print("\nHUPAI_NO_SKIP_BROWSER=1, yet no browser test ran.")
