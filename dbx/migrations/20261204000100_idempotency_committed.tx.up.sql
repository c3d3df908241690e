ALTER TABLE idempotency ADD COLUMN committed boolean NOT NULL DEFAULT false;
