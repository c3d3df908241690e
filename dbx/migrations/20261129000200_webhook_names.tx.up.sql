ALTER TABLE webhook_delivery RENAME COLUMN turn TO generation;
--bun:split
ALTER TABLE webhook_delivery RENAME COLUMN line TO ordering_key;
--bun:split
DROP INDEX webhook_delivery_line;
--bun:split
CREATE INDEX webhook_delivery_ordering ON webhook_delivery (webhook_id, ordering_key, position) WHERE ordering_key IS NOT NULL;
