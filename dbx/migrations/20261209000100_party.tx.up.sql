-- Companies and executives as rows, with every name by which they are known. The rows that are attributed to them get their ids at the start
-- of the program (party.Service.Backfill).
CREATE TABLE company (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  name text NOT NULL,
  name_key text NOT NULL,
  is_own boolean NOT NULL DEFAULT false,
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE UNIQUE INDEX company_name ON company (workspace_id, name_key);
--bun:split
CREATE TABLE company_alias (
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  name_key text NOT NULL,
  party_id text NOT NULL REFERENCES company (id) ON DELETE CASCADE,
  name text NOT NULL,
  source text NOT NULL,
  created_at {{.Time}} NOT NULL,
  PRIMARY KEY (workspace_id, name_key)
);
--bun:split
CREATE INDEX company_alias_party ON company_alias (party_id);
--bun:split
CREATE TABLE executive (
  id text PRIMARY KEY,
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  name text NOT NULL,
  name_key text NOT NULL,
  created_at {{.Time}} NOT NULL
);
--bun:split
CREATE UNIQUE INDEX executive_name ON executive (workspace_id, name_key);
--bun:split
CREATE TABLE executive_alias (
  workspace_id text NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
  name_key text NOT NULL,
  party_id text NOT NULL REFERENCES executive (id) ON DELETE CASCADE,
  name text NOT NULL,
  source text NOT NULL,
  created_at {{.Time}} NOT NULL,
  PRIMARY KEY (workspace_id, name_key)
);
--bun:split
CREATE INDEX executive_alias_party ON executive_alias (party_id);
--bun:split
ALTER TABLE document ADD COLUMN company_id text REFERENCES company (id) ON DELETE SET NULL;
--bun:split
ALTER TABLE document ADD COLUMN executive_id text REFERENCES executive (id) ON DELETE SET NULL;
--bun:split
CREATE INDEX document_company_party ON document (company_id, created_at, id) WHERE company_id IS NOT NULL;
--bun:split
CREATE INDEX document_executive_party ON document (executive_id, created_at, id) WHERE executive_id IS NOT NULL;
--bun:split
CREATE INDEX document_company_missing ON document (workspace_id, company) WHERE company_id IS NULL AND company <> '';
--bun:split
CREATE INDEX document_executive_missing ON document (workspace_id, executive) WHERE executive_id IS NULL AND executive <> '';
--bun:split
ALTER TABLE signal ADD COLUMN company_id text REFERENCES company (id) ON DELETE SET NULL;
--bun:split
ALTER TABLE signal ADD COLUMN executive_id text REFERENCES executive (id) ON DELETE SET NULL;
--bun:split
CREATE INDEX signal_company_party ON signal (company_id, created_at, id) WHERE company_id IS NOT NULL;
--bun:split
CREATE INDEX signal_executive_party ON signal (executive_id, created_at, id) WHERE executive_id IS NOT NULL;
--bun:split
CREATE INDEX signal_company_missing ON signal (workspace_id, company) WHERE company_id IS NULL AND company <> '';
--bun:split
CREATE INDEX signal_executive_missing ON signal (workspace_id, executive) WHERE executive_id IS NULL AND executive <> '';
--bun:split
CREATE TABLE insight_party (
  insight_id text NOT NULL REFERENCES insight (id) ON DELETE CASCADE,
  party_id text NOT NULL,
  PRIMARY KEY (insight_id, party_id)
);
--bun:split
CREATE INDEX insight_party_party ON insight_party (party_id);
