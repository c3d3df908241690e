"""Signatures of webhooks (Standard Webhooks)."""
from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict, cast

from .errors import WebhookError


class WebhookEvent(TypedDict):
    """A delivery of a webhook. Events of links have link and viewer, all others data."""

    id: str  # the header webhook-id: the event's id, the same in each attempt
    event: str
    timestamp: str
    test: NotRequired[bool]  # a sample of a test
    data: NotRequired[dict[str, Any]]
    link: NotRequired[dict[str, Any]]
    viewer: NotRequired[dict[str, Any]]


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: bytes, *, tolerance: float = 300, now: float | None = None
) -> WebhookEvent:
    """Returns the event of a delivery whose signature is right, and raises WebhookError otherwise.

    Pass the body as it came: one that was parsed and written again has other bytes. The delivery may
    be off the clock by tolerance seconds, in both directions. Compare the event's id with those that
    you have, as a delivery may come twice.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    try:
        event_id, timestamp, signatures = (lower[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise WebhookError(f"the header {missing} is missing") from None
    age = abs((time.time() if now is None else now) - int(timestamp)) if timestamp.isdecimal() else tolerance + 1
    if age > tolerance:
        raise WebhookError("the timestamp is too far from the present")
    signed = f"{event_id}.{timestamp}.".encode() + body
    digest = hmac.new(_key_of(secret), signed, hashlib.sha256).digest()
    wanted = f"v1,{base64.b64encode(digest).decode()}".encode()
    if not any(hmac.compare_digest(wanted, given.encode()) for given in signatures.split(" ")):
        raise WebhookError("no signature is right")
    return cast(WebhookEvent, {**json.loads(body), "id": event_id})


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("the secret is not whsec_ and base64")
    return key
