"""Drives the app like a person: a real Chromium, real mouse, keyboard and files, read through Flutter's semantics tree.

Screens are painted on a canvas, so what a test can find is what a screen reader finds: the identifiers and labels of
`ui.components.hook.named`. The waits are generous, because the machine may be busy with a training beside the tests."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import FileChooser, Locator, Page, Request, Response, TimeoutError, expect

ROOT = Path(__file__).parents[2]
SHOTS = Path(__file__).parent / "shots"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
]
PATIENCE = int(os.environ.get("HUPAI_PATIENCE", "60")) * 1000
"""Milliseconds to wait for anything; a busy machine is slow, a broken app is slow for ever."""

FILM = "HUPAI_FILM"
"""The environment says by this name that somebody will look at the screenshots. Where nobody will, none are taken: each
waits until the picture has come to rest."""

# On a desktop the placeholder is one pixel outside the page; with a phone's user agent it covers the page and takes a
# click in its very middle only. This event does for both.
ENABLE_SEMANTICS = """e => { const r = e.getBoundingClientRect(); e.dispatchEvent(new MouseEvent('click',
    {clientX: r.left + r.width / 2, clientY: r.top + r.height / 2, bubbles: true})) }"""

WAY = """e => {
    const box = e.getBoundingClientRect(), middle = box.top + box.height / 2;
    for (let list = e.parentElement; list; list = list.parentElement) {
        if (!['scroll', 'hidden'].includes(list.style.overflowY)) continue;
        const seen = list.getBoundingClientRect();
        const way = middle < seen.top + 8 ? -1 : middle > seen.bottom - 8 ? 1 : 0;
        if (way) return [way, seen.left + seen.width / 2, seen.top + seen.height / 2, Math.min(240, seen.height / 2)];
    }
    return [0, 0, 0, 0];
}"""
"""Which way the list that hides a control's middle must be scrolled (-1 up, 1 down, 0 not at all), where the middle of
that list is, and how far to scroll at once. A list ends where the bar at the foot begins, so what lies behind that bar
is hidden, though still in the tree. Flutter calls a list `scroll`, and `hidden` for a moment after a touch."""

UNNAMED = """() => {
    const name = e => [e, ...e.querySelectorAll('*')].some(n =>
        (n.getAttribute('aria-label') || '').trim() || [...n.childNodes].some(c => c.nodeType == 3 && c.data.trim()));
    const kinds = 'button img textbox switch checkbox radio slider tab'.split(' ').map(r => `[role=${r}]`);
    return [...document.querySelectorAll([...kinds, 'input', 'textarea'].join())].filter(e => !name(e))
        .map(e => e.closest('[flt-semantics-identifier]') || e).filter(e => !name(e))
        .map(e => e.cloneNode(false).outerHTML);
}"""
"""What a screen reader could not name: buttons, pictures, fields and switches without a word."""

OUTSIDE = """() => [...document.querySelectorAll('flt-semantics')].filter(e => !e.querySelector('flt-semantics'))
    .map(e => [e, e.getBoundingClientRect()])
    .filter(([e, r]) => r.width > 0 && (r.left < -1 || r.right > innerWidth + 1))
    .map(([e, r]) => `${e.textContent || e.getAttribute('aria-label') || e.id}: ${r.left} to ${r.right}`)"""
"""What reaches over the left or the right edge of the page."""

TAKING = """() => {
    taken = false;
    document.addEventListener('focusin', event => new MutationObserver((_, me) => { taken = true; me.disconnect(); })
        .observe(event.target, { attributes: true, attributeFilter: ['autocomplete'] }), { once: true });
}"""
"""From now on `taken` says whether Flutter has taken over the next field that gets the keyboard: it dresses it anew."""

PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Until the browser has painted what the page has drawn so far."""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """The real `hupai` command in a process of its own; `url` is where it answers. `database`: where its nights are, in
    its own folder without one."""

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        command: tuple[str, ...] = (),
        port: int | None = None,
        database: str = "",
    ) -> None:
        self.port, self.log, self.folder = port or free_port(), folder / "server.log", folder
        self.url = f"http://127.0.0.1:{self.port}/"
        environment = {**os.environ, "HUPAI_HOME": str(folder / "data"), "PYTHONUNBUFFERED": "1"}
        for name in ("FLET_UPLOAD_DIR", "HUPAI_DATABASE"):
            environment.pop(name, None)
        if database:
            environment["HUPAI_DATABASE"] = database
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hupai", *command, "--no-browser", "--port", str(self.port), *arguments],
            cwd=ROOT,
            env=environment,
            stdout=self.log.open("w"),
            stderr=subprocess.STDOUT,
        )

    def wait(self, seconds: float = 60) -> Server:
        """Until it answers at all (a refusal is an answer)."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError("the server ended:\n" + self.log.read_text())
            try:
                urllib.request.urlopen(self.url, timeout=5).read(1)
            except urllib.error.HTTPError:
                return self
            except OSError:
                time.sleep(0.2)
            else:
                return self
        raise TimeoutError(self.log.read_text())

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


class App:
    """One open tab."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        self.elsewhere: list[str] = []
        self.unnamed: list[str] = []
        self.refused: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("requestfinished", self._reached)
        page.on("requestfailed", self._reached)
        page.on("response", self._answered)

    def _reached(self, request: Request) -> None:
        """Note every address beyond this machine, be it asked for in vain."""
        if not request.url.startswith(("http://127.0.0.1", "data:", "blob:")):
            self.elsewhere.append(f"{request.url} ({request.failure})")

    def _answered(self, response: Response) -> None:
        """Note every address that the server does not have, or fails at."""
        if response.status >= 400:
            self.refused.append(f"{response.status} {response.url}")

    def leave(self) -> None:
        """Close the tab, and fail if anything went wrong on it that nobody looked at."""
        self.page.close()
        wrong = {
            "the page's scripts failed": self.errors,
            "the page reached out of this machine": self.elsewhere,
            "the page asked for what the server does not have": self.refused,
            "a screen reader has no word for these": self.unnamed,
        }
        if seen := [f"{what}: {'; '.join(which)}" for what, which in wrong.items() if which]:
            raise AssertionError("\n".join(seen))  # pytest explains an assert in test modules only

    def open(self, url: str, ready: str = "camera") -> App:
        """Load the app, switch its semantics on, and wait for the control `ready`."""
        self.page.goto(url)
        placeholder = self.page.locator("flt-semantics-placeholder")
        placeholder.wait_for(state="attached")
        placeholder.evaluate(ENABLE_SEMANTICS)
        self.find(ready).first.wait_for(state="attached")
        return self

    def find(self, identifier: str) -> Locator:
        """The control with this identifier."""
        return self.page.locator(f'[flt-semantics-identifier="{identifier}"]')

    def every(self, prefix: str) -> list[str]:
        """The identifiers on the page that start so, in order."""
        found = self.page.locator(f'[flt-semantics-identifier^="{prefix}"]')
        return [found.nth(i).get_attribute("flt-semantics-identifier") or "" for i in range(found.count())]

    def text(self, identifier: str) -> str:
        """What a control says: its label and everything in it."""
        return self.find(identifier).first.evaluate(
            "e => [e, ...e.querySelectorAll('*')].map(n => n.getAttribute('aria-label') || "
            "[...n.childNodes].filter(c => c.nodeType == 3).map(c => c.data).join('')).filter(t => t).join(' ')"
        )

    def to_the_end(self, identifier: str) -> None:
        """Scroll down as far as it goes once a control is there, so that the bar at the foot does not cover it."""
        self.find(identifier).first.wait_for(state="attached")
        size = self.page.viewport_size
        assert size is not None
        self.page.mouse.move(size["width"] / 2, size["height"] / 2)
        self.page.mouse.wheel(0, 5000)
        self.page.wait_for_timeout(800)

    def outside(self) -> list[str]:
        """What reaches over the page's edges, from where the page stands down to its end."""
        size = self.page.viewport_size
        assert size is not None
        found: list[str] = []
        before = None
        while (now := self.page.locator("flt-semantics-host").first.inner_html()) != before:
            before = now
            found += self.page.evaluate(OUTSIDE)
            self.page.mouse.move(size["width"] / 2, size["height"] / 2)
            self.page.mouse.wheel(0, size["height"] * 0.7)
            self.page.wait_for_timeout(800)
        return list(dict.fromkeys(found))

    def see(self, identifier: str, words: str | re.Pattern[str]) -> None:
        """Wait until a control says these words."""
        self._until(identifier, lambda: self.text(identifier) if self.find(identifier).count() else None, words)

    def copied(self, words: str) -> str:
        """What lies in the clipboard, once it holds these words."""
        return self._until("the clipboard", lambda: self.page.evaluate("navigator.clipboard.readText()"), words)

    def _until(self, what: str, read: Callable[[], str | None], words: str | re.Pattern[str]) -> str:
        """What is read, once it holds these words."""
        wanted = re.compile(re.escape(words)) if isinstance(words, str) else words
        end = time.monotonic() + PATIENCE / 1000
        said = None
        while time.monotonic() < end:
            said = read()
            if said is not None and wanted.search(said):
                return said
            self.page.wait_for_timeout(100)
        raise AssertionError(f"{what} says {said!r}, not {wanted.pattern!r}")

    def gone(self, identifier: str) -> None:
        """Wait until a control is no longer there."""
        expect(self.find(identifier)).to_have_count(0, timeout=PATIENCE)

    def click(self, identifier: str) -> None:
        """A real click in the middle of a control, scrolled to first if it lies below."""
        control = self.find(identifier).first
        control.wait_for(state="attached")
        for _ in range(PATIENCE // 100):  # a button that waits for an answer is disabled until it has come
            if not control.evaluate("e => e.ariaDisabled == 'true' || !!e.querySelector('[aria-disabled=true]')"):
                break
            self.page.wait_for_timeout(100)
        for _ in range(30):
            way, across, middle, step = control.evaluate(WAY)
            if not way:
                break
            self.page.mouse.move(across, middle)
            self.page.mouse.wheel(0, way * step)
            self.page.wait_for_timeout(120)
        self.settle(control)
        box = control.bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def go(self, root: str) -> None:
        """Tap one of the three roots at the foot of the page: scan, rules, settings."""
        self.click(f"root-{root}")

    def settle(self, control: Locator) -> None:
        """Until a control has stopped moving (a sheet slides in, a list scrolls)."""
        before = None
        for _ in range(40):
            box = control.bounding_box()
            if box is not None and box == before:
                return
            before = box
            self.page.wait_for_timeout(80)

    def write(self, identifier: str, words: str) -> None:
        """Type into a text field, and again when the words did not stay.

        With semantics on, the browser's field takes keys before Flutter does; what is typed in between is wiped, on a
        busy machine seconds later."""
        field = self.find(identifier).first
        for _ in range(8):
            taken = field.evaluate("e => e.contains(document.activeElement)")
            self.page.evaluate(TAKING)
            self.click(identifier)
            if not taken:
                with contextlib.suppress(TimeoutError):  # a field of several lines is not dressed anew
                    self.page.wait_for_function("taken", timeout=4000)
            self.page.keyboard.press("Control+A")
            self.page.keyboard.type(words)
            self.page.wait_for_timeout(500)
            if self.page.evaluate("document.activeElement?.value ?? null") == words:
                return
        raise AssertionError(f"{identifier} does not take {words!r}")

    def choose(self, identifier: str, files: Path | list[Path]) -> FileChooser:
        """Click a file button and hand it files."""
        with self.page.expect_file_chooser() as chooser:
            self.click(identifier)
        chooser.value.set_files(files)
        return chooser.value

    def shot(self, name: str) -> None:
        """What a screen reader could not name on the screen is noted, and a picture of it taken for people to look at
        where they asked for one (`tests/journeys/film.py`)."""
        self.unnamed += [f"{name}: {control}" for control in self.page.evaluate(UNNAMED)]
        if FILM not in os.environ:
            return
        SHOTS.mkdir(exist_ok=True)
        before = b""
        for _ in range(20):  # ripples and sheets come to rest, and a busy machine paints late
            self.page.wait_for_timeout(500)
            self.page.evaluate(PAINTED)
            now = self.page.screenshot()
            if now == before:
                break
            before = now
        (SHOTS / f"{name}.png").write_bytes(before)
