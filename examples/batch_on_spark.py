"""A batch on Spark: ``geco.spark.explain`` on a data frame, one row per answer as Parquet.

pip install 'geco-explain[demo,spark]'      (and a Java runtime)
python examples/batch_on_spark.py
"""

import os
import sys
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession

import geco
import geco.demo

APPLICANTS = 200


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    frame, model, database, program = geco.demo.load()
    geco.Explainer(model, database, program, target="good").save(folder / "credit.geco")
    applicants = frame.drop(columns="risk").assign(customer=range(5000, 6000)).head(APPLICANTS)
    applicants.to_parquet(folder / "applicants.parquet", index=False)

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # workers run the same Python
    spark = SparkSession.builder.master("local[2]").getOrCreate()
    df = spark.read.parquet(str(folder / "applicants.parquet"))
    explained = geco.spark.explain(df, folder / "credit.geco", model, key="customer", k=3)
    geco.spark.answers(explained).write.parquet(str(folder / "answers"))
    print(f"{spark.read.parquet(str(folder / 'answers')).count()} answers in {folder / 'answers'}")
    spark.stop()


if __name__ == "__main__":
    main()
