"""The shared data sets, compared with what pandas makes of them."""

import json

import pandas as pd
import pytest

from conftest import dataset_path
from geco.data.database import Database
from geco.data.domain import Domain

NAMES = ["adult", "adult_mace", "credit", "credit_raw", "compas", "german", "give_me_some_credit"]


def described(name):
    return json.loads(dataset_path("datasets.json").read_text(encoding="utf-8"))[name]


@pytest.mark.parametrize("name", NAMES)
def test_domains_are_the_value_counts_of_pandas(name):
    path = dataset_path(described(name)["file"])
    frame = pd.read_csv(path)
    database = Database.from_file(path)
    domain = Domain.build(database, [[feature] for feature in database.schema.names], database.schema)

    assert (database.rows, database.schema.names) == (len(frame), tuple(frame.columns))
    assert database.dtypes == dict(frame.dtypes)
    for table in domain.tables:
        (feature,) = table.features
        counts = frame[feature].value_counts(dropna=False, sort=False).sort_index()

        assert table.counts[1:].tolist() == counts.tolist()
        assert [v for v in table.values[feature][1:] if v is not None] == counts.index.dropna().tolist()


def test_education_and_its_number_are_one_group_of_16_rows():
    database = Database.from_file(dataset_path("adult.csv.gz"), exclude=["income"])
    groups = [["education", "education_num"]]
    groups += [[name] for name in database.schema.names if name not in groups[0]]
    table = Domain.build(database, groups, database.schema).tables[0]

    assert (table.rows, table.counts.sum()) == (16, database.rows)
