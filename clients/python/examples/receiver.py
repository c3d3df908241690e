"""A receiver of webhooks with FastAPI: uvicorn receiver:app, with the secret in WEBHOOK_SECRET."""
import os

from fastapi import FastAPI, Request, Response

from rostrum_client import WebhookError, verify_webhook

app = FastAPI()
secret = os.environ["WEBHOOK_SECRET"]


@app.post("/hook")
async def hook(request: Request) -> Response:
    try:
        event = verify_webhook(secret, request.headers, await request.body())
    except WebhookError as refused:
        return Response(str(refused), status_code=401)
    print(event["id"], event["event"], flush=True)
    return Response(status_code=204)
