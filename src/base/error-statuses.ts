import type { ErrorCode } from "./errors.ts";

/** What an error means to the program that gets it. */
interface ErrorStatus {
  /** 2: bad input, 3: could not do it. */
  readonly exit: 2 | 3;
  readonly http: number;
  /** Whose fault a protocol error over MCP names. */
  readonly fault: "request" | "server";
}

const bad = (http = 400): ErrorStatus => ({ exit: 2, http, fault: "request" });
const could = (http: number, fault: ErrorStatus["fault"] = "request"): ErrorStatus => ({ exit: 3, http, fault });

/** The exit status, the HTTP status and the kind of MCP error of each code. */
export const errorStatuses: Readonly<Record<ErrorCode, ErrorStatus>> = {
  usage: bad(),
  invalid_date: bad(),
  invalid_period: bad(),
  invalid_time_zone: bad(),
  invalid_type: bad(),
  invalid_topic: bad(),
  invalid_id: bad(),
  invalid_origin: bad(),
  invalid_number: bad(),
  invalid_path: bad(),
  invalid_config: bad(),
  invalid_platform: bad(),
  invalid_body: bad(),
  no_memory: bad(404),
  untrusted: bad(403),
  other_owner: bad(403),
  not_found: bad(404),
  not_traceable: bad(404),
  node_too_old: bad(409),
  invalid_thread_id: bad(),
  thread_not_found: bad(404),
  thread_exists: bad(409),
  message_not_found: bad(404),
  not_a_message: bad(),
  invalid_stride: bad(),
  invalid_limit: bad(),
  limit_too_large: bad(),
  invalid_frame: bad(),
  invalid_artifact: bad(),
  artifact_not_found: bad(404),
  audit_not_found: bad(404),
  job_not_found: bad(404),
  job_stale: bad(409),
  invalid_query: bad(),
  unauthorized: bad(401),
  invalid_host: bad(421),
  foreign_origin: bad(403),
  method_not_allowed: bad(405),
  unsupported_content: bad(415),
  too_large: bad(413),
  too_many_requests: bad(429),
  busy: could(503, "server"),
  io: could(500, "server"),
  disk_full: could(507, "server"),
  link_outside: could(409),
  not_a_file: could(409),
  newer_store: could(409),
  older_store: could(409),
  foreign_state: could(409),
  changed_by_other: could(409),
  nothing_to_undo: could(409),
  seq_conflict: could(409),
  decision_conflict: could(409),
  frame_conflict: could(409),
  seq_gap: could(409),
  lease_lost: could(409),
  damaged_store: could(500),
  artifact_damaged: could(500),
  archive_damaged: could(500),
  model_unavailable: could(502),
  model_refused: could(502),
  model_answer: could(502),
  aborted: could(503, "server"),
  internal: could(500, "server"),
};
