import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeSession, lines, said, shortSession } from "../../../test/fixtures/transcripts/claude-code.ts";
import {
  addOpencodeMessage,
  addOpencodeSession,
  addOpenclawEvent,
  openclawDatabase,
  opencodeDatabase,
} from "../../../test/fixtures/transcripts/databases.ts";
import type { Client } from "./transcripts.ts";
import { describeTranscripts, type TranscriptsHarness } from "../../../test/fixtures/transcripts-suite.ts";
import { nodeSqlite } from "../../platform/sqlite.ts";
import { createTranscripts } from "./index.ts";

interface Planted {
  readonly path: string;
  say(text: string): void;
  close?(): void;
}

const fixture = (name: string): string =>
  join(import.meta.dirname, "..", "..", "..", "test", "fixtures", "transcripts", name);
const time = "2026-03-10T10:00:00.000Z";
const at = Date.parse(time);

/** A copy of a fixture to which rows can be added. */
function copied(folder: string, name: string, row: (text: string) => object): Planted {
  const path = join(folder, name);
  cpSync(fixture(name), path);
  return { path, say: (text) => appendFileSync(path, `${JSON.stringify(row(text))}\n`) };
}

function claude(folder: string): Planted {
  const path = join(folder, `${claudeSession}.jsonl`);
  writeFileSync(path, lines(shortSession()));
  return { path, say: (text) => appendFileSync(path, lines([said("new", text, time)])) };
}

function opencode(folder: string): Planted {
  const path = join(folder, "opencode.db");
  const database = opencodeDatabase(path);
  const session = "ses_1";
  addOpencodeSession(database, session);
  const add = (id: string, role: string, text: string): void => {
    const data = { role, time: { created: at, completed: at }, finish: "stop" };
    addOpencodeMessage(database, { session, id, at, data, parts: [{ type: "text", text }] });
  };
  add("m1", "user", "Which port?");
  add("m2", "assistant", "5433.");
  return { path, say: (text) => add("m3", "user", text), close: () => database.close() };
}

function openclaw(folder: string): Planted {
  const path = join(folder, "openclaw-agent.sqlite");
  const event = (id: string, role: string, text: string) => ({
    type: "message",
    id,
    timestamp: time,
    message: { role, content: text },
  });
  const head = { type: "session", version: 4, id: "s", timestamp: time, cwd: "/srv/app" };
  const database = openclawDatabase(path, "s", [
    head,
    event("e1", "user", "Which port?"),
    event("e2", "assistant", "5433."),
  ]);
  const say = (text: string): void =>
    addOpenclawEvent(database, { session: "s", seq: 3, event: event("e3", "user", text) });
  return { path, say, close: () => database.close() };
}

const plants: Readonly<Record<Client, (folder: string) => Planted>> = {
  "claude-code": claude,
  codex: (folder) =>
    copied(folder, "codex.jsonl", (text) => ({
      timestamp: time,
      ordinal: 15,
      type: "event_msg",
      payload: { type: "user_message", message: text },
    })),
  gemini: (folder) =>
    copied(folder, "gemini.jsonl", (text) => ({ id: "new", timestamp: time, type: "user", content: text })),
  copilot: (folder) =>
    copied(folder, "copilot.jsonl", (text) => ({
      type: "user.message",
      id: "new",
      timestamp: time,
      data: { content: text },
    })),
  opencode,
  openclaw,
  chatgpt: (folder) => copied(folder, "chatgpt.json", () => ({})),
  "claude-ai": (folder) => copied(folder, "claude-ai.json", () => ({})),
};

/** Exports never grow, so they are always read from the beginning. */
const noPositions = {
  "what was read is not read again from a position, and what came after it is": "an export has no positions",
  "a position that does not fit is passed over": "an export has no positions",
};

for (const [client, plant] of Object.entries(plants) as [Client, (typeof plants)[Client]][])
  describeTranscripts(
    {
      name: `transcripts of ${client}`,
      ...(client === "chatgpt" || client === "claude-ai" ? { skip: noPositions } : {}),
      create: async (): Promise<TranscriptsHarness> => {
        const folder = mkdtempSync(join(tmpdir(), "heartwood-transcripts-"));
        const { path, say, close } = plant(folder);
        return {
          transcripts: createTranscripts({ driver: nodeSqlite, home: { folder, environment: {} } }),
          client,
          path,
          say: async (text) => say(text),
          close: async () => {
            close?.();
            rmSync(folder, { recursive: true, force: true });
          },
        };
      },
    },
    { describe, it, expect },
  );
