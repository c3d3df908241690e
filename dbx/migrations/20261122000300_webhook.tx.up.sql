CREATE TABLE webhook (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  link_id text,
  url text NOT NULL,
  label text NOT NULL,
  is_active boolean NOT NULL,
  events {{.JSON}},
  ordered boolean NOT NULL,
  secret {{.Bytes}},
  former_secret {{.Bytes}},
  former_until {{.Time}},
  consecutive_failures integer NOT NULL,
  paused_reason text,
  paused_at {{.Time}},
  probes integer NOT NULL,
  probe_at {{.Time}},
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE INDEX webhook_workspace ON webhook (workspace_id, created_at, id);
--bun:split
CREATE TABLE webhook_delivery (
  id text PRIMARY KEY,
  workspace_id text NOT NULL,
  webhook_id text NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
  event_id text NOT NULL,
  event text NOT NULL,
  test boolean NOT NULL,
  position bigint NOT NULL,
  status text NOT NULL,
  attempts {{.JSON}} NOT NULL,
  tries integer NOT NULL,
  turn integer NOT NULL,
  next_attempt_at {{.Time}},
  waiting_since {{.Time}},
  link_id text,
  line text,
  created_at {{.Time}} NOT NULL,
  delivered_at {{.Time}}
);
--bun:split
CREATE INDEX webhook_delivery_webhook ON webhook_delivery (webhook_id, created_at, id);
--bun:split
CREATE INDEX webhook_delivery_waiting ON webhook_delivery (webhook_id, position) WHERE waiting_since IS NOT NULL;
--bun:split
CREATE INDEX webhook_delivery_line ON webhook_delivery (webhook_id, line, position) WHERE line IS NOT NULL;
