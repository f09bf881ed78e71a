/** What a transaction of several calls does: imports and rewriting. */
export const IMPORT = `
CREATE TYPE heartwood.import_line AS (
  k int, n bigint, id uuid, seq bigint, line text, type text, is_indexed boolean, weight bigint, kind text, from_seq bigint, to_seq bigint
);

-- Takes back what this transaction imported of a thread, and nothing else. It runs as the owner: the application role may not delete frames.
CREATE FUNCTION heartwood.discard(p_thread bigint, p_after bigint) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
  v_tenant text := current_setting('heartwood.tenant');
  v_own xid := pg_current_xact_id()::xid;
BEGIN
  DELETE FROM heartwood.frame AS f WHERE f.tenant = v_tenant AND f.thread = p_thread AND f.seq > p_after AND f.xmin = v_own;
  DELETE FROM heartwood.checkpoint AS c WHERE c.tenant = v_tenant AND c.thread = p_thread AND c.seq > p_after AND c.xmin = v_own;
  DELETE FROM heartwood.thread AS t WHERE t.tenant = v_tenant AND t.number = p_thread AND t.head_seq = -1 AND t.xmin = v_own;
END
$fn$;

-- Imports lines in order. Outcomes, a letter a line: i imported, k known, c conflict, g gap, f not a frame, and - for a thread with a fault.
CREATE FUNCTION heartwood.import_lines(p json, p_threads json, p_lines json) RETURNS json LANGUAGE plpgsql AS $fn$
DECLARE
  v_tenant text := heartwood.enter(p);
  v_threads json[] := ARRAY(SELECT x FROM json_array_elements(p_threads) AS x);
  v_numbers bigint[];
  v_before bigint[];
  v_next bigint[];
  v_counts bigint[];
  v_weights bigint[];
  v_dead boolean[];
  v_heads json[] := ARRAY[]::json[];
  v_outcomes text := '';
  v_outcome text;
  v_line text;
  x json;
  k int;
  t heartwood.thread;
  l heartwood.import_line;
BEGIN
  -- Imports of a tenant take turns: they lock several threads, in any order.
  PERFORM pg_advisory_xact_lock(hashtextextended('heartwood.import/' || v_tenant, 0));
  FOREACH x IN ARRAY v_threads LOOP
    IF (x->>'number') IS NOT NULL THEN
      v_heads := v_heads || 'null'::json;
      v_numbers := v_numbers || (x->>'number')::bigint;
      v_before := v_before || (x->>'before')::bigint;
      v_next := v_next || (x->>'next')::bigint;
      v_counts := v_counts || (x->>'count')::bigint;
      v_weights := v_weights || (x->>'weight')::bigint;
    ELSE
      INSERT INTO heartwood.thread (tenant, thread_id, workspace, title, created, updated, head_seq, message_count, weight, decision_seq, used)
      VALUES (v_tenant, x->>'thread_id', x->>'workspace', x->>'title', (x->>'created')::bigint, 0, -1, 0, 0, -1, 0)
      ON CONFLICT DO NOTHING;
      SELECT * INTO t FROM heartwood.thread AS y WHERE y.tenant = v_tenant AND y.thread_id = x->>'thread_id' FOR UPDATE;
      v_heads := v_heads || CASE WHEN t.head_seq = -1 THEN 'null'::json ELSE heartwood.head_of(t) END;
      v_numbers := v_numbers || t.number;
      v_before := v_before || t.head_seq;
      v_next := v_next || t.head_seq + 1;
      v_counts := v_counts || t.message_count;
      v_weights := v_weights || t.weight;
    END IF;
    v_dead := v_dead || (x->>'is_dead')::boolean;
  END LOOP;
  FOR l IN SELECT * FROM json_populate_recordset(NULL::heartwood.import_line, p_lines) AS y ORDER BY y.n LOOP
    k := l.k + 1;
    v_outcome := NULL;
    IF v_dead[k] THEN
      v_outcomes := v_outcomes || '-';
      CONTINUE;
    ELSIF l.id IS NULL THEN
      v_outcome := 'f';
    ELSIF l.seq < v_next[k] THEN
      SELECT f.line INTO v_line FROM heartwood.frame AS f WHERE f.tenant = v_tenant AND f.thread = v_numbers[k] AND f.seq = l.seq;
      v_outcome := CASE WHEN v_line = l.line THEN 'k' ELSE 'c' END;
    ELSIF EXISTS (SELECT FROM heartwood.frame AS f WHERE f.tenant = v_tenant AND f.id = l.id) THEN
      v_outcome := 'c';
    ELSIF l.seq > v_next[k] THEN
      v_outcome := 'g';
    ELSE
      v_outcome := 'i';
      v_next[k] := l.seq + 1;
      v_counts[k] := v_counts[k] + CASE WHEN l.type IS NULL THEN 1 ELSE 0 END;
      v_weights[k] := v_weights[k] + l.weight;
      INSERT INTO heartwood.frame (tenant, thread, seq, id, type, is_indexed, ordinal, weight, checksum, line)
      VALUES (v_tenant, v_numbers[k], l.seq, l.id, l.type, l.is_indexed, v_counts[k], v_weights[k],
        heartwood.checksum(l.seq, l.id, l.type, v_counts[k], v_weights[k], l.line), l.line);
      IF l.kind IS NOT NULL THEN
        PERFORM heartwood.derive(v_tenant, v_numbers[k], ARRAY[
          (l.seq, l.id, NULL, NULL, NULL, l.type, l.is_indexed, l.weight, NULL, l.kind, NULL, l.from_seq, l.to_seq)::heartwood.draft]);
      END IF;
    END IF;
    v_outcomes := v_outcomes || v_outcome;
    IF v_outcome NOT IN ('i', 'k') THEN
      v_dead[k] := true;
      PERFORM heartwood.discard(v_numbers[k], v_before[k]);
    END IF;
  END LOOP;
  RETURN json_build_object('numbers', v_numbers, 'next', v_next, 'counts', v_counts, 'weights', v_weights, 'heads', v_heads, 'outcomes', v_outcomes);
END
$fn$;

CREATE FUNCTION heartwood.save_head(p json) RETURNS void LANGUAGE plpgsql AS $fn$
DECLARE
  v_tenant text := heartwood.enter(p);
BEGIN
  UPDATE heartwood.thread AS t
  SET updated = (p->>'updated_at_ms')::bigint, head_seq = (p->>'head_seq')::bigint, message_count = (p->>'message_count')::bigint,
    weight = (p->>'weight')::bigint, decision_seq = (p->>'decision_seq')::bigint, used = nextval('heartwood.used')
  WHERE t.tenant = v_tenant AND t.thread_id = p->>'thread_id';
END
$fn$;

CREATE FUNCTION heartwood.replay(p json, p_drafts json) RETURNS void LANGUAGE plpgsql AS $fn$
DECLARE
  v_tenant text := heartwood.enter(p);
BEGIN
  PERFORM heartwood.derive(v_tenant, (p->>'number')::bigint, ARRAY(SELECT d FROM json_populate_recordset(NULL::heartwood.draft, p_drafts) AS d));
END
$fn$;

CREATE FUNCTION heartwood.lock_thread(p json) RETURNS json LANGUAGE plpgsql AS $fn$
DECLARE
  v_tenant text := heartwood.enter(p);
  t heartwood.thread;
BEGIN
  SELECT * INTO t FROM heartwood.thread AS x WHERE x.tenant = v_tenant AND x.thread_id = p->>'thread_id' FOR UPDATE;
  RETURN CASE WHEN FOUND THEN heartwood.head_of(t) END;
END
$fn$;
`;

