"""One Chromium for all tests. A page that logs an error, or asks for anything but its own file, fails its test."""

import os
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

#: Where Chromium is; CHROMIUM names another place.
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
#: Milliseconds after which a page hangs: large ones take seconds where other work runs beside them.
PATIENCE = 60_000


def pytest_sessionstart():
    if shutil.which(CHROMIUM) is None:
        pytest.exit(f"no {CHROMIUM}: `apt-get install chromium`, or say where it is with CHROMIUM=", returncode=2)


@pytest.fixture(scope="session")
def browser():
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield started
        started.close()


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    asked, told = [], []
    context.route(lambda url: not url.startswith(("file:", "data:")), lambda route: route.abort())
    context.on("request", lambda request: asked.append(request.url))
    context.on("console", lambda message: told.append(message.text))
    context.on("weberror", lambda error: told.append(str(error.error)))
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    yield opened
    context.close()
    files = {url.split("#")[0] for url in asked if not url.startswith("data:")}
    assert len(files) == 1, f"asked for more than its own file: {files}"
    assert next(iter(files)).startswith("file:")
    assert told == []
