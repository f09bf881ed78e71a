import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { runIndex } from "../../src/recall/index/refresh.ts";
import { runRecall } from "../../src/recall/run/recall.ts";
import type { RecallResult } from "../../src/recall/search/inputs-and-results.ts";
import { openMemory } from "../../src/open.ts";

const made: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "heartwood-embedder-"));
  made.push(path);
  return path;
}

interface Request {
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly input: readonly string[];
}

/** Returns for each text a vector made from its length. */
async function endpoint(): Promise<{ readonly port: number; readonly seen: Request[]; close(): Promise<void> }> {
  const seen: Request[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const { input } = JSON.parse(body) as { readonly input: readonly string[] };
      seen.push({ url: request.url, key: request.headers.authorization, input });
      const data = input.map((text, index) => ({ index, embedding: [text.length, 50, 1] }));
      response.end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, seen, close };
}

test("an endpoint in the user's settings makes the vectors that a project requests by name, and its key is sent only there", async () => {
  const { port, seen, close } = await endpoint();
  const [home, dir, key] = [folder(), folder(), "k9Xq2vLm8Rt4Zw7Bn1"];
  const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  mkdirSync(join(home, "heartwood"));
  mkdirSync(join(dir, "memory"));
  const mine = { adapter: "openai-compatible", baseUrl: `http://127.0.0.1:${port}/v1`, model: "m", keyEnv: "MY_KEY" };
  writeFileSync(join(home, "heartwood", "config.json"), JSON.stringify({ embedders: { mine } }));
  writeFileSync(join(dir, "heartwood.config.json"), JSON.stringify({ search: { embedModel: "mine" } }));
  const said = `User: I bought a violin for 300 euros in 2024 with the key ${secret}.`;
  writeFileSync(join(dir, "memory", "2026-03-10.md"), `## A\n${said}\n`);
  vi.stubEnv("XDG_CONFIG_HOME", home);
  vi.stubEnv("MY_KEY", key);
  const memory = await openMemory({ dir });
  const recalled = async (): Promise<RecallResult> =>
    (await runRecall(memory, { text: `Which violin, and what of ${secret}?`, explain: true }, {})) as RecallResult;
  await runIndex(memory, { embed: true }, {});
  expect((await recalled()).warnings).toEqual([]);
  expect(seen.map((one) => [one.url, one.key, one.input.length])).toEqual([
    ["/v1/embeddings", `Bearer ${key}`, 1],
    ["/v1/embeddings", `Bearer ${key}`, 1],
  ]);
  expect(JSON.stringify(seen)).not.toContain(secret);
  await close();
  const alone = await recalled();
  expect(alone.context[0]?.text).toContain("violin");
  expect(alone.warnings.map(({ code }) => code)).toEqual(["embedder_failed"]);
  expect(JSON.stringify(alone)).not.toContain(key);
  await memory.close();
});
