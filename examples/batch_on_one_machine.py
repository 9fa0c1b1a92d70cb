"""A batch on one machine: a thousand applicants, two worker processes, answers as Parquet.

python examples/batch_on_one_machine.py

Stop it with Ctrl-C and start it again: it goes on where it was.
"""

from pathlib import Path

import geco
import geco.demo


def main() -> None:
    frame, model, database, program = geco.demo.load()
    explainer = geco.Explainer(model, database, program, target="good")
    applicants = frame.drop(columns="risk").assign(customer=range(5000, 6000))
    out = Path("answers")
    print(geco.batch(explainer, applicants, out, key="customer", k=3, workers=2, part_rows=100, resume=True))
    print(f"one row per applicant in {out / 'rows'}, one row per answer in {out / 'answers'}")


if __name__ == "__main__":  # worker processes read this file again
    main()
