"""Tokens: who asks. An applicant may ask about the x that it sends; staff may see rows of D and figures, too."""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from geco.errors import SettingsError

Role = Literal["applicant", "staff"]
ROLES: tuple[Role, ...] = ("applicant", "staff")
SHORTEST = 16
TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]+")


@dataclass(frozen=True)
class Caller:
    """Who sent a request: a role, and a name that tells two tokens apart without being one."""

    role: Role
    name: str

    def may(self, role: Role) -> bool:
        return role == "applicant" or self.role == "staff"


@dataclass(frozen=True)
class Tokens:
    """All tokens; none at all means that everybody is an applicant."""

    by_token: tuple[tuple[str, Role], ...]

    @property
    def open(self) -> bool:
        return not self.by_token

    @classmethod
    def made_up(cls) -> Tokens:
        """One for each role, different at every start."""
        return cls(tuple((secrets.token_urlsafe(24), role) for role in ROLES))

    @classmethod
    def of_text(cls, text: str, where: str) -> Tokens:
        """Lines or comma-separated entries such as ``staff 3f7c…``.

        Examples
        --------
        >>> Tokens.of_text("staff aaaaaaaaaaaaaaaaaaaa", "the environment").caller("Bearer aaaaaaaaaaaaaaaaaaaa").role
        'staff'
        """
        entries = [line.split("#")[0].split() for line in re.split(r"[\n,]", text)]
        return cls(tuple(_entry(words, where) for words in entries if words))._not_empty(where)

    @classmethod
    def of_file(cls, path: Path) -> Tokens:
        try:
            return cls.of_text(path.read_text(encoding="utf-8"), str(path))
        except (OSError, UnicodeDecodeError) as error:
            raise SettingsError(f"cannot read the tokens in {path}: {error}") from error

    def caller(self, authorization: str | None) -> Caller | None:
        """Who has the token in this header; every token is compared, each in constant time."""
        if self.open:
            return Caller("applicant", "anyone")
        scheme, _, given = (authorization or "").partition(" ")
        found: Caller | None = None
        for number, (token, role) in enumerate(self.by_token):
            if hmac.compare_digest(token.encode(), given.strip().encode("utf-8", "surrogatepass")):
                found = Caller(role, f"{role} {number}")
        return found if scheme.lower() == "bearer" else None

    def _not_empty(self, where: str) -> Tokens:
        if self.open:
            raise SettingsError(f"{where} has no token; write lines such as 'staff TOKEN' and 'applicant TOKEN'")
        return self


def _entry(words: list[str], where: str) -> tuple[str, Role]:
    if len(words) != 2 or words[0] not in ROLES or not TOKEN.fullmatch(words[1]):
        raise SettingsError(f"{where}: each entry is a role (applicant or staff) and a token, such as 'staff TOKEN'")
    if len(words[1]) < SHORTEST:
        raise SettingsError(f"{where}: a token of {len(words[1])} characters can be guessed; give at least {SHORTEST}")
    return words[1], words[0]
