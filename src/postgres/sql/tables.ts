/**
 * Tables of version 1. `tenant` is the first column of every key, and row level security hides the rows of other tenants even from the owner.
 *
 * - `frame` and `artifact` are the truth; the application role may only read and insert them.
 * - `frame.type` is null for a message. `ordinal` and `weight` count all messages up to the frame, so a place is found by binary search. `checksum`
 *   covers the row. Foreign texts, except lines, are in JSON string encoding, without the quotes: a text cannot contain NUL.
 * - `thread` is also the counter of its frames: an append locks its row. No index has a column that an append changes, so its row is
 *   updated within its page. `used` orders threads by their last append.
 * - `job` contains jobs that were spawned and have not ended.
 * - `redaction` records every rewriting of frames and every removed artifact; `damaged_artifact` has bytes that no longer matched their id.
 */
export const TABLES = `
CREATE TABLE heartwood.thread (
  tenant text COLLATE "C" NOT NULL CHECK (tenant <> ''), thread_id text COLLATE "C" NOT NULL, number bigint GENERATED ALWAYS AS IDENTITY,
  workspace text NOT NULL, title text, created bigint NOT NULL, updated bigint NOT NULL,
  head_seq bigint NOT NULL, message_count bigint NOT NULL, weight bigint NOT NULL, decision_seq bigint NOT NULL, used bigint NOT NULL,
  PRIMARY KEY (tenant, thread_id)
) WITH (fillfactor = 50);
CREATE INDEX thread_number ON heartwood.thread (tenant, number);
CREATE SEQUENCE heartwood.used;

CREATE TABLE heartwood.frame (
  tenant text COLLATE "C" NOT NULL CHECK (tenant <> ''), thread bigint NOT NULL, seq bigint NOT NULL, id uuid NOT NULL,
  type text COLLATE "C", is_indexed boolean NOT NULL, ordinal bigint NOT NULL, weight bigint NOT NULL, checksum bytea NOT NULL, line text NOT NULL,
  PRIMARY KEY (tenant, thread, seq),
  CONSTRAINT frame_id UNIQUE (tenant, id)
);
CREATE INDEX frame_type ON heartwood.frame (tenant, thread, type, seq) WHERE is_indexed;

CREATE TABLE heartwood.checkpoint (
  tenant text COLLATE "C" NOT NULL, thread bigint NOT NULL, kind text COLLATE "C" NOT NULL, to_seq bigint NOT NULL, seq bigint NOT NULL,
  from_ordinal bigint, to_ordinal bigint,
  PRIMARY KEY (tenant, thread, kind, to_seq, seq)
);

CREATE TABLE heartwood.job (
  tenant text COLLATE "C" NOT NULL, thread bigint NOT NULL, job_id text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL, seq bigint NOT NULL,
  runner text COLLATE "C", lease_until bigint,
  PRIMARY KEY (tenant, thread, job_id)
);
CREATE INDEX job_by_id ON heartwood.job (tenant, job_id);

CREATE TABLE heartwood.artifact (
  tenant text COLLATE "C" NOT NULL CHECK (tenant <> ''), id bytea NOT NULL CHECK (octet_length(id) = 32), bytes bytea NOT NULL,
  PRIMARY KEY (tenant, id)
);
CREATE TABLE heartwood.damaged_artifact (
  tenant text COLLATE "C" NOT NULL, id bytea NOT NULL, number bigint GENERATED ALWAYS AS IDENTITY, moved_at timestamptz NOT NULL DEFAULT now(),
  bytes bytea NOT NULL,
  PRIMARY KEY (tenant, id, number)
);
CREATE TABLE heartwood.redaction (
  tenant text COLLATE "C" NOT NULL, number bigint GENERATED ALWAYS AS IDENTITY, thread_id text COLLATE "C", frames bigint NOT NULL, artifact bytea,
  redacted_by text NOT NULL DEFAULT session_user, redacted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, number)
);

DO $do$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['thread', 'frame', 'checkpoint', 'job', 'artifact', 'damaged_artifact', 'redaction'] LOOP
    EXECUTE format('ALTER TABLE heartwood.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE heartwood.%I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format(
      'CREATE POLICY tenant ON heartwood.%I USING (tenant = current_setting(''heartwood.tenant'', true)) '
      'WITH CHECK (tenant = current_setting(''heartwood.tenant'', true))', name);
  END LOOP;
END
$do$;
`;

/**
 * What the application role may do; run by every migration. `enter` begins every call: it takes the role, so that nothing depends on who connects,
 * and lasts until the transaction ends, so that a pooler may give the connection to others afterwards. A call of a transaction names it: otherwise a
 * call after a lost connection could run on its own.
 */
export function grantsFor(role: string, version: number): string {
  return `
CREATE OR REPLACE FUNCTION heartwood.enter_as(p_tenant text, p_version int, p_wait text) RETURNS void LANGUAGE plpgsql AS $fn$
BEGIN
  IF p_version <> ${version} THEN
    RAISE EXCEPTION 'version' USING ERRCODE = 'HW001', DETAIL = '${version}';
  END IF;
  PERFORM set_config('heartwood.tenant', p_tenant, true), set_config('lock_timeout', p_wait, true), set_config('role', '${role}', true);
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
END
$fn$;
CREATE OR REPLACE FUNCTION heartwood.enter(p json) RETURNS text LANGUAGE plpgsql AS $fn$
DECLARE
  v_tenant text := p->>'tenant';
BEGIN
  IF (p->>'tx') IS NOT NULL AND (p->>'tx') IS DISTINCT FROM current_setting('heartwood.transaction', true) THEN
    RAISE EXCEPTION 'transaction' USING ERRCODE = 'HW002';
  END IF;
  PERFORM heartwood.enter_as(v_tenant, (p->>'version')::int, p->>'wait');
  RETURN v_tenant;
END
$fn$;
REVOKE ALL ON ALL TABLES IN SCHEMA heartwood FROM PUBLIC, ${role};
REVOKE ALL ON ALL SEQUENCES IN SCHEMA heartwood FROM PUBLIC, ${role};
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA heartwood FROM PUBLIC;
GRANT USAGE ON SCHEMA heartwood TO ${role};
GRANT USAGE ON SEQUENCE heartwood.used TO ${role};
GRANT SELECT, INSERT ON heartwood.frame, heartwood.artifact, heartwood.checkpoint, heartwood.thread TO ${role};
GRANT UPDATE (updated, head_seq, message_count, weight, decision_seq, used) ON heartwood.thread TO ${role};
GRANT SELECT, INSERT, UPDATE, DELETE ON heartwood.job TO ${role};
GRANT SELECT ON heartwood.damaged_artifact, heartwood.redaction, heartwood.migration TO ${role};
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA heartwood TO ${role};
`;
}
