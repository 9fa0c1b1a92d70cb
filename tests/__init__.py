"""The test suite, by the folders of src/geco; the benchmarks take their judges from tests.oracles."""
