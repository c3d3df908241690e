"""Uses all of the client against the gateway that test/e2e starts, and prints what it got as lines of JSON."""
import asyncio
import json
import os
from typing import Any

from rostrum_client import Client, RostrumError

url, key, source, word = (os.environ[name] for name in ("ROSTRUM_URL", "ROSTRUM_KEY", "SOURCE", "WORD"))


def show(step: str, **values: Any) -> None:
    print(json.dumps({"step": step, **values}), flush=True)


async def tour(client: Client) -> None:
    after = await client.event_cursor()
    made = await client.ingest({"sourceUrl": source}, idempotency_key=f"tour-{word}")
    again = await client.ingest({"sourceUrl": source}, idempotency_key=f"tour-{word}")
    show("ingest", id=made["documentId"], same=made["jobId"] == again["jobId"])
    assert made["jobId"]
    async for event in client.watch_job(made["jobId"]):
        show("event", position=event["position"], kind=event["kind"], status=event["state"]["status"])
    async for change in client.document_changes({"q": word}, after=after):
        if change["documentId"] == made["documentId"] and change["kind"] != "REMOVED":
            show("change", id=change["documentId"])
            break
    note = f"A note on {word} by a colleague.".encode()
    uploaded = (await client.upload([("note.txt", note)]))["files"][0]
    assert uploaded["jobId"]
    state = await client.await_job(uploaded["jobId"])
    show("upload", id=uploaded["documentId"], status=state["status"])
    async for document in client.documents({"q": word}, page_size=1):
        full = await client.document(document["id"])
        show("document", id=document["id"], words=bool(full and word in (full["content"] or "")))
    try:
        await client.ingest({"sourceUrl": ""})
    except RostrumError as refused:
        show("error", code=refused.code, pointer=refused.fields[0]["pointer"] if refused.fields else None)
    try:
        async with Client(url, "rsk_wrong") as stranger:
            async for _ in stranger.watch_job(made["jobId"]):
                break
    except RostrumError as refused:
        show("refusal", code=refused.code)


async def main() -> None:
    async with Client(url, key) as client:
        await tour(client)


asyncio.run(main())
