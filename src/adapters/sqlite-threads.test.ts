import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeThreadStore } from "../testing/index.ts";
import { createSqliteThreads } from "./sqlite-threads.ts";

const projects: string[] = [];
const folderOf = (project: string) => join(project, ".heartwood", "threads");

function newProject(): string {
  const project = fs.mkdtempSync(join(tmpdir(), "hw-threads-"));
  projects.push(project);
  return project;
}

afterAll(() => {
  for (const project of projects.splice(0)) fs.rmSync(project, { recursive: true, force: true });
});

describeThreadStore(
  {
    name: "sqlite-threads",
    create: async () => {
      let now = 1_800_000_000_000;
      const options = { folder: folderOf(newProject()), clock: { now: () => now } };
      const [store, other] = [createSqliteThreads(options), createSqliteThreads(options)];
      return {
        store,
        other,
        pass: (ms) => {
          now += ms;
        },
        close: async () => {
          await store.close();
          await other.close();
        },
      };
    },
  },
  { describe, it, expect },
);
