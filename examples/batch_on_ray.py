"""A batch on Ray: the explainer in Ray's object store, a class for ``map_batches``, answers as Parquet.

pip install 'geco-explain[demo,ray]'
python examples/batch_on_ray.py
"""

import os
import tempfile
from pathlib import Path

import pyarrow.parquet as pq
import ray

import geco
import geco.demo

APPLICANTS = 200


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    frame, model, database, program = geco.demo.load()
    geco.Explainer(model, database, program, target="good").save(folder / "credit.geco")
    applicants = frame.drop(columns="risk").assign(customer=range(5000, 6000)).head(APPLICANTS)
    applicants.to_parquet(folder / "applicants.parquet", index=False)

    ray.init(log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}})
    saved, model_ref = ray.put((folder / "credit.geco").read_bytes()), ray.put(model)
    explained = ray.data.read_parquet(str(folder / "applicants.parquet")).map_batches(
        geco.ray.Explain,
        fn_constructor_args=(saved, model_ref),
        fn_constructor_kwargs={"key": "customer", "k": 3},
        batch_format="pyarrow",
        batch_size=50,
        concurrency=1,
    )
    explained.map_batches(geco.ray.answers, batch_format="pyarrow").write_parquet(str(folder / "answers"))
    print(f"{pq.read_table(folder / 'answers').num_rows} answers in {folder / 'answers'}")
    ray.shutdown()


if __name__ == "__main__":
    main()
