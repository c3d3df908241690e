// A receiver of webhooks with Hono, which also runs on Deno, Bun and workers, with the secret in WEBHOOK_SECRET.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { WebhookError, verifyWebhook } from 'rostrum-client/webhook';

const { PORT = '3000', WEBHOOK_SECRET = '' } = process.env;
const app = new Hono();

app.post('/hook', async (context) => {
  try {
    const event = await verifyWebhook(
      WEBHOOK_SECRET,
      context.req.raw.headers,
      await context.req.text(),
    );
    console.log(event.id, event.event);
    return context.body(null, 204);
  } catch (error) {
    if (!(error instanceof WebhookError)) {
      throw error;
    }
    return context.text(error.message, 401);
  }
});

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });
