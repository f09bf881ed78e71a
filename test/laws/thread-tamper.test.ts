import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createFileArtifacts } from "../../src/platform/file-artifacts.ts";
import { createNodeFiles } from "../../src/platform/node-files/node-files.ts";
import { nodeSqlite } from "../../src/platform/sqlite.ts";
import { createSqliteThreads } from "../../src/threads/store/sqlite-threads.ts";
import type { Memory } from "../../src/operations/operation.ts";
import { verifyThreads } from "../../src/threads/verify/verify.ts";
import { crcOf, type FrameRow } from "../../src/threads/store/sqlite-threads/rows.ts";
import { printSummary } from "../../src/threads/model/summary.ts";
import { createdDraft, draftOf, idOf, messageDraft } from "../fixtures/thread-frames.ts";
import { openTestMemory } from "../fixtures/memory.ts";

/** verify finds any changed byte of a thread, of its other tables, or of an artifact. */
describe("verify finds tampering", () => {
  it("reports nothing for an unchanged thread", async () => {
    const { memory } = await newThread();
    expect(await verifyThreads(memory, {})).toEqual({ ok: true, threads: 1, frames: 14, findings: [] });
  });

  it.each([
    [
      "a byte of a message",
      "UPDATE frame SET line = replace(line, 'word 3', 'werd 3') WHERE ordinal = 3 AND type IS NULL",
      "damaged_store",
      3,
    ],
    ["a message and its checksum", "", "index_mismatch", null],
    ["an ordinal", "UPDATE frame SET ordinal = 4 WHERE ordinal = 3 AND type IS NULL", "damaged_store", 3],
    ["a weight", "UPDATE frame SET weight = weight + 1 WHERE ordinal = 5 AND type IS NULL", "damaged_store", 5],
    ["the id of a row", "UPDATE frame SET id = zeroblob(16) WHERE ordinal = 5 AND type IS NULL", "damaged_store", 5],
    ["a missing frame", "DELETE FROM frame WHERE ordinal = 3 AND type IS NULL", "seq_gap", 3],
    [
      "an id that points to another frame",
      "UPDATE frame_id SET at = at + 1 WHERE at % 4294967296 = 2",
      "index_mismatch",
      null,
    ],
    ["the head's count", "UPDATE thread SET message_count = 13", "index_mismatch", null],
    ["the head's weight", "UPDATE thread SET weight = weight - 1", "index_mismatch", null],
    ["the head's last decision", "UPDATE thread SET decision_seq = 0", "index_mismatch", null],
    ["a title", "UPDATE thread SET title = 'x'", "index_mismatch", null],
    ["a checkpoint's position", "UPDATE checkpoint SET to_ordinal = 7", "index_mismatch", null],
    ["a checkpoint that is not found", "DELETE FROM checkpoint", "index_mismatch", null],
    [
      "a checkpoint of a kind that is in no frame",
      "INSERT INTO checkpoint SELECT thread, 'rung_v1/0', to_seq, seq, from_ordinal, to_ordinal FROM checkpoint",
      "index_mismatch",
      null,
    ],
    ["a job that is not found", "DELETE FROM job", "index_mismatch", null],
    ["a frame not found by its type", "DELETE FROM indexed WHERE at % 4294967296 = 13", "index_mismatch", null],
  ])("%s", async (_what, sql, code, seq) => {
    const { memory, folder } = await newThread();
    await memory.threads.close();
    const database = new DatabaseSync(join(folder, ".heartwood/threads/threads.sqlite"));
    if (sql === "") rewriteMessage(database);
    else database.exec(sql);
    database.close();
    const { ok, findings } = await verifyThreads(memory, {});
    expect(ok).toBe(false);
    expect(findings).toContainEqual(expect.objectContaining({ code, seq, severity: "error" }));
  });

  it.each([
    ["an id that points to no frame", "DELETE FROM frame_id WHERE at % 4294967296 = 622"],
    ["a weight and its checksum", "weight"],
    ["the id of a row and its checksum", "id"],
  ])("%s, wherever it is in a long thread", async (_what, change) => {
    const { memory, folder } = await newThread();
    const more = Array.from({ length: 1200 }, (_, index) => messageDraft(index + 100, `word ${index}`));
    await memory.threads.append({ thread_id: "notes", frames: more });
    await memory.threads.close();
    const database = new DatabaseSync(join(folder, ".heartwood/threads/threads.sqlite"));
    if (change.startsWith("DELETE")) database.exec(change);
    else {
      const row = database.prepare("SELECT * FROM frame WHERE at % 4294967296 = 622").get() as unknown as FrameRow;
      const changed = change === "id" ? { ...row, id: new Uint8Array(16) } : { ...row, weight: row.weight + 1 };
      database
        .prepare("UPDATE frame SET id = ?, weight = ?, crc = ? WHERE at = ?")
        .run(changed.id, changed.weight, crcOf(changed), row.at);
    }
    database.close();
    const { ok, findings } = await verifyThreads(memory, {});
    expect(ok).toBe(false);
    expect(findings).toContainEqual(expect.objectContaining({ code: "index_mismatch", severity: "error" }));
  });

  it("an artifact with a changed byte, and a missing one", async () => {
    const { memory, folder } = await newThread();
    const path = artifactPath(folder);
    const bytes = readFileSync(path);
    bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    expect((await verifyThreads(memory, {})).findings).toEqual([
      expect.objectContaining({ code: "artifact_damaged", seq: 12, severity: "error" }),
    ]);
    // The damaged artifact was moved aside.
    expect((await verifyThreads(memory, {})).findings).toEqual([
      expect.objectContaining({ code: "artifact_missing", seq: 12, severity: "warning" }),
    ]);
  });

  it.each([
    [{ to_seq: 11 }, "not_a_message"],
    [{ to_seq: 0 }, "not_a_message"],
    [{ to_seq: 99 }, "not_a_message"],
    [{ to_message_id: idOf(7) }, "not_a_message"],
    [{ from_message_id: idOf(2) }, "not_a_message"],
    [{ from_seq: 9 }, "not_a_message"],
    [{ to_seq: 7, to_message_id: idOf(7) }, "coverage_mismatch"],
    [{ from_seq: 2 }, "coverage_mismatch"],
    [{ summary_kind: "rung_v1/0" }, "coverage_mismatch"],
    [{ cut_rule_id: "stride_messages_v1/3" }, "plan_mismatch"],
    [{ cut_rule_id: "ladder_v1/8192/4/0/0" }, "plan_mismatch"],
    [{ checkpoint_id: idOf(7) }, "invalid_frame"],
    [{ summary_artifact_id: "0".repeat(64) }, "artifact_missing"],
    [{ summary_artifact_id: "../../x" }, "invalid_artifact"],
  ])("a checkpoint that says %j", async (change, code) => {
    const { memory } = await newThread();
    const [stored] = await memory.threads.frames({ thread_id: "notes", from_seq: 12, limit: 1 });
    const { checkpoint_id: _own, ...fields } = JSON.parse(stored?.line ?? "") as Record<string, unknown>;
    const payload = Object.fromEntries(Object.entries(fields).slice(7));
    const draft = draftOf(40, "continuity_compaction_checkpoint_created", {
      checkpoint_id: idOf(40),
      ...payload,
      ...change,
    });
    await memory.threads.append({ thread_id: "notes", frames: [draft] });
    const { findings } = await verifyThreads(memory, {});
    expect(findings.map((finding) => [finding.seq, finding.code])).toContainEqual([14, code]);
  });
});

const opened: { readonly memory: Memory; readonly folder: string }[] = [];
afterEach(async () => {
  for (const { memory, folder } of opened.splice(0)) {
    await memory.threads.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Ten messages and a tool effect, a manual checkpoint at the eighth, and an open job. */
async function newThread(): Promise<{ readonly memory: Memory; readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "heartwood-tamper-"));
  const threads = createSqliteThreads({
    folder: join(folder, ".heartwood/threads"),
    clock: { now: () => 0 },
    driver: nodeSqlite,
  });
  const artifacts = createFileArtifacts(createNodeFiles({ root: folder }));
  const { memory } = openTestMemory({ with: { threads, artifacts } });
  const messages = Array.from({ length: 10 }, (_, index) => messageDraft(index + 1, `word ${index + 1}`));
  const who = { actor_id: "user", origin: "test" };
  const effects = draftOf(11, "continuity_tool_side_effects", { tool_name: "sed", affected_paths: null, ...who });
  await threads.append({ thread_id: "notes", frames: [createdDraft(), ...messages, effects] });
  const coverage = { thread_id: "notes", from_seq: 0, to_seq: 8, to_message_id: idOf(8) };
  const artifact = await artifacts.put(
    printSummary({
      schema: "rip.compaction_summary.v1",
      kind: "cumulative_v1",
      coverage,
      provenance: who,
      summary_markdown: "# Summary\n\n- all of it\n",
    }),
  );
  const { thread_id: _thread, ...span } = coverage;
  const checkpoint = draftOf(12, "continuity_compaction_checkpoint_created", {
    checkpoint_id: idOf(12),
    cut_rule_id: "manual_v1",
    summary_kind: "cumulative_v1",
    summary_artifact_id: artifact,
    ...span,
    ...who,
  });
  const job = draftOf(13, "continuity_job_spawned", { job_id: idOf(13), job_kind: "other", ...who });
  await threads.append({ thread_id: "notes", frames: [checkpoint, job] });
  opened.push({ memory, folder });
  return { memory, folder };
}

function artifactPath(folder: string): string {
  const root = join(folder, ".heartwood/artifacts");
  const name = readdirSync(root, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith(".json"));
  return join(root, name ?? "");
}

/** Tampering by someone who knows the format: other text of another length, with a matching checksum. */
function rewriteMessage(database: DatabaseSync): void {
  const row = database.prepare("SELECT * FROM frame WHERE ordinal = 3 AND type IS NULL").get() as unknown as FrameRow;
  const line = row.line.replace("word 3", "another word");
  database.prepare("UPDATE frame SET line = ?, crc = ? WHERE at = ?").run(line, crcOf({ ...row, line }), row.at);
}
