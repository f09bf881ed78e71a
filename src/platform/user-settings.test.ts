import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readStoreSettings, readUserSettings } from "./user-settings.ts";
import { projectIn } from "./user-settings/store.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "heartwood-settings-"));
  vi.stubEnv("XDG_CONFIG_HOME", home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

function write(text: string, folder = join(home, "heartwood")): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), text);
}

test("without a file, the defaults apply", async () => {
  expect(await readUserSettings()).toEqual({ qmd: "off" });
});

test("is read below XDG_CONFIG_HOME, or else below ~/.config", async () => {
  write('\uFEFF{"qmd": "update"}');
  expect(await readUserSettings()).toEqual({ qmd: "update" });
  vi.stubEnv("XDG_CONFIG_HOME", "relative");
  vi.stubEnv("HOME", home);
  write('{"qmd": "update-and-embed"}', join(home, ".config/heartwood"));
  expect(await readUserSettings()).toEqual({ qmd: "update-and-embed" });
});

test("may have comments and trailing commas, as `install` edits them", async () => {
  write('// mine\n{\n  "qmd": "update", // after each run\n  "summaries": { "adapter": "pull", },\n}\n');
  expect(await readUserSettings()).toMatchObject({ qmd: "update", summaries: { adapter: "pull" } });
});

test("an unknown key is reported with a suggestion, and the others still apply", async () => {
  write('{"qmd": "update", "summaris": {"adapter": "off"}}');
  const { qmd, warnings } = await readUserSettings();
  expect(qmd).toBe("update");
  expect(warnings).toEqual([
    {
      code: "unknown_key",
      path: join(home, "heartwood/config.json"),
      message:
        "summaris is not a known key and is ignored; known keys: qmd, store, summaries, recall, embedders (did you mean summaries?)",
    },
  ]);
});

test("a removed adapter is reported, and the other settings still apply", async () => {
  const file = { adapter: "node-llama-cpp", modelFile: "/models/a.gguf" };
  const embedder = { adapter: "transformers", modelFolder: "/models/e5" };
  write(JSON.stringify({ summaries: file, recall: { chooser: "summaries" }, embedders: { a: file, b: embedder } }));
  const { warnings, summaries, model, chooser, embedders } = await readUserSettings();
  expect(warnings?.map(({ code }) => code)).toEqual(["adapter_removed", "adapter_removed"]);
  expect([summaries?.adapter, model, chooser]).toEqual(["off", undefined, undefined]);
  expect([...(embedders?.keys() ?? [])]).toEqual(["b"]);
});

test.each([
  ['{"qmd": "updaet"}', "update"],
  ['{"summaries": {"adapter": "pul"}}', "pull"],
  ['{"summaries": {"adpter": "pull"}}', "adapter"],
  ['{"recall": {"choser": "off"}}', "chooser"],
  ['{"embedders": {"a": {"adapter": "openai-compatable"}}}', "openai-compatible"],
  ['{"embedders": {"a": {"adapter": "transformers", "modelfolder": "/x"}}}', "modelFolder"],
])("a wrong value or an unknown nested key is refused with a suggestion: %s", async (text, near) => {
  write(text);
  await expect(readUserSettings()).rejects.toMatchObject({
    code: "invalid_config",
    message: expect.stringContaining(`(did you mean ${near}?)`),
  });
});

test.each(["{", "[]", "null", '{"qmd": true}', '{"qmd": "on"}'])(
  "%s is `invalid_config` and names the file",
  async (text) => {
    write(text);
    const named = expect.objectContaining({
      code: "invalid_config",
      message: expect.stringContaining(join(home, "heartwood/config.json")),
    });
    await expect(readUserSettings()).rejects.toThrow(named);
  },
);

test("store names a server, and the projects whose threads it keeps", async () => {
  const store = { kind: "postgres", url: "postgres://me@db/memory", projects: { "/home/me/shop": "shop" } };
  write(JSON.stringify({ store, summaries: { adapter: "wrong" } }));
  await expect(readUserSettings()).rejects.toMatchObject({ code: "invalid_config" });
  const read = await readStoreSettings();
  expect(read).toEqual({ address: { url: store.url }, projects: new Map([["/home/me/shop", "shop"]]) });
  write(JSON.stringify({ store: { ...store, url: undefined, urlEnv: "TEAM", pooler: "transaction" } }));
  expect((await readUserSettings()).store).toMatchObject({ address: { env: "TEAM" }, pooler: "transaction" });
  write(JSON.stringify({ store: { kind: "embedded" } }));
  expect((await readUserSettings()).store).toBeUndefined();
});

test("a folder that is reached through a link is the same project", () => {
  const [real, link] = [join(home, "shop"), join(home, "link")];
  mkdirSync(real);
  symlinkSync(real, link);
  const settings = { address: { env: "TEAM" }, projects: new Map([[link, "shop"]]) };
  expect(projectIn(settings, real)).toBe("shop");
  expect(projectIn(settings, home)).toBeUndefined();
});

test.each([
  ["store.kind", { kind: "mysql" }],
  ["store.url", { url: "s3cret" }],
  ["store.url", { url: undefined }],
  ["store.urlEnv", { urlEnv: "TEAM" }],
  ["store.urlEnv", { url: undefined, urlEnv: "postgres://me:s3cret@db/memory" }],
  ["store.pooler", { pooler: "session" }],
  ["store.projects", { projects: "shop" }],
  ["store.projects.shop", { projects: { shop: "shop" } }],
  ["store.projects./shop", { projects: { "/shop": "The Shop" } }],
  ["store.tenant", { tenant: "shop" }],
])("a fault in %s is reported without the address", async (key, wrong) => {
  const right = { kind: "postgres", url: "postgres://me:s3cret@db/memory", projects: {} };
  write(JSON.stringify({ store: { ...right, ...wrong } }));
  const fault = await readUserSettings().catch((error: unknown) => error);
  expect(fault).toMatchObject({ code: "invalid_config", details: { key } });
  expect(String(fault)).not.toContain("s3cret");
});
