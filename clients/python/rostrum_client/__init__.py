"""A client of Rostrum's graph."""
from .client import Client
from .errors import InvalidField, RostrumError, WebhookError
from .operations import Operation
from .webhook import WebhookEvent, verify_webhook

__version__ = "1.0.0"
__all__ = ["Client", "InvalidField", "Operation", "RostrumError", "WebhookError", "WebhookEvent", "verify_webhook"]
