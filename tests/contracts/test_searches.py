"""Every Search that exists passes the contract."""

from __future__ import annotations

import geco
from contracts.search_contract import SearchContract


class TestGenetic(SearchContract):
    method = geco.Genetic()


class TestGeneticOnTheListing(SearchContract):
    method = geco.Genetic(representation="listing")


class TestGeneticMutatingTheBestOnly(SearchContract):
    method = geco.Genetic(mutate="best")


class TestASmallGenetic(SearchContract):
    method = geco.Genetic(q=10, m_init=2, m_mut=1)


class TestWit(SearchContract):
    method = geco.Wit()
    irreducible = False


class TestWitInSmallRounds(SearchContract):
    method = geco.Wit(rows=2)
    irreducible = False


class TestCertifai(SearchContract):
    method = geco.Certifai(generations=20)
    irreducible = False


class TestSimCF(SearchContract):
    method = geco.SimCF()
    irreducible = False
