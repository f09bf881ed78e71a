import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFileArtifacts } from "./open-artifacts.ts";
import { createNodeFiles } from "./platform/node-files/node-files.ts";
import { endingOf } from "./testing/test-functions.ts";
import { contentDigest, printNode, type Node } from "./tree/model/node-format.ts";
import type { NodeName } from "./tree/model/period.ts";

describe("a recorded node that this process did not write", () => {
  it("is found by the digest of its content, whatever its status", async () => {
    const dir = mkdtempSync(join(tmpdir(), "heartwood-artifacts-"));
    const folder = join(dir, ".heartwood/artifacts");
    const node: Node = {
      name: { level: "daily", period: "2026-03-15" as NodeName["period"], late: 0 },
      status: "fixed",
      madeBy: "foreign-1",
      topics: [],
      sources: [],
      spans: [],
      body: ["## Notes", "- ship on Friday"],
      foreign: [],
      weeks: [],
      redactedBy: undefined,
      since: undefined,
    };
    const id = contentDigest(node);
    mkdirSync(join(folder, id.slice(0, 2)), { recursive: true });
    const path = join(folder, id.slice(0, 2), `${id}.md`);
    for (const status of ["fixed", "tentative"] as const) {
      writeFileSync(path, printNode({ ...node, status }));
      expect((await openFileArtifacts(createNodeFiles({ root: dir })).get(id))?.length).toBeGreaterThan(0);
    }
    writeFileSync(path, printNode({ ...node, body: ["## Notes", "- ship on Monday"] }));
    expect(await endingOf(openFileArtifacts(createNodeFiles({ root: dir })).get(id))).toBe("artifact_damaged");
    rmSync(dir, { recursive: true, force: true });
  });
});
