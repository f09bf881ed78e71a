/** Reading. Each call sets the tenant, so a read is one round trip too. */
export const READ = `
CREATE FUNCTION heartwood.head(p json) RETURNS json LANGUAGE plpgsql AS $fn$
DECLARE
  v_tenant text := heartwood.enter(p);
BEGIN
  RETURN (SELECT heartwood.head_of(t) FROM heartwood.thread AS t WHERE t.tenant = v_tenant AND t.thread_id = p->>'thread_id');
END
$fn$;

CREATE FUNCTION heartwood.heads(p json) RETURNS json LANGUAGE plpgsql AS $fn$
DECLARE
  v_tenant text := heartwood.enter(p);
BEGIN
  RETURN json_build_object(
    'heads', (
      SELECT coalesce(json_agg(heartwood.head_of(t) ORDER BY t.used DESC), '[]'::json)
      FROM (SELECT * FROM heartwood.thread AS x WHERE x.tenant = v_tenant ORDER BY x.used DESC LIMIT (p->>'limit')::bigint) AS t
    ),
    'total', (SELECT count(*) FROM heartwood.thread AS t WHERE t.tenant = v_tenant));
END
$fn$;

CREATE FUNCTION heartwood.sizes(p_tenant text, p_thread bigint, p_from bigint, p_to bigint, p_limit bigint, p_order text)
RETURNS TABLE (place bigint, seq bigint, size bigint) LANGUAGE plpgsql AS $fn$
#variable_conflict use_column
BEGIN
  IF p_order = 'descending' THEN
    RETURN QUERY SELECT row_number() OVER (ORDER BY f.seq DESC), f.seq, octet_length(f.line)::bigint FROM heartwood.frame AS f
      WHERE f.tenant = p_tenant AND f.thread = p_thread AND f.seq BETWEEN p_from AND p_to ORDER BY f.seq DESC LIMIT p_limit;
  ELSE
    RETURN QUERY SELECT row_number() OVER (ORDER BY f.seq), f.seq, octet_length(f.line)::bigint FROM heartwood.frame AS f
      WHERE f.tenant = p_tenant AND f.thread = p_thread AND f.seq BETWEEN p_from AND p_to ORDER BY f.seq LIMIT p_limit;
  END IF;
END
$fn$;

-- With sizes known without reading the lines, a page of long lines ends early, but never before its first line.
CREATE FUNCTION heartwood.frames(p json) RETURNS SETOF heartwood.frame LANGUAGE plpgsql AS $fn$
DECLARE
  v_tenant text := heartwood.enter(p);
  v_from bigint := (p->>'from_seq')::bigint;
  v_to bigint := (p->>'to_seq')::bigint;
  v_limit bigint := (p->>'limit')::bigint;
  v_bytes bigint := (p->>'most_bytes')::bigint;
  v_types text[] := CASE WHEN (p->'types') IS NOT NULL THEN ARRAY(SELECT json_array_elements_text(p->'types')) END;
  v_thread bigint;
BEGIN
  SELECT t.number INTO v_thread FROM heartwood.thread AS t WHERE t.tenant = v_tenant AND t.thread_id = p->>'thread_id';
  IF v_thread IS NULL THEN
    RETURN;
  ELSIF v_types IS NOT NULL AND (p->>'order') = 'descending' THEN
    RETURN QUERY SELECT x.* FROM unnest(v_types) AS y (type), LATERAL (
      SELECT f.* FROM heartwood.frame AS f
      WHERE f.tenant = v_tenant AND f.thread = v_thread AND f.type = y.type AND f.is_indexed AND f.seq BETWEEN v_from AND v_to
      ORDER BY f.seq DESC LIMIT v_limit
    ) AS x ORDER BY x.seq DESC LIMIT v_limit;
  ELSIF v_types IS NOT NULL THEN
    RETURN QUERY SELECT x.* FROM unnest(v_types) AS y (type), LATERAL (
      SELECT f.* FROM heartwood.frame AS f
      WHERE f.tenant = v_tenant AND f.thread = v_thread AND f.type = y.type AND f.is_indexed AND f.seq BETWEEN v_from AND v_to
      ORDER BY f.seq LIMIT v_limit
    ) AS x ORDER BY x.seq LIMIT v_limit;
  ELSE
    IF v_bytes IS NOT NULL THEN
      SELECT CASE WHEN (p->>'order') = 'descending' THEN min(x.seq) ELSE v_from END, CASE WHEN (p->>'order') = 'descending' THEN v_to ELSE max(x.seq) END
      INTO v_from, v_to
      FROM (
        SELECT s.place, s.seq, sum(s.size) OVER (ORDER BY s.place) AS total
        FROM heartwood.sizes(v_tenant, v_thread, v_from, v_to, v_limit, p->>'order') AS s
      ) AS x
      WHERE x.total <= v_bytes OR x.place = 1;
    END IF;
    IF (p->>'order') = 'descending' THEN
      RETURN QUERY SELECT f.* FROM heartwood.frame AS f
        WHERE f.tenant = v_tenant AND f.thread = v_thread AND f.seq BETWEEN v_from AND v_to ORDER BY f.seq DESC LIMIT v_limit;
    ELSE
      RETURN QUERY SELECT f.* FROM heartwood.frame AS f
        WHERE f.tenant = v_tenant AND f.thread = v_thread AND f.seq BETWEEN v_from AND v_to ORDER BY f.seq LIMIT v_limit;
    END IF;
  END IF;
END
$fn$;

CREATE FUNCTION heartwood.checkpoints(p json) RETURNS TABLE (
  seq bigint, id uuid, type text, ordinal bigint, weight bigint, checksum bytea, line text, from_ordinal bigint, to_ordinal bigint
) LANGUAGE plpgsql AS $fn$
#variable_conflict use_column
DECLARE
  v_tenant text := heartwood.enter(p);
BEGIN
  RETURN QUERY SELECT f.seq, f.id, f.type, f.ordinal, f.weight, f.checksum, f.line, c.from_ordinal, c.to_ordinal
  FROM heartwood.checkpoint AS c JOIN heartwood.frame AS f ON f.tenant = c.tenant AND f.thread = c.thread AND f.seq = c.seq
  WHERE c.tenant = v_tenant AND c.kind = p->>'kind' AND c.seq <= (p->>'frame_seq_at_most')::bigint
    AND c.to_seq BETWEEN (p->>'to_seq_at_least')::bigint AND (p->>'to_seq_at_most')::bigint
    AND c.thread = (SELECT t.number FROM heartwood.thread AS t WHERE t.tenant = v_tenant AND t.thread_id = p->>'thread_id')
  ORDER BY c.to_seq DESC, c.seq DESC LIMIT (p->>'limit')::bigint;
END
$fn$;

-- The smallest seq in a range at which so many messages, or so much weight, have been reached; the end of the range if none is before.
CREATE FUNCTION heartwood.first_reached(p_thread heartwood.thread, p_low bigint, p_high bigint, p_ordinal bigint, p_weight bigint) RETURNS bigint
LANGUAGE plpgsql AS $fn$
DECLARE
  v_low bigint := p_low;
  v_high bigint := p_high;
  v_middle bigint;
  f heartwood.frame;
BEGIN
  WHILE v_low < v_high LOOP
    v_middle := (v_low + v_high) / 2;
    SELECT * INTO f FROM heartwood.frame AS x WHERE x.tenant = p_thread.tenant AND x.thread = p_thread.number AND x.seq = v_middle;
    IF f.ordinal >= p_ordinal OR f.weight >= p_weight THEN
      v_high := v_middle;
    ELSE
      v_low := v_middle + 1;
    END IF;
  END LOOP;
  RETURN v_low;
END
$fn$;

-- Targets are [kind, value]; an answer is [ordinal, seq, id, weight_before, weight], or null.
CREATE FUNCTION heartwood.places(p json, p_targets json) RETURNS json LANGUAGE plpgsql AS $fn$
DECLARE
  v_tenant text := heartwood.enter(p);
  t heartwood.thread;
  f heartwood.frame;
  v_target json;
  v_value bigint;
  v_ordinal bigint;
  v_seq bigint;
  v_found json[] := ARRAY[]::json[];
BEGIN
  SELECT * INTO t FROM heartwood.thread AS x WHERE x.tenant = v_tenant AND x.thread_id = p->>'thread_id';
  FOR v_target IN SELECT * FROM json_array_elements(p_targets) LOOP
    v_ordinal := NULL;
    v_seq := NULL;
    IF t.number IS NOT NULL AND (v_target->>0) = 'id' THEN
      SELECT x.seq INTO v_seq FROM heartwood.frame AS x WHERE x.tenant = v_tenant AND x.id = (v_target->>1)::uuid AND x.thread = t.number;
    ELSIF t.number IS NOT NULL THEN
      v_value := (v_target->>1)::bigint;
      IF (v_target->>0) = 'ordinal' THEN
        v_ordinal := v_value;
      ELSIF (v_target->>0) = 'seq' THEN
        SELECT x.ordinal INTO v_ordinal FROM heartwood.frame AS x
        WHERE x.tenant = v_tenant AND x.thread = t.number AND x.seq = least(v_value, t.head_seq);
      ELSIF v_value <= 0 THEN
        v_ordinal := 1;
      ELSIF v_value <= t.weight THEN
        v_seq := heartwood.first_reached(t, 1, t.head_seq, NULL, v_value);
        SELECT x.ordinal + 1 INTO v_ordinal FROM heartwood.frame AS x WHERE x.tenant = v_tenant AND x.thread = t.number AND x.seq = v_seq;
        v_seq := NULL;
      END IF;
      -- Before a message come all earlier messages, and between one and all of the other frames.
      IF v_ordinal BETWEEN 1 AND t.message_count THEN
        v_seq := heartwood.first_reached(t, v_ordinal, v_ordinal + t.head_seq - t.message_count, v_ordinal, NULL);
      END IF;
    END IF;
    SELECT * INTO f FROM heartwood.frame AS x WHERE x.tenant = v_tenant AND x.thread = t.number AND x.seq = v_seq AND x.type IS NULL;
    IF FOUND THEN
      v_found := v_found || json_build_array(f.ordinal, f.seq, f.id, coalesce(
        (SELECT x.weight FROM heartwood.frame AS x WHERE x.tenant = v_tenant AND x.thread = t.number AND x.seq = f.seq - 1), 0), f.weight);
    ELSE
      v_found := v_found || 'null'::json;
    END IF;
  END LOOP;
  RETURN array_to_json(v_found);
END
$fn$;

CREATE FUNCTION heartwood.open_jobs(p json) RETURNS json LANGUAGE plpgsql AS $fn$
DECLARE
  v_tenant text := heartwood.enter(p);
  v_now bigint := heartwood.now_of(p);
BEGIN
  RETURN (
    SELECT coalesce(json_agg(json_build_object('thread_id', t.thread_id, 'job_id', j.job_id, 'kind', j.kind, 'seq', j.seq,
      'lease', CASE WHEN j.lease_until IS NULL THEN 'none' WHEN j.lease_until > v_now THEN 'held' ELSE 'over' END) ORDER BY j.thread, j.seq), '[]'::json)
    FROM heartwood.job AS j JOIN heartwood.thread AS t ON t.tenant = j.tenant AND t.number = j.thread
    WHERE j.tenant = v_tenant AND ((p->>'thread_id') IS NULL OR t.thread_id = p->>'thread_id') AND ((p->>'kind') IS NULL OR j.kind = p->>'kind')
  );
END
$fn$;

-- Only one transaction with a notification can commit at a time, so it is one of its own, which does not wait for the disk.
CREATE FUNCTION heartwood.announce(p json) RETURNS void LANGUAGE plpgsql AS $fn$
BEGIN
  PERFORM heartwood.enter(p);
  PERFORM set_config('synchronous_commit', 'off', true), pg_notify(p->>'channel', p->>'payload');
END
$fn$;

-- Imported logs may use the same job id in two threads.
CREATE FUNCTION heartwood.claim(p json) RETURNS boolean LANGUAGE plpgsql AS $fn$
DECLARE
  v_tenant text := heartwood.enter(p);
  v_thread bigint;
BEGIN
  IF (p->>'action') = 'take' THEN
    SELECT j.thread INTO v_thread FROM heartwood.job AS j WHERE j.tenant = v_tenant AND j.job_id = p->>'job_id'
      AND (j.runner IS NULL OR (p->>'is_repeated')::boolean AND j.runner = p->>'runner' AND j.lease_until IS NOT NULL)
    ORDER BY j.thread LIMIT 1 FOR UPDATE SKIP LOCKED;
  ELSE
    SELECT j.thread INTO v_thread FROM heartwood.job AS j WHERE j.tenant = v_tenant AND j.job_id = p->>'job_id' AND j.runner = p->>'runner'
    ORDER BY j.thread LIMIT 1 FOR UPDATE;
  END IF;
  UPDATE heartwood.job AS j SET runner = p->>'runner', lease_until = heartwood.now_of(p) + (p->>'lease_ms')::bigint
  WHERE j.tenant = v_tenant AND j.thread = v_thread AND j.job_id = p->>'job_id';
  RETURN FOUND;
END
$fn$;
`;
