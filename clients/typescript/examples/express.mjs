// A receiver of webhooks with Express, with the secret in WEBHOOK_SECRET.
import express from 'express';
import { WebhookError, verifyWebhook } from 'rostrum-client/webhook';

const { PORT = '3000', WEBHOOK_SECRET = '' } = process.env;
const app = express();

// The signature is one of the bytes, which express.json() would not keep.
app.post('/hook', express.raw({ type: '*/*', limit: '5mb' }), async (request, response) => {
  try {
    const event = await verifyWebhook(WEBHOOK_SECRET, request.headers, request.body);
    console.log(event.id, event.event);
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookError)) {
      throw error;
    }
    response.status(401).send(error.message);
  }
});

app.listen(Number(PORT), '127.0.0.1');
