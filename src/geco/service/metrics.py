"""Metrics in the text form of Prometheus: a handful of counts, so no library for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
MEDIA = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Latency by route and status, and sums that only grow.

    Examples
    --------
    >>> metrics = Metrics()
    >>> metrics.answered("/v1/explain", "POST", 200, 0.02)
    >>> [line for line in metrics.text({}).splitlines() if "_count{" in line]
    ['geco_request_seconds_count{route="/v1/explain",method="POST",status="200"} 1']
    """

    def __init__(self) -> None:
        self.model_rows = 0
        self.retried = 0
        self._counts: Counter[tuple[str, str, int]] = Counter()
        self._seconds: Counter[tuple[str, str, int]] = Counter()
        self._buckets: Counter[tuple[str, str, int, float]] = Counter()

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        key = (route, method, status)
        self._counts[key] += 1
        self._seconds[key] += seconds  # type: ignore[assignment]
        for most in BUCKETS:
            if seconds <= most:
                self._buckets[(*key, most)] += 1

    def text(self, gauges: dict[str, tuple[str, float]]) -> str:
        """Everything; ``gauges`` are further figures: name ▶ (help, value)."""
        lines = ["# HELP geco_request_seconds Time to answer.", "# TYPE geco_request_seconds histogram"]
        for key in sorted(self._counts):
            lines.extend(self._lines(key))
        lines.extend(_figure("geco_model_rows_total", "counter", "Rows the model was asked about.", self.model_rows))
        for name, (words, value) in gauges.items():
            lines.extend(_figure(name, "counter" if name.endswith("_total") else "gauge", words, value))
        return "\n".join(lines) + "\n"

    def _lines(self, key: tuple[str, str, int]) -> Iterator[str]:
        labels = f'route="{key[0]}",method="{key[1]}",status="{key[2]}"'
        for most in BUCKETS:
            yield f'geco_request_seconds_bucket{{{labels},le="{most:g}"}} {self._buckets[(*key, most)]}'
        yield f'geco_request_seconds_bucket{{{labels},le="+Inf"}} {self._counts[key]}'
        yield f"geco_request_seconds_sum{{{labels}}} {self._seconds[key]:.6f}"
        yield f"geco_request_seconds_count{{{labels}}} {self._counts[key]}"


def _figure(name: str, kind: str, words: str, value: float) -> list[str]:
    return [f"# HELP {name} {words}", f"# TYPE {name} {kind}", f"{name} {value:g}"]
