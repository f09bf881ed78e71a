/**
 * `append`: everything that an append decides, in one call. The thread's row is locked first, so its seqs have no gap. A refusal is returned, not
 * raised, and comes before the first write.
 *
 * A draft's line is `a`, its seq, and `z`; an imported line is `a` alone. `type` is null for a message.
 */
export const APPEND = `
CREATE TYPE heartwood.draft AS (
  n bigint, id uuid, at bigint, a text, z text, type text, is_indexed boolean, weight bigint,
  job text, kind text, is_end boolean, from_seq bigint, to_seq bigint
);

CREATE FUNCTION heartwood.checksum(seq bigint, id uuid, type text, ordinal bigint, weight bigint, line text) RETURNS bytea
LANGUAGE sql STABLE AS $fn$
  SELECT pg_catalog.substr(
    pg_catalog.sha256(
      pg_catalog.convert_to(
        seq::text || ' ' || id::text || ' ' || coalesce(type, '') || ' ' || ordinal::text || ' ' || weight::text || ' ' || line, 'UTF8')),
    1, 8)
$fn$;

CREATE FUNCTION heartwood.head_of(t heartwood.thread) RETURNS json LANGUAGE sql STABLE AS $fn$
  SELECT pg_catalog.json_build_object(
    'number', t.number, 'thread_id', t.thread_id, 'workspace', t.workspace, 'title', t.title, 'created_at_ms', t.created, 'updated_at_ms', t.updated,
    'head_seq', t.head_seq, 'message_count', t.message_count, 'weight', t.weight, 'decision_seq', t.decision_seq)
$fn$;

CREATE FUNCTION heartwood.now_of(p json) RETURNS bigint LANGUAGE sql VOLATILE AS $fn$
  SELECT coalesce((p->>'now')::bigint, (extract(epoch FROM pg_catalog.clock_timestamp()) * 1000)::bigint)
$fn$;

-- Checkpoints and jobs of frames, in the order of n, which is their seq. A checkpoint's ordinals are fixed at its own frame. If a job is spawned twice,
-- the first spawn counts; the end of a job that is not open is ignored.
CREATE FUNCTION heartwood.derive(p_tenant text, p_thread bigint, p_drafts heartwood.draft[]) RETURNS void LANGUAGE plpgsql AS $fn$
DECLARE
  d heartwood.draft;
  v_from heartwood.frame;
  v_to heartwood.frame;
  v_ordinals bigint[];
BEGIN
  FOR d IN SELECT * FROM unnest(p_drafts) AS x WHERE x.kind IS NOT NULL OR x.job IS NOT NULL ORDER BY x.n LOOP
    IF d.is_end THEN
      DELETE FROM heartwood.job AS j WHERE j.tenant = p_tenant AND j.thread = p_thread AND j.job_id = d.job;
    ELSIF d.job IS NOT NULL THEN
      INSERT INTO heartwood.job (tenant, thread, job_id, kind, seq) VALUES (p_tenant, p_thread, d.job, d.kind, d.n) ON CONFLICT DO NOTHING;
    ELSE
      v_ordinals := ARRAY[NULL, NULL];
      IF d.to_seq < d.n AND d.from_seq <= d.to_seq THEN
        SELECT * INTO v_from FROM heartwood.frame AS f WHERE f.tenant = p_tenant AND f.thread = p_thread AND f.seq = d.from_seq;
        SELECT * INTO v_to FROM heartwood.frame AS f WHERE f.tenant = p_tenant AND f.thread = p_thread AND f.seq = d.to_seq;
        IF v_to.type IS NULL THEN
          v_ordinals := ARRAY[v_from.ordinal + CASE WHEN v_from.type IS NULL THEN 0 ELSE 1 END, v_to.ordinal];
        END IF;
      END IF;
      INSERT INTO heartwood.checkpoint (tenant, thread, kind, to_seq, seq, from_ordinal, to_ordinal)
      VALUES (p_tenant, p_thread, d.kind, d.to_seq, d.n, v_ordinals[1], v_ordinals[2]);
    END IF;
  END LOOP;
END
$fn$;

CREATE FUNCTION heartwood.append(p json, p_drafts json) RETURNS json LANGUAGE plpgsql AS $fn$
DECLARE
  v_tenant text := heartwood.enter(p);
  v_passes boolean := coalesce((p->>'passes')::boolean, false);
  v_expected bigint := (p->>'expected_seq')::bigint;
  v_begins boolean := coalesce((p->>'begins')::boolean, false);
  v_drafts heartwood.draft[];
  t heartwood.thread;
  v_base bigint := -1;
  v_is_there boolean;
  v_ids uuid[] := ARRAY[]::uuid[];
  v_known uuid[];
  v_answer json;
  v_lease json;
  v_same uuid[] := CASE WHEN (p->'same') IS NOT NULL THEN ARRAY(SELECT json_array_elements_text(p->'same')::uuid) END;
BEGIN
  v_drafts := ARRAY(SELECT d FROM json_populate_recordset(NULL::heartwood.draft, p_drafts) AS d ORDER BY d.n);
  SELECT * INTO t FROM heartwood.thread AS x WHERE x.tenant = v_tenant AND x.thread_id = p->>'thread_id' FOR UPDATE;
  v_is_there := FOUND;
  IF v_is_there THEN
    v_base := t.head_seq;
  END IF;
  v_ids := ARRAY(SELECT d.id FROM unnest(v_drafts) AS d);
  v_known := ARRAY(SELECT f.id FROM heartwood.frame AS f WHERE f.tenant = v_tenant AND f.id = ANY (v_ids));

  -- The answer of an earlier try was lost, and its frames are here.
  IF (p->>'is_repeated')::boolean AND v_is_there AND cardinality(v_known) = cardinality(v_ids) AND cardinality(v_ids) > 0
    AND (p->>'stop') IS NULL AND NOT EXISTS (
      SELECT FROM unnest(v_drafts) AS d JOIN heartwood.frame AS f ON f.tenant = v_tenant AND f.id = d.id
      WHERE f.thread <> t.number OR NOT (f.line = d.a || f.seq || d.z OR v_passes AND f.type IS NULL AND right(f.line, length(d.z)) = d.z)
    ) THEN
    SELECT json_agg(json_build_array(f.id, f.seq) ORDER BY f.seq) INTO v_answer
    FROM unnest(v_drafts) AS d JOIN heartwood.frame AS f ON f.tenant = v_tenant AND f.id = d.id WHERE f.line = d.a || f.seq || d.z;
    RETURN json_build_object('head', heartwood.head_of(t), 'placed', coalesce(v_answer, '[]'::json));
  END IF;

  IF NOT v_is_there AND NOT v_begins THEN
    RETURN json_build_object('refused', 'thread_not_found');
  ELSIF v_is_there AND v_begins THEN
    RETURN json_build_object('refused', 'thread_exists');
  ELSIF NOT v_passes AND v_expected <> v_base THEN
    RETURN json_build_object('refused', 'seq_conflict', 'seq', v_base);
  ELSIF (p->>'expected_decision_seq')::bigint <> coalesce(t.decision_seq, -1) THEN
    RETURN json_build_object('refused', 'decision_conflict', 'seq', coalesce(t.decision_seq, -1));
  ELSIF v_is_there AND (p->'held') IS NOT NULL AND NOT EXISTS (
    SELECT FROM heartwood.job AS j
    WHERE j.tenant = v_tenant AND j.thread = t.number AND j.job_id = p->'held'->>'job_id' AND j.runner = p->'held'->>'runner'
  ) THEN
    RETURN json_build_object('refused', 'lease_lost');
  END IF;

  IF cardinality(v_known) > 0 THEN
    SELECT json_agg(json_build_object('n', x.n, 'line', CASE WHEN x.may_pass THEN x.line END) ORDER BY x.n) INTO v_answer
    FROM (
      SELECT d.n, d.id, f.line, v_passes AND f.thread = t.number AND f.type IS NULL AND d.type IS NULL AS may_pass, right(f.line, length(d.z)) = d.z AS is_same
      FROM unnest(v_drafts) AS d JOIN heartwood.frame AS f ON f.tenant = v_tenant AND f.id = d.id
    ) AS x
    WHERE NOT coalesce(x.may_pass AND (x.is_same OR x.id = ANY (v_same)), false);
    IF v_answer IS NOT NULL THEN
      RETURN json_build_object('refused', 'frame_conflict', 'known', v_answer);
    END IF;
  END IF;
  IF (p->>'stop') IS NOT NULL THEN
    RETURN json_build_object('refused', 'stop');
  END IF;

  IF cardinality(v_known) < cardinality(v_ids) THEN
    IF v_passes AND v_expected <> v_base THEN
      RETURN json_build_object('refused', 'seq_conflict', 'seq', v_base);
    END IF;
    IF cardinality(v_known) > 0 THEN
      v_drafts := ARRAY(SELECT d FROM unnest(v_drafts) AS d WHERE d.id <> ALL (v_known) ORDER BY d.n);
    END IF;
    IF v_base + cardinality(v_drafts) >= 4294967296 THEN
      RETURN json_build_object('refused', 'full');
    END IF;
    IF NOT v_is_there THEN
      INSERT INTO heartwood.thread (tenant, thread_id, workspace, title, created, updated, head_seq, message_count, weight, decision_seq, used)
      VALUES (v_tenant, p->>'thread_id', p->>'workspace', p->>'title', (v_drafts[1]).at, 0, -1, 0, 0, -1, nextval('heartwood.used'))
      ON CONFLICT DO NOTHING RETURNING * INTO t;
      IF NOT FOUND THEN
        RETURN json_build_object('refused', 'thread_exists');
      END IF;
    END IF;
    INSERT INTO heartwood.frame (tenant, thread, seq, id, type, is_indexed, ordinal, weight, checksum, line)
    SELECT v_tenant, t.number, x.seq, x.id, x.type, x.is_indexed, x.ordinal, x.weight,
      heartwood.checksum(x.seq, x.id, x.type, x.ordinal, x.weight, x.line), x.line
    FROM (
      SELECT d.id, d.type, d.is_indexed, v_base + d.place AS seq, d.a || (v_base + d.place) || d.z AS line,
        t.message_count + count(*) FILTER (WHERE d.type IS NULL) OVER (ORDER BY d.place) AS ordinal,
        t.weight + (sum(d.weight) OVER (ORDER BY d.place))::bigint AS weight
      FROM unnest(v_drafts) WITH ORDINALITY AS d (n, id, at, a, z, type, is_indexed, weight, job, kind, is_end, from_seq, to_seq, place)
    ) AS x;
    UPDATE heartwood.thread AS x
    SET head_seq = v_base + cardinality(v_drafts), message_count = t.message_count + s.messages, weight = t.weight + s.weight,
      decision_seq = coalesce(v_base + s.decision, t.decision_seq), updated = (v_drafts[cardinality(v_drafts)]).at, used = nextval('heartwood.used')
    FROM (
      SELECT count(*) FILTER (WHERE d.type IS NULL) AS messages, sum(d.weight)::bigint AS weight, max(d.place) FILTER (WHERE d.type IS NOT NULL) AS decision
      FROM unnest(v_drafts) WITH ORDINALITY AS d (n, id, at, a, z, type, is_indexed, weight, job, kind, is_end, from_seq, to_seq, place)
    ) AS s
    WHERE x.tenant = v_tenant AND x.thread_id = t.thread_id
    RETURNING x.* INTO t;
    IF (p->>'derives')::boolean THEN
      PERFORM heartwood.derive(v_tenant, t.number, ARRAY(
        SELECT (v_base + d.place, d.id, d.at, NULL, NULL, d.type, d.is_indexed, d.weight, d.job, d.kind, d.is_end, d.from_seq, d.to_seq)::heartwood.draft
        FROM unnest(v_drafts) WITH ORDINALITY AS d (n, id, at, a, z, type, is_indexed, weight, job, kind, is_end, from_seq, to_seq, place)
      ));
    END IF;
  END IF;

  FOR v_lease IN SELECT * FROM json_array_elements(coalesce(p->'leases', '[]'::json)) LOOP
    UPDATE heartwood.job AS j SET runner = v_lease->>'runner', lease_until = heartwood.now_of(p) + (v_lease->>'lease_ms')::bigint
    WHERE j.tenant = v_tenant AND j.thread = t.number AND j.job_id = v_lease->>'job_id' AND j.seq > v_base;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'lease' USING ERRCODE = 'HW003', DETAIL = v_lease->>'job_id';
    END IF;
  END LOOP;
  RETURN json_build_object('head', heartwood.head_of(t), 'base', v_base, 'known', v_known);
END
$fn$;

-- One frame without conditions of its own, which is what most appends are. Plain arguments and few statements, since an append takes mostly processor
-- time. Returns null, and has written nothing, if there is more to decide: \`append\` says what.
CREATE FUNCTION heartwood.append_one(
  p_tenant text, p_version int, p_wait text, p_thread_id text, p_expected bigint, p_id uuid, p_at bigint, p_a text, p_z text, p_type text,
  p_is_indexed boolean, p_weight bigint
) RETURNS json LANGUAGE plpgsql AS $fn$
DECLARE
  t heartwood.thread;
  v_line text;
BEGIN
  PERFORM heartwood.enter_as(p_tenant, p_version, p_wait);
  UPDATE heartwood.thread AS x
  SET head_seq = x.head_seq + 1, message_count = x.message_count + CASE WHEN p_type IS NULL THEN 1 ELSE 0 END, weight = x.weight + p_weight,
    decision_seq = CASE WHEN p_type IS NULL THEN x.decision_seq ELSE x.head_seq + 1 END, updated = p_at, used = nextval('heartwood.used')
  WHERE x.tenant = p_tenant AND x.thread_id = p_thread_id AND (p_expected IS NULL OR x.head_seq = p_expected) AND x.head_seq < 4294967294
    AND NOT EXISTS (SELECT FROM heartwood.frame AS f WHERE f.tenant = p_tenant AND f.id = p_id)
  RETURNING x.* INTO t;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  v_line := p_a || t.head_seq || p_z;
  INSERT INTO heartwood.frame (tenant, thread, seq, id, type, is_indexed, ordinal, weight, checksum, line)
  VALUES (p_tenant, t.number, t.head_seq, p_id, p_type, p_is_indexed, t.message_count, t.weight,
    heartwood.checksum(t.head_seq, p_id, p_type, t.message_count, t.weight, v_line), v_line);
  RETURN json_build_array(t.workspace, t.title, t.created, t.head_seq, t.message_count, t.weight, t.decision_seq);
END
$fn$;

-- Messages of any threads, which do not depend on each other, in the order of n. Of several threads
-- none is waited for, so groups cannot lock each other out. What
-- is not in the answer was not appended: \`append\` says why. The threads are locked first, since only a later statement sees what was committed until then.
CREATE FUNCTION heartwood.append_group(p_tenant text, p_version int, p_wait text, p_drafts text) RETURNS json LANGUAGE plpgsql AS $fn$
DECLARE
  v_drafts json := p_drafts::json;
  v_ids text[] := ARRAY(SELECT DISTINCT d->>'thread_id' FROM json_array_elements(v_drafts) AS d);
  v_threads bigint[];
  v_answer json;
BEGIN
  PERFORM heartwood.enter_as(p_tenant, p_version, p_wait);
  IF cardinality(v_ids) = 1 THEN
    v_threads := ARRAY(SELECT t.number FROM heartwood.thread AS t WHERE t.tenant = p_tenant AND t.thread_id = v_ids[1] FOR UPDATE);
  ELSE
    v_threads := ARRAY(
      SELECT t.number FROM heartwood.thread AS t WHERE t.tenant = p_tenant AND t.thread_id = ANY (v_ids) FOR UPDATE SKIP LOCKED);
  END IF;
  WITH d AS MATERIALIZED (
    SELECT t.number, t.thread_id, t.workspace, t.title, t.created, t.decision_seq, x.n, x.id, x.at, x.weight AS own, x.a, x.z,
      t.head_seq + row_number() OVER w AS seq, t.message_count + row_number() OVER w AS ordinal, t.weight + (sum(x.weight) OVER w)::bigint AS weight
    FROM (
      SELECT DISTINCT ON (y.id) y.* FROM json_to_recordset(v_drafts) AS y (n int, thread_id text, id uuid, at bigint, a text, z text, weight bigint)
      ORDER BY y.id, y.n
    ) AS x JOIN heartwood.thread AS t ON t.tenant = p_tenant AND t.thread_id = x.thread_id AND t.number = ANY (v_threads)
    WHERE t.head_seq < 4294960000 AND NOT EXISTS (SELECT FROM heartwood.frame AS f WHERE f.tenant = p_tenant AND f.id = x.id)
    WINDOW w AS (PARTITION BY t.number ORDER BY x.n)
  ), i AS (
    INSERT INTO heartwood.frame (tenant, thread, seq, id, type, is_indexed, ordinal, weight, checksum, line)
    SELECT p_tenant, d.number, d.seq, d.id, NULL, false, d.ordinal, d.weight,
      heartwood.checksum(d.seq, d.id, NULL, d.ordinal, d.weight, d.a || d.seq || d.z), d.a || d.seq || d.z
    FROM d
  ), u AS (
    UPDATE heartwood.thread AS t
    SET head_seq = s.seq, message_count = s.ordinal, weight = s.weight, updated = s.at, used = nextval('heartwood.used')
    FROM (SELECT DISTINCT ON (d.number) d.* FROM d ORDER BY d.number, d.seq DESC) AS s
    WHERE t.tenant = p_tenant AND t.thread_id = s.thread_id
  )
  SELECT json_agg(json_build_array(d.n, d.seq, d.ordinal, d.weight, d.workspace, d.title, d.created, d.decision_seq)) INTO v_answer FROM d;
  RETURN coalesce(v_answer, '[]'::json);
END
$fn$;
`;
