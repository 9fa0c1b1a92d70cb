"""pdf: a page as PDF, by whatever on this machine can print one: WeasyPrint, or a Chromium without a window."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from geco.errors import ReportError
from geco.files import replace_file

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "microsoft-edge")
SECONDS = 120.0


def write_pdf(html: str, path: Path) -> None:
    """Print the page; the file is whole or absent.

    Raises
    ------
    ReportError : nothing here can print, or what can did not.
    """
    with TemporaryDirectory() as folder:
        page, printed = Path(folder) / "page.html", Path(folder) / "page.pdf"
        page.write_text(html, encoding="utf-8")
        if not _by_weasyprint(page, printed):
            _by_browser(page, printed)
        try:
            replace_file(path, printed.read_bytes())
        except OSError as error:
            raise ReportError(f"cannot write {path}: {error.strerror or error}") from error


def _by_weasyprint(page: Path, printed: Path) -> bool:
    try:
        from weasyprint import HTML
    except (ImportError, OSError):  # not there, or without the libraries it draws with
        return False
    HTML(filename=str(page)).write_pdf(str(printed))
    return True


def _by_browser(page: Path, printed: Path) -> None:
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise ReportError(
            "nothing here prints PDF: install Chromium or the package weasyprint, or print the page from a browser"
        )
    quiet = ["--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []  # Chromium refuses root otherwise
    command = [browser, "--headless", *quiet, *root, f"--user-data-dir={page.parent / 'profile'}"]
    command += ["--no-pdf-header-footer", f"--print-to-pdf={printed}", page.as_uri()]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise ReportError(f"{browser} did not print the page within {SECONDS:.0f} seconds") from error
    if done.returncode or not printed.is_file():
        said = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["nothing"]
        raise ReportError(f"{browser} did not print the page; it said: {said[0]}")
