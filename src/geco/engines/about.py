"""What the answers of a batch depend on: the beginning of its manifest, and what a resumed one is compared by."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from typing import Any

from geco import __version__
from geco.engines.inputs import Source
from geco.engines.schema import FORMAT, arrow
from geco.engines.shipped import Shipped


def about_batch(
    shipped: Shipped, source: Source, key: str | None, question: Mapping[str, Any], format: str, part_rows: int
) -> dict[str, Any]:
    """What the answers depend on, for the manifest; neither engine nor workers nor any clock."""
    import numpy

    versions = {"geco": __version__, "python": platform.python_version(), "numpy": numpy.__version__}
    if format == "parquet":
        versions["pyarrow"] = arrow().__version__
    about = {
        "schema": FORMAT,
        **shipped.digests,
        "input": source.said,
        "key": key,
        "question": dict(question),
        "target": shipped.explainer.model.goal.words,
        "confirmed": shipped.explainer.verify,
        "format": format,
        "part_rows": part_rows,
        "versions": versions,
    }
    return dict(json.loads(json.dumps(about)))
