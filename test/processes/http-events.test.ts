import { afterEach, describe, expect, test } from "vitest";
import { readEvents, startHttp, type HttpProcess } from "../fixtures/http-process.ts";

const cuts = Number(process.env["HEARTWOOD_CUTS"] ?? 50);
const open: HttpProcess[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop();
});

async function start(files: Readonly<Record<string, string>> = { "memory/2026-03-23.md": "# 2026-03-23\n" }) {
  const server = await startHttp(files);
  open.push(server);
  return server;
}

const by = ["--actor", "user", "--origin", "test"];

describe("events of a running server", () => {
  test(`a thread is resumed without a gap after each of ${cuts} cuts, while another process appends`, async () => {
    const server = await start();
    const { desk } = server;
    await desk.run(["thread", "create", "--id", "a"]);
    let isDone = false;
    const appending = (async () => {
      let written = 0;
      while (!isDone) {
        const lines = Array.from({ length: 20 }, () =>
          JSON.stringify({ content: `m${(written += 1)} ${"x".repeat(written % 700)}` }),
        );
        const ended = await desk.run(["thread", "append", "a", "--batch", ...by], lines.join("\n"));
        expect(ended.status).toBe(0);
      }
      return written;
    })();
    const seqs: number[] = [];
    const contents: string[] = [];
    let last: string | undefined;
    let seed = 7;
    const take = (text: string): void => {
      // The last event may be cut; a whole one ends with an empty line.
      for (const [, id, data] of text.matchAll(/^id: (\d+)\ndata: (.*)\n\n/gmu)) {
        seqs.push(Number(id));
        const frame = JSON.parse(String(data)) as { readonly seq: number; readonly content?: string };
        expect(frame.seq).toBe(Number(id));
        if (frame.content !== undefined) contents.push(frame.content.split(" ")[0] ?? "");
        last = id;
      }
    };
    for (let cut = 0; cut < cuts; cut++) {
      seed = (seed * 48_271) % 2_147_483_647;
      const bytes = 400 + (seed % 3_000);
      const enough = (text: string): boolean => text.length > bytes;
      take(
        await readEvents(server, "/v1/thread.events?thread_id=a", {
          enough,
          ...(last !== undefined && { lastEventId: last }),
        }),
      );
    }
    isDone = true;
    const written = await appending;
    const enough = (text: string): boolean => text.includes(`"seq":${written}`) && text.endsWith("\n\n\r\n");
    take(
      await readEvents(server, "/v1/thread.events?thread_id=a", {
        enough,
        ...(last !== undefined && { lastEventId: last }),
      }),
    );
    expect(seqs).toEqual(Array.from({ length: written + 1 }, (_, seq) => seq));
    expect(contents).toEqual(Array.from({ length: written }, (_, at) => `m${at + 1}`));
  });

  test("changes that other processes make are reported, and those missed during a cut at once", async () => {
    const server = await start();
    const { desk } = server;
    const partsIn = (text: string): readonly string[] =>
      [...text.matchAll(/^data: (.*)$/gmu)].flatMap(
        ([, data]) => (JSON.parse(String(data)) as { changed: string[] }).changed,
      );
    const lastIn = (text: string): string => [...text.matchAll(/^id: (.*)$/gmu)].at(-1)?.[1] ?? "";
    const first = await readEvents(server, "/v1/changes", { enough: (text) => text.includes("data: ") });
    expect(partsIn(first)).toEqual([]);
    await desk.run(["log", "add", "--topic", "Limits", "--body", "- decision: a token bucket"]);
    await desk.run(["thread", "create", "--id", "a"]);
    const missed = await readEvents(server, "/v1/changes", {
      enough: (text) => text.includes("data: "),
      lastEventId: lastIn(first),
    });
    expect(partsIn(missed).toSorted()).toEqual(["logs", "threads"]);
    const following = readEvents(server, "/v1/changes", {
      enough: (text) => partsIn(text).includes("nodes") && partsIn(text).includes("root"),
      lastEventId: lastIn(missed),
    });
    await desk.run(["compact"]);
    expect(partsIn(await following)).toContain("root");
  });
});
