import { describe, expect, it } from "vitest";
import { cutBytes } from "../audit/edit.ts";
import { sha256 } from "../base/digest.ts";
import { movedPath, printMoved, type ShorteningStep } from "../tree/moved-format.ts";
import { openTestMemory } from "../../test/fixtures/memory.ts";
import { withLogicalLogs } from "./logical-logs.ts";

const log = "memory/2026-03-10.md";

describe("a shortened log", () => {
  it("reads whole again, with what was appended since", async () => {
    const before = Buffer.from("# 2026-03-10\n\n## A\n- one\n\n## B\n- two\n");
    const spans = [[14, 25]] as const;
    const after = Buffer.from(cutBytes(before, spans));
    const step: ShorteningStep = {
      part: "memory/archive/2026-03-10.full.md",
      before: { bytes: before.length, sha256: sha256(before) },
      after: { bytes: after.length, sha256: sha256(after) },
      change: { kind: "cut", spans },
    };
    const tree = openTestMemory({
      files: {
        [log]: Buffer.concat([after, Buffer.from("more\n")]),
        [step.part]: before,
        [movedPath]: printMoved(new Map([[log, [step]]])),
      },
    });
    const memory = await withLogicalLogs(tree.memory);
    expect(memory).not.toBe(tree.memory);
    expect(Buffer.from((await memory.files.read(log))?.bytes ?? []).toString()).toBe(before.toString() + "more\n");
  });
});
