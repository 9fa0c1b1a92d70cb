"""Millions of explanations: batches that survive being killed, on one machine, on Ray and on Spark.

    schema.py     the published Arrow schema: one row per x with its answers, and what each column means
    records.py    Explanation ▶ record, plain values without a clock; failed ones with their reason
    tables.py     records ▶ Arrow tables: one row per x, one row per answer
    formats.py    the same as Parquet, JSON lines or CSV, always in the same bytes
    inputs.py     Parquet, CSV, a folder, SQL, a frame or an Arrow reader ▶ rows, one at a time;
                  csvrows.py, parquetrows.py and queries.py are the readers of each
    shipped.py    what travels to a worker: the saved explainer and its model
    parts.py      one part of the input explained and written; all engines do this and nothing else
    folder.py     the output: whole files only, a journal of parts, the manifest, _SUCCESS; durable.py one file
    tasks.py      which parts are to be done
    local.py      worker processes of this machine; worker.py is what runs in one of them
    watching.py   how far it is, on a terminal or in a log
    explaining.py an Arrow table in, its answers out; on_ray.py and on_spark.py hand it to those engines
    rechecking.py an earlier batch under a new model
    asked.py      what is asked about each row
    batch.py      ``geco.batch``: puts them together

Every row is explained alone, with the same seed, and parts are ranges of the input of a fixed size. So the files are
the same whoever made them, and however often that was interrupted.
"""
