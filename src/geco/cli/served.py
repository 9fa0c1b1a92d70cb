"""``geco demo --serve``: the demo's page, opened with a fresh token in the part of the address that no server sees."""

from __future__ import annotations

import json
import tempfile
import webbrowser
from pathlib import Path
from urllib.parse import urlencode

from geco.cli.output import say
from geco.errors import GecoError, SettingsError


def serve_demo(applicant: int | None, port: int) -> None:
    """Write the demo as a project into a folder of its own, and serve it until told to stop."""
    try:
        from geco.service.run import listen, log_to_stderr
        from geco.service.settings import Settings
        from geco.service.tokens import Tokens
    except ImportError as error:
        raise GecoError(f"the page needs {error.name}: pip install 'geco-explain[serve,demo]'") from error
    from geco.cli.serve import project_source, run_service
    from geco.demo.written import write_demo

    x, tokens, listening = _x(applicant), Tokens.made_up(), listen("127.0.0.1", port)
    log_to_stderr("warning")
    by_role = {role: token for token, role in tokens.by_token}
    where = f"http://127.0.0.1:{listening.getsockname()[1]}"
    desk = f"{where}/desk/#{urlencode({'token': by_role['staff'], 'row': _number(applicant)})}"
    page = f"{where}/#{urlencode({'token': by_role['applicant'], 'x': json.dumps(x)})}"
    with tempfile.TemporaryDirectory(prefix="geco-demo-") as folder:
        project = write_demo(Path(folder) / "loans")
        source = project_source(project, Path(folder))
        run_service(source, Settings(), tokens, listening, lambda _: _open(page, desk, where))


def _x(applicant: int | None) -> dict[str, object]:
    from geco.demo import LABEL, load

    frame = load().frame.drop(columns=LABEL)
    number = _number(applicant)
    if not 0 <= number < len(frame):
        raise SettingsError(f"there is no applicant {number}; give a number from 0 to {len(frame) - 1}")
    x: dict[str, object] = json.loads(frame.iloc[[number]].to_json(orient="records"))[0]
    return x


def _number(applicant: int | None) -> int:
    from geco.demo import APPLICANT

    return APPLICANT if applicant is None else applicant


def _open(page: str, desk: str, where: str) -> None:
    say(f"the applicant's page: {page}")
    say(f"the officer's desk: {desk}")
    say(f"the validator's evidence: {desk.replace('/desk/', '/evidence/')}")
    say(f"documents of the service: {where}/docs")
    say("stop with Ctrl-C")
    webbrowser.open(page)