/** The only way in which frames change and artifacts leave their place. The functions run as the owner, for the tenant of the transaction. */
export const FORGET = `
CREATE FUNCTION heartwood.redact(p json, p_frames json, p_drafts json) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
  v_tenant text := current_setting('heartwood.tenant');
  t heartwood.thread;
  v_count bigint;
  v_leases json;
BEGIN
  SELECT * INTO t FROM heartwood.thread AS x WHERE x.tenant = v_tenant AND x.thread_id = p->>'thread_id' FOR UPDATE;
  UPDATE heartwood.frame AS f
  SET line = coalesce(x.line, f.line), weight = x.weight,
    checksum = heartwood.checksum(f.seq, f.id, f.type, f.ordinal, x.weight, coalesce(x.line, f.line))
  FROM json_to_recordset(p_frames) AS x (seq bigint, id uuid, weight bigint, line text)
  WHERE f.tenant = v_tenant AND f.thread = t.number AND f.seq = x.seq AND f.id = x.id;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  IF v_count <> json_array_length(p_frames) THEN
    RAISE EXCEPTION 'frames' USING ERRCODE = 'HW004';
  END IF;
  INSERT INTO heartwood.redaction (tenant, thread_id, frames) VALUES (v_tenant, t.thread_id, (p->>'frames')::bigint);
  UPDATE heartwood.thread AS x SET workspace = p->>'workspace', title = p->>'title', weight = (p->>'weight')::bigint
  WHERE x.tenant = v_tenant AND x.thread_id = t.thread_id;
  SELECT json_agg(j) INTO v_leases FROM heartwood.job AS j WHERE j.tenant = v_tenant AND j.thread = t.number AND j.runner IS NOT NULL;
  DELETE FROM heartwood.job AS j WHERE j.tenant = v_tenant AND j.thread = t.number;
  DELETE FROM heartwood.checkpoint AS c WHERE c.tenant = v_tenant AND c.thread = t.number;
  PERFORM heartwood.derive(v_tenant, t.number, ARRAY(SELECT d FROM json_populate_recordset(NULL::heartwood.draft, p_drafts) AS d));
  UPDATE heartwood.job AS j SET runner = x.runner, lease_until = x.lease_until
  FROM json_to_recordset(coalesce(v_leases, '[]'::json)) AS x (job_id text, runner text, lease_until bigint)
  WHERE j.tenant = v_tenant AND j.thread = t.number AND j.job_id = x.job_id;
END
$fn$;

CREATE FUNCTION heartwood.rewrite(p json, p_frames json, p_drafts json) RETURNS void LANGUAGE plpgsql AS $fn$
BEGIN
  PERFORM heartwood.enter(p);
  PERFORM heartwood.redact(p, p_frames, p_drafts);
END
$fn$;

CREATE FUNCTION heartwood.drop_artifacts(p_ids text[]) RETURNS void LANGUAGE sql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $fn$
  WITH aside AS (
    DELETE FROM heartwood.damaged_artifact AS d USING unnest(p_ids) AS x (id)
    WHERE d.tenant = current_setting('heartwood.tenant') AND d.id = decode(x.id, 'hex')
  ), gone AS (
    DELETE FROM heartwood.artifact AS a USING unnest(p_ids) AS x (id)
    WHERE a.tenant = current_setting('heartwood.tenant') AND a.id = decode(x.id, 'hex') RETURNING a.tenant, a.id
  )
  INSERT INTO heartwood.redaction (tenant, frames, artifact) SELECT gone.tenant, 0, gone.id FROM gone;
$fn$;

CREATE FUNCTION heartwood.remove_artifacts(p json, p_ids json) RETURNS void LANGUAGE plpgsql AS $fn$
BEGIN
  PERFORM heartwood.enter(p);
  PERFORM heartwood.drop_artifacts(ARRAY(SELECT json_array_elements_text(p_ids)));
END
$fn$;

CREATE FUNCTION heartwood.set_aside(p_id bytea) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
  v_tenant text := current_setting('heartwood.tenant');
BEGIN
  WITH moved AS (
    DELETE FROM heartwood.artifact AS a WHERE a.tenant = v_tenant AND a.id = p_id AND sha256(a.bytes) <> a.id RETURNING a.bytes
  )
  INSERT INTO heartwood.damaged_artifact (tenant, id, bytes) SELECT v_tenant, p_id, moved.bytes FROM moved;
  RETURN FOUND;
END
$fn$;
`;

