"""Sends requests and reads streams, again after a failure that passes."""
from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx

from .errors import RostrumError, error_of

_LONGEST_PAUSE = 60.0  # a longer Retry-After is an error at once
_LONGEST_SILENCE = 45.0  # three times the interval of the gateway's comments on an idle stream
_MOST_TRIES = 15  # how often in a row a lost stream is opened again, which takes two minutes

Arguments = Callable[[], dict[str, Any]]


async def send(http: httpx.AsyncClient, arguments: Arguments, tries: int) -> Any:
    """Posts a request to /graphql and returns its data.

    arguments are those of httpx, made for each try as a try reads its files to their end.
    """
    for attempt in range(1, tries + 1):
        pause = backoff(attempt)
        try:
            response = await http.post("/graphql", **arguments())
        except httpx.TransportError as cause:
            failed = RostrumError(f"{http.base_url} is not reached: {cause!r}", "network", 0)
        else:
            body = _parse(response)
            if response.is_success and isinstance(body, dict) and not body.get("errors"):
                return body["data"]
            failed = error_of(response.status_code, body)
            pause = _retry_after(response, pause)
        if not failed.is_passing or attempt == tries or pause > _LONGEST_PAUSE:
            raise failed
        await asyncio.sleep(pause)


async def follow(http: httpx.AsyncClient, text: str, variables: dict[str, Any]) -> AsyncIterator[Any]:
    """Yields the data of a subscription. After a lost connection it goes on after the last event.

    The cursor or position of each event becomes the variable after.
    """
    variables, tries = dict(variables), 0
    while True:
        tries, pause = tries + 1, backoff(tries + 1)
        try:
            async with _open(http, text, variables) as response:
                if response.status_code != 200:
                    pause = _retry_after(response, pause)
                    await response.aread()
                    raise error_of(response.status_code, _parse(response))
                async for name, payload in _read_events(response):
                    if name == "complete":
                        return
                    if payload.get("errors"):
                        raise error_of(200, payload)
                    tries = 0
                    event = next(iter(payload["data"].values()))
                    position = event.get("cursor", event.get("position"))
                    if position is not None:
                        variables["after"] = position
                    yield payload["data"]
            failed = RostrumError("the stream ended", "network", 0)
        except httpx.TransportError as cause:
            failed = RostrumError(f"the stream was lost: {cause!r}", "network", 0)
        except RostrumError as refused:
            failed = refused
        if not failed.is_passing or tries > _MOST_TRIES or pause > _LONGEST_PAUSE:
            raise failed
        await asyncio.sleep(pause)


def _open(http: httpx.AsyncClient, text: str, variables: dict[str, Any]) -> Any:
    return http.stream(
        "POST",
        "/graphql",
        json={"query": text, "variables": variables},
        headers={"Accept": "text/event-stream"},
        timeout=httpx.Timeout(30, read=_LONGEST_SILENCE),
    )


async def _read_events(response: httpx.Response) -> AsyncIterator[tuple[str, Any]]:
    """Yields the name and the data of each event; the gateway writes data in one line."""
    name = ""
    async for line in response.aiter_lines():
        field, _, value = line.rstrip("\n").partition(":")
        if field == "event":
            name = value.strip()
        elif field == "data":
            yield name, json.loads(value) if value.strip() else {}


def _parse(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None


def _retry_after(response: httpx.Response, least: float) -> float:
    text = response.headers.get("Retry-After", "")
    return max(float(text), least) if text.isdecimal() else least


def backoff(attempt: int) -> float:
    """Returns the seconds to wait after so many tries, half of it by chance."""
    return float(min(2 ** (attempt - 2), 10)) * random.uniform(0.5, 1)
