"""What a request may fail with."""
from __future__ import annotations

from typing import Any, TypedDict

_PASSING_STATUS = {0, 429, 502, 503, 504}
_PASSING_CODES = {"unavailable", "idempotency_in_flight", "rate_limited"}


class InvalidField(TypedDict):
    """A field of a request that the gateway does not accept."""

    pointer: str  # a JSON pointer: #/sourceUrl
    msg: str
    type: str


class RostrumError(Exception):
    """Why the gateway refused a request, or did not answer it.

    code is a value of ErrorCode in lower case, such as not_found; network without an answer, and
    bad_answer for one that is not the gateway's. status is that of HTTP, 0 without an answer. fields
    says what is wrong with each field, with the code validation_failed.
    """

    def __init__(self, message: str, code: str, status: int, fields: list[InvalidField] | None = None) -> None:
        super().__init__(message)
        self.message, self.code, self.status, self.fields = message, code, status, fields or []

    @property
    def is_passing(self) -> bool:
        """Whether the same request may succeed later."""
        return self.status in _PASSING_STATUS or self.code in _PASSING_CODES


class WebhookError(Exception):
    """Why a delivery is not the gateway's, or is too old. Answer it with 401."""


def error_of(status: int, body: Any) -> RostrumError:
    """Returns the error that a GraphQL response or a problem document tells."""
    if not isinstance(body, dict):
        return RostrumError(f"the gateway answers {status}", "bad_answer", status)
    first: dict[str, Any] = (body.get("errors") or [{}])[0]
    extensions = first.get("extensions") or {}
    return RostrumError(
        first.get("message") or body.get("detail") or f"the gateway answers {status}",
        extensions.get("code") or body.get("code") or "bad_answer",
        status,
        extensions.get("errors"),
    )
