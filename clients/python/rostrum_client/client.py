"""The client of a workspace."""
from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import Any, NotRequired, TypedDict, TypeVar, cast

import httpx

from . import operations as graph
from .errors import RostrumError
from .transport import follow, send

Data = TypeVar("Data")


class UploadOptions(TypedDict):
    """What applies to all files of an upload, as in CreateDocumentsInput."""

    mediaProvenance: NotRequired[graph.MediaProvenance]
    visibility: NotRequired[graph.Visibility]
    embargoedUntil: NotRequired[str]


class Client:
    """A client of one workspace. Use it in "async with", which ends its connections.

    A request is sent up to tries times: again after a lost connection, and when the gateway has no
    time for it, after the pause that it asks for. A mutation has an Idempotency-Key and so runs once
    however often it is sent. timeout is how many seconds one try may take, longer than a text model.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        tries: int = 8,
        timeout: float = 300,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._tries = tries
        self._http = httpx.AsyncClient(
            base_url=url.rstrip("/"),
            headers={"X-API-Key": key},
            timeout=httpx.Timeout(30, read=timeout, write=timeout),
            transport=transport,
        )

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def request(
        self,
        operation: graph.Operation[Data],
        variables: Mapping[str, Any] | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> Data:
        """Runs a query or mutation. It raises RostrumError also if only a part of the data is missing."""
        body = {"query": operation.text, "variables": variables or {}}
        return cast(Data, await self._post(idempotency_key, lambda: {"json": body}))

    async def subscribe(
        self, operation: graph.Operation[Data], variables: Mapping[str, Any] | None = None
    ) -> AsyncIterator[Data]:
        """Follows a subscription, and goes on after its last event when the connection was lost.

        Its events need cursor or position, and the subscription a variable after, for none to be missed.
        """
        async for data in follow(self._http, operation.text, dict(variables or {})):
            yield data

    async def documents(
        self,
        filter: graph.DocumentFilter | None = None,
        *,
        order_by: graph.DocumentOrder | None = None,
        page_size: int = 50,
    ) -> AsyncIterator[graph.DocumentFields]:
        """Yields the documents that match, page by page as they are needed."""
        variables: graph.DocumentsVariables = {"filter": filter, "orderBy": order_by, "first": page_size}
        while True:
            page = (await self.request(graph.DOCUMENTS, variables))["documents"]
            for document in page["nodes"]:
                yield document
            if not page["pageInfo"]["hasNextPage"]:
                return
            variables["after"] = page["pageInfo"]["endCursor"]

    async def document(self, id: str) -> graph.DocumentDataDocument | None:
        """Returns a document with its text, or None."""
        return (await self.request(graph.DOCUMENT, {"id": id}))["document"]

    async def event_cursor(self) -> str:
        """Returns the position of the newest event. Read it before a list that is to be kept up to date."""
        return (await self.request(graph.EVENT_CURSOR))["eventCursor"]

    async def ingest(
        self, input: graph.IngestDocumentInput, *, idempotency_key: str | None = None
    ) -> graph.IngestDocumentDataIngestDocument:
        """Makes a document of an address. jobId is the job to watch, None for a known document."""
        data = await self.request(graph.INGEST_DOCUMENT, {"input": input}, idempotency_key=idempotency_key)
        return data["ingestDocument"]

    async def upload(
        self,
        files: Sequence[tuple[str, bytes]],
        options: UploadOptions | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> graph.CreateDocumentsDataCreateDocuments:
        """Makes documents of files, each a name and its bytes. Those that were refused have a refusal."""
        variables = {"input": dict(options or {}, files=[None] * len(files))}
        form = {
            "operations": json.dumps({"query": graph.CREATE_DOCUMENTS.text, "variables": variables}),
            "map": json.dumps({str(i): [f"variables.input.files.{i}"] for i in range(len(files))}),
        }
        parts = {str(i): file for i, file in enumerate(files)}
        data = await self._post(idempotency_key, lambda: {"data": form, "files": parts})
        return cast(graph.CreateDocumentsData, data)["createDocuments"]

    async def watch_job(
        self, job_id: str, *, after: int | None = None
    ) -> AsyncIterator[graph.JobProgressDataJobProgress]:
        """Yields the state of a job, then each of its events once and in order until it ends.

        With after it goes on after that position.
        """
        last = -1 if after is None else after
        async for data in self.subscribe(graph.JOB_PROGRESS, {"jobId": job_id, "after": after}):
            event = data["jobProgress"]
            is_known = event["kind"] == "SNAPSHOT" and event["position"] <= last  # again after a lost stream
            last = event["position"]
            if not is_known:
                yield event
            if event["kind"] == "END":
                return

    async def await_job(self, job_id: str) -> graph.JobProgressDataJobProgressState:
        """Watches a job to its end and returns its last state. It raises if the job did not complete."""
        state: graph.JobProgressDataJobProgressState | None = None
        async for event in self.watch_job(job_id):
            state = event["state"]
        if state and state["status"] == "COMPLETED":
            return state
        reason = state and (state["errorMessage"] or state["cancelReason"] or state["status"])
        code = state and state["errorCode"]
        raise RostrumError(f"the job {job_id} has no result: {reason or 'it is unknown'}", code or "job", 200)

    async def document_changes(
        self, filter: graph.DocumentFilter | None = None, *, after: str | None = None
    ) -> AsyncIterator[graph.DocumentChangesDataDocumentChanges]:
        """Yields the changes of a list of documents. After STALE the list must be read again.

        Without after it begins with the next change.
        """
        variables = {"filter": filter, "after": after or await self.event_cursor()}
        async for data in self.subscribe(graph.DOCUMENT_CHANGES, variables):
            yield data["documentChanges"]

    async def create_webhook(
        self, input: graph.CreateWebhookInput, *, idempotency_key: str | None = None
    ) -> graph.CreateWebhookDataCreateWebhookWebhook:
        """Creates a webhook whose deliveries are signed with signingSecret, which is shown once."""
        variables = {"input": dict(input, signing=True)}
        data = await self.request(graph.CREATE_WEBHOOK, variables, idempotency_key=idempotency_key)
        return data["createWebhook"]["webhook"]

    async def test_webhook(
        self, webhook_id: str, event: graph.EventType
    ) -> graph.TestWebhookDataTestWebhookAttempt:
        """Sends a sample of an event, and returns how the receiver answered."""
        variables = {"input": {"webhookId": webhook_id, "event": event}}
        return (await self.request(graph.TEST_WEBHOOK, variables))["testWebhook"]["attempt"]

    async def delete_webhook(self, webhook_id: str) -> None:
        """Deletes a webhook."""
        await self.request(graph.DELETE_WEBHOOK, {"input": {"webhookId": webhook_id}})

    async def _post(self, idempotency_key: str | None, content: Any) -> Any:
        headers = {
            "Accept": "application/graphql-response+json",
            "Idempotency-Key": idempotency_key or str(uuid.uuid4()),  # queries ignore it
        }
        return await send(self._http, lambda: {"headers": headers, **content()}, self._tries)
