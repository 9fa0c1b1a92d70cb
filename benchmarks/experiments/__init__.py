"""The paper's experiments (Sec. 6 and the appendix), one file each, and what runs them.

harness.py runs units of work and keeps their records, problems.py has data, models and judge, the others are one
experiment each; claims.toml lists what the paper says, page.py puts it beside what was measured.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
# The benchmarks beside this folder are scripts, imported by their bare names.
sys.path.append(str(Path(__file__).resolve().parents[1]))
