"""The paper's experiments (Sec. 6 and the appendix), one file each, and what runs them.

harness.py runs units of work and keeps their records, problems.py has data, models and judge, the others are one
experiment each; claims.toml lists what the paper says, page.py puts it beside what was measured.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