export const ARTIFACTS = `
CREATE FUNCTION heartwood.put_artifacts(p json, p_artifacts json) RETURNS void LANGUAGE plpgsql AS $fn$
DECLARE
  v_tenant text := heartwood.enter(p);
  v_id bytea;
  v_bytes bytea;
BEGIN
  FOR v_id, v_bytes IN SELECT decode(x.id, 'hex'), decode(x.bytes, 'base64') FROM json_to_recordset(p_artifacts) AS x (id text, bytes text) ORDER BY 1 LOOP
    PERFORM heartwood.set_aside(v_id);
    INSERT INTO heartwood.artifact (tenant, id, bytes) VALUES (v_tenant, v_id, v_bytes) ON CONFLICT DO NOTHING;
  END LOOP;
END
$fn$;

CREATE FUNCTION heartwood.get_artifact(p json) RETURNS bytea LANGUAGE plpgsql AS $fn$
DECLARE
  v_tenant text := heartwood.enter(p);
BEGIN
  RETURN (SELECT a.bytes FROM heartwood.artifact AS a WHERE a.tenant = v_tenant AND a.id = decode(p->>'id', 'hex'));
END
$fn$;

CREATE FUNCTION heartwood.move_damaged(p json) RETURNS boolean LANGUAGE plpgsql AS $fn$
BEGIN
  PERFORM heartwood.enter(p);
  RETURN heartwood.set_aside(decode(p->>'id', 'hex'));
END
$fn$;
`;
