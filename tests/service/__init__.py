"""Tests of the service; a package, so that its conftest does not hide the one above."""
