import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Broken, createFakeDisk, fakePlaces, fakeShipped, type FakeDisk } from "../../../test/fixtures/client-files.ts";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import { parseJsonWithComments } from "../../base/json.ts";
import { clientNames, type ClientPlaces, type ClientName } from "./client-files.ts";
import type { Scope } from "./client-files.ts";
import { parseInstallRecord, printInstallRecord } from "./record.ts";
import { prepareInstall } from "./run-install.ts";
import { prepareUninstall } from "./run-uninstall.ts";

const { home, project, state } = fakePlaces;
const script = `${state}/heartwood`;
const recordPath = `${state}/installed.json`;

/** A typical home: some files exist, others do not. */
const lived: Readonly<Record<string, string>> = {
  [`${home}/.claude/settings.json`]:
    '{\r\n\t"model": "x", // mine\r\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}\r\n}',
  [`${home}/.claude.json`]: '{"numStartups":3,"mcpServers":{"other":{"command":"x"}}}',
  [`${home}/.claude/CLAUDE.md`]: "# Mine\r\n\r\nNo line end",
  [`${home}/.codex/config.toml`]: '\uFEFFmodel = "gpt"\n\n[mcp_servers.other]\ncommand = "x"',
  [`${home}/.config/opencode/opencode.jsonc`]: '{\n  "instructions": ["a.md",],\n}\n',
  [`${home}/.gemini/settings.json`]: "",
  [`${home}/.cursor/hooks.json`]: '{ "version": 1, "hooks": { } }\n',
  [`${project}/AGENTS.md`]: "",
  [`${project}/README.md`]: "mine\n",
};

async function install(
  disk: FakeDisk,
  names: readonly ClientName[],
  scope: Scope = "user",
  { places = fakePlaces, summaries }: { readonly places?: ClientPlaces; readonly summaries?: "pull" } = {},
): Promise<number> {
  const request = { clients: names, scope, shipped: fakeShipped, summaries };
  const prepared = await prepareInstall({ files: disk, places }, request);
  await prepared.apply();
  return prepared.edits.length;
}

async function uninstall(disk: FakeDisk, names: readonly ClientName[]): Promise<readonly string[]> {
  const prepared = await prepareUninstall({ files: disk, places: fakePlaces }, names);
  await prepared.apply();
  return prepared.warnings.map(({ code, path = "" }) => `${code} ${path}`);
}

/** Without files of the memory, which stay after uninstall. */
function withoutMemory(tree: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const memory = /\/(?:heartwood\.config\.json|MEMORY\.md|USER\.md|SCRATCHPAD\.md|WORKING\.md|TASK-QUEUE\.md)$/u;
  return Object.fromEntries(
    Object.entries(tree).filter(([path]) => !memory.test(path) && !path.startsWith(`${home}/.openclaw`)),
  );
}

const scopes = ["user", "project"] as const;
const cases = clientNames.flatMap((client) => scopes.map((scope) => ({ client, scope })));

describe.each(cases)("$client for the $scope", ({ client, scope }) => {
  test("uninstall restores a used and a new home byte for byte", async () => {
    for (const files of [lived, { [`${project}/README.md`]: "mine\n" }]) {
      const disk = createFakeDisk(files);
      const before = disk.tree();
      expect(await install(disk, [client], scope)).toBeGreaterThan(1);
      const installed = disk.tree();
      expect(await install(disk, [client], scope)).toBe(0);
      expect(disk.tree()).toEqual(installed);
      expect(await uninstall(disk, [client])).toEqual([]);
      expect(withoutMemory(disk.tree())).toEqual(before);
    }
  });

  test("after an install is interrupted at any change, install and uninstall both complete", async () => {
    const whole = createFakeDisk(lived);
    await install(whole, [client], scope);
    const [steps, installed] = [whole.changes(), whole.tree()];
    const before = createFakeDisk(lived).tree();
    for (let step = 1; step <= steps; step++)
      for (const when of ["before", "after"] as const) {
        const broken = async (): Promise<FakeDisk> => {
          const disk = createFakeDisk(lived);
          disk.breakAt(step, when);
          await expect(install(disk, [client], scope)).rejects.toThrow(Broken);
          return disk;
        };
        const onwards = await broken();
        await install(onwards, [client], scope);
        expect(withoutRecord(onwards.tree())).toEqual(withoutRecord(installed));
        await uninstall(onwards, [client]);
        const left = (disk: FakeDisk): unknown =>
          withoutMemory(step > 4 ? disk.tree() : withoutEmptyState(disk.tree()));
        expect(left(onwards), `${step} ${when}`).toEqual(before);
        const back = await broken();
        await uninstall(back, [client]);
        expect(left(back), `${step} ${when}`).toEqual(before);
      }
  });

  test("an uninstall that is interrupted at any change can be completed", async () => {
    const before = createFakeDisk(lived).tree();
    const whole = createFakeDisk(lived);
    await install(whole, [client], scope);
    const from = whole.changes();
    await uninstall(whole, [client]);
    for (let step = 1; step <= whole.changes() - from; step++)
      for (const when of ["before", "after"] as const) {
        const disk = createFakeDisk(lived);
        await install(disk, [client], scope);
        disk.breakAt(step, when);
        await expect(uninstall(disk, [client])).rejects.toThrow(Broken);
        await uninstall(disk, [client]);
        expect(withoutMemory(withoutEmptyState(disk.tree())), `${step} ${when}`).toEqual(before);
      }
  });
});

/** Without the record, which cannot tell folders it created from existing ones. */
function withoutRecord(tree: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => path !== recordPath));
}

/** Without the folders above the record: it is unknown who created them if a run was interrupted before writing the record or after removing it. */
function withoutEmptyState(tree: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const empty = [`${home}/.local/`, `${home}/.local/state/`];
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !empty.includes(path)));
}

describe("several clients", () => {
  test("share a file until the last of them is uninstalled", async () => {
    const disk = createFakeDisk(lived);
    const before = disk.tree();
    await install(disk, ["codex", "opencode"], "project");
    await install(disk, ["gemini"], "user");
    await uninstall(disk, ["opencode"]);
    expect(disk.tree()[`${project}/AGENTS.md`]).toContain("heartwood:begin");
    expect(disk.tree()[script]).toBeDefined();
    await uninstall(disk, ["codex"]);
    expect(disk.tree()[`${project}/AGENTS.md`]).toBe("");
    expect(disk.tree()[script]).toBeDefined();
    await uninstall(disk, ["gemini"]);
    expect(disk.tree()).toEqual(before);
  });

  test("restore the initial state after uninstalling in any order", async () => {
    const subset = fc.subarray(
      [...clientNames].filter((name) => name !== "openclaw"),
      { minLength: 1 },
    );
    const call = fc.tuple(subset, fc.constantFrom(...scopes));
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 1, maxLength: 4 }),
        fc.shuffledSubarray([...clientNames], { minLength: 8 }),
        async (calls, order) => {
          const disk = createFakeDisk(lived);
          const before = disk.tree();
          for (const [names, scope] of calls) await install(disk, names, scope);
          for (const name of order) expect(await uninstall(disk, [name])).toEqual([]);
          expect(disk.tree()).toEqual(before);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("Claude Code's permissions for our tools", () => {
  const ours = ["recall", "search", "read", "log"].map((name) => `mcp__heartwood__memory_${name}`);
  const files = {
    user: `${home}/.claude/settings.json`,
    project: `${project}/.claude/settings.local.json`,
  };
  const allowed = (disk: FakeDisk, path: string): unknown =>
    (JSON.parse(disk.tree()[path] ?? "{}") as { readonly permissions?: unknown }).permissions;

  test.each(scopes)("for the %s cover the tools that rewrite no file, and are removed by uninstall", async (scope) => {
    const disk = createFakeDisk({});
    await install(disk, ["claude-code"], scope);
    expect(allowed(disk, files[scope])).toEqual({ allow: ours });
    await uninstall(disk, ["claude-code"]);
    expect(disk.tree()[files[scope]]).toBeUndefined();
  });

  test("keep the user's rules, even one that equals ours", async () => {
    const [recall = ""] = ours;
    const settings = `{"permissions": {"allow": ["Bash(ls:*)", "${recall}"], "deny": ["Read(.env)"]}}`;
    const disk = createFakeDisk({ [files.user]: settings });
    await install(disk, ["claude-code"]);
    const rules = { allow: ["Bash(ls:*)", ...ours], deny: ["Read(.env)"] };
    expect(allowed(disk, files.user)).toEqual(rules);
    // A rule that was added in the meantime, in the form that Claude Code writes.
    const all = JSON.parse(disk.tree()[files.user] ?? "") as object;
    const more = { ...rules, allow: [...rules.allow, "WebSearch"] };
    const changed = createFakeDisk(
      Object.fromEntries(Object.entries(disk.tree()).filter(([path]) => !path.endsWith("/"))),
    );
    changed.put(files.user, JSON.stringify({ ...all, permissions: more }, null, 2));
    await uninstall(changed, ["claude-code"]);
    expect(allowed(changed, files.user)).toEqual({ allow: ["Bash(ls:*)", recall, "WebSearch"], deny: ["Read(.env)"] });
    await uninstall(disk, ["claude-code"]);
    expect(disk.tree()[files.user]).toBe(settings);
  });
});

describe("an install that lets the agent write the summaries", () => {
  const { settings } = fakePlaces;
  const pull = { summaries: "pull" } as const;
  const commented = '// mine\r\n{\r\n  "qmd": "update", // after each run\r\n}';
  const adapterIn = (disk: FakeDisk): unknown =>
    (parseJsonWithComments(disk.tree()[settings] ?? "{}") as { readonly summaries?: { readonly adapter?: unknown } })
      .summaries?.adapter;
  const asksFor = (disk: FakeDisk): readonly string[] =>
    Object.entries(disk.tree()).flatMap(([path, text]) => (/"--tools",\s*"summaries"/u.test(text) ? [path] : []));

  test.each(cases)("is undone byte for byte for $client and the $scope", async ({ client, scope }) => {
    for (const own of [undefined, commented, "", '{"summaries":{"maxRequestsPerDay":3}}\n']) {
      const disk = createFakeDisk(own === undefined ? lived : { ...lived, [settings]: own });
      const before = disk.tree();
      await install(disk, [client], scope, pull);
      expect(adapterIn(disk)).toBe("pull");
      expect(disk.tree()[settings]).toContain(own === commented ? "// after each run" : '"adapter"');
      expect(asksFor(disk).filter((path) => path !== recordPath)).toHaveLength(1);
      expect(await install(disk, [client], scope, pull)).toBe(0);
      expect(await install(disk, [client], scope)).toBe(0);
      expect(await uninstall(disk, [client])).toEqual([]);
      expect(withoutMemory(disk.tree())).toEqual(before);
    }
  });

  test("can follow a plain one, and gives every later client the tool until the last is uninstalled", async () => {
    const disk = createFakeDisk({ ...lived, [settings]: commented });
    const before = disk.tree();
    await install(disk, ["claude-code"]);
    expect([adapterIn(disk), asksFor(disk)]).toEqual([undefined, []]);
    expect(await install(disk, ["claude-code"], "user", pull)).toBe(3);
    expect(disk.tree()[`${home}/.claude/settings.json`]).toContain("mcp__heartwood__memory_summaries");
    await install(disk, ["gemini"]);
    expect(asksFor(disk)).toContain(`${home}/.gemini/settings.json`);
    await uninstall(disk, ["claude-code"]);
    expect(adapterIn(disk)).toBe("pull");
    await uninstall(disk, ["gemini"]);
    expect(disk.tree()).toEqual(before);
  });

  test("leaves settings that already say so, also on uninstall", async () => {
    const own = '{ "summaries": { "adapter": "pull" } }\n';
    const disk = createFakeDisk({ ...lived, [settings]: own });
    const before = disk.tree();
    await install(disk, ["codex"]);
    expect(disk.tree()[settings]).toBe(own);
    expect(disk.tree()[`${home}/.codex/config.toml`]).toContain('args = ["mcp", "--tools", "summaries"]');
    await uninstall(disk, ["codex"]);
    expect(disk.tree()).toEqual(before);
  });

  test("refuses settings that name a model or are not JSON, and changes nothing", async () => {
    for (const [own, why] of [
      ['{"summaries":{"adapter":"openai-compatible"}}', /summaries\.adapter is taken/u],
      ['{"summaries":"pull"}', /summaries is not an object/u],
      ['{"qmd": ', /is not valid JSON: line 1/u],
    ] as const) {
      const disk = createFakeDisk({ ...lived, [settings]: own });
      const before = disk.tree();
      await expect(install(disk, ["claude-code"], "user", pull)).rejects.toThrow(why);
      expect(disk.tree()).toEqual(before);
      // Without the option, the settings are none of its business.
      expect(await install(disk, ["claude-code"])).toBeGreaterThan(1);
      expect(asksFor(disk)).toEqual([]);
    }
  });

  test("loses the tool if the user chooses another adapter, which uninstall keeps", async () => {
    const disk = createFakeDisk(lived);
    await install(disk, ["claude-code"], "user", pull);
    const other = (disk.tree()[settings] ?? "").replace('"pull"', '"off"');
    disk.put(settings, other);
    expect(await install(disk, ["claude-code"])).toBe(2);
    expect(asksFor(disk)).toEqual([]);
    expect(await uninstall(disk, ["claude-code"])).toEqual([]);
    expect(disk.tree()[settings]).toBe(other);
  });
});

describe("changes by others", () => {
  const settings = `${home}/.claude/settings.json`;

  test("uninstall keeps later changes in a file and removes only our part", async () => {
    const disk = createFakeDisk(lived);
    await install(disk, ["claude-code", "codex"]);
    const edit = (path: string, from: string, to: string): void => {
      expect(disk.tree()[path]).toContain(from);
      disk.put(path, (disk.tree()[path] ?? "").replace(from, to));
    };
    edit(settings, '"model": "x"', '"model": "y"');
    edit(`${home}/.claude/CLAUDE.md`, "# Mine", "# Still mine");
    edit(`${home}/.codex/config.toml`, '"gpt"', '"other"');
    expect(await uninstall(disk, ["claude-code", "codex"])).toEqual([]);
    expect(disk.tree()[settings]).toBe(lived[settings]?.replace('"x"', '"y"'));
    expect(disk.tree()[`${home}/.claude/CLAUDE.md`]).toBe("# Still mine\r\n\r\nNo line end");
    expect(disk.tree()[`${home}/.codex/config.toml`]).toBe(
      lived[`${home}/.codex/config.toml`]?.replace("gpt", "other"),
    );
    expect(disk.tree()[recordPath]).toBeUndefined();
  });

  test("install after such a change keeps it, and so does uninstall", async () => {
    const disk = createFakeDisk(lived);
    await install(disk, ["claude-code"]);
    disk.put(settings, (disk.tree()[settings] ?? "").replace('"x"', '"y"').replace("turn-end", "turn-ends"));
    expect(await install(disk, ["claude-code"])).toBe(1);
    expect(disk.tree()[settings]).toContain('"y"');
    await uninstall(disk, ["claude-code"]);
    const left = disk.tree()[settings] ?? "";
    expect(left).toContain('"y"');
    expect(left).toContain("say done");
    expect(left).not.toContain("session-start");
  });

  test("what a user added or set in one of our entries survives another install", async () => {
    const disk = createFakeDisk(lived);
    const before = disk.tree();
    const gemini = `${home}/.gemini/settings.json`;
    await install(disk, ["gemini", "claude-code"]);
    const changed = (disk.tree()[gemini] ?? "")
      .replace('"heartwood": {', '"heartwood": {\n      "trust": true,')
      .replace('"timeout": 1600', '"timeout": 9000');
    expect(changed).toMatch(/trust[^]*9000/u);
    disk.put(gemini, changed);
    expect(await install(disk, ["gemini", "claude-code"])).toBe(0);
    expect(disk.tree()[gemini]).toBe(changed);
    disk.put(gemini, changed.replace('"args": [', '"args": [\n        "--tools",'));
    expect(await install(disk, ["gemini"])).toBe(1);
    await uninstall(disk, ["gemini", "claude-code"]);
    expect(disk.tree()).toEqual(before);
  });

  test("one of our files that a user changed or removed belongs to them", async () => {
    const disk = createFakeDisk({});
    await install(disk, ["codex"]);
    const skill = `${home}/.agents/skills/heartwood-core/SKILL.md`;
    disk.put(skill, "mine now\n");
    disk.drop(`${home}/.agents/skills/heartwood-recall/SKILL.md`);
    expect(await uninstall(disk, ["codex"])).toEqual([`changed_since ${skill}`]);
    expect(Object.keys(disk.tree()).filter((path) => !path.endsWith("/"))).toEqual([skill]);
  });

  test("an invalid file stays unchanged, and uninstall completes after it is repaired", async () => {
    const disk = createFakeDisk(lived);
    const before = disk.tree();
    await install(disk, ["claude-code"]);
    const whole = disk.tree()[settings] ?? "";
    disk.put(settings, `${whole}}`);
    expect(await uninstall(disk, ["claude-code"])).toEqual([`unreadable ${settings}`]);
    expect(disk.tree()[script]).toBeDefined();
    disk.put(settings, whole);
    expect(await uninstall(disk, ["claude-code"])).toEqual([]);
    expect(disk.tree()).toEqual(before);
  });

  test("a file that cannot be read or written does not block the others, and can be uninstalled later", async () => {
    const fails = (path: string, call: "read" | "commit"): MemoryError => {
      return new MemoryError("io", `Could not ${call} ${path}: the system reports EACCES.`, { path });
    };
    for (const call of ["read", "commit"] as const) {
      const disk = createFakeDisk(lived);
      const before = disk.tree();
      await install(disk, ["claude-code", "codex"]);
      const broken: FakeDisk = {
        ...disk,
        read: async (path) => {
          if (call === "read" && path === settings) throw fails(path, call);
          return disk.read(path);
        },
        commit: async (edit) => {
          if (call === "commit" && edit.path === settings) throw fails(edit.path, call);
          return disk.commit(edit);
        },
      };
      const taken = uninstall(broken, ["claude-code", "codex"]);
      if (call === "read") expect(await taken).toEqual([`unreadable ${settings}`]);
      else await expect(taken).rejects.toMatchObject({ code: "io", details: { path: settings } });
      const left = Object.keys(disk.tree()).filter((path) => disk.tree()[path] !== before[path]);
      expect(left.filter((path) => !path.endsWith("/")).toSorted()).toEqual([settings, script, recordPath].toSorted());
      expect(JSON.parse(disk.tree()[recordPath] ?? "")).toMatchObject({
        files: [{ path: script }, { path: settings }],
      });
      expect(await uninstall(disk, ["claude-code", "codex"])).toEqual([]);
      expect(disk.tree()).toEqual(before);
    }
  });

  test("a file that changes between reading and writing is not overwritten", async () => {
    const disk = createFakeDisk(lived);
    const prepared = await prepareInstall(
      { files: disk, places: fakePlaces },
      { clients: ["claude-code"], scope: "user", shipped: fakeShipped },
    );
    disk.put(settings, '{"theirs": 1}');
    await expect(prepared.apply()).rejects.toMatchObject({ code: "changed_by_other" });
    expect(disk.tree()[settings]).toBe('{"theirs": 1}');
    await install(disk, ["claude-code"]);
    await uninstall(disk, ["claude-code"]);
    expect(disk.tree()[settings]).toBe('{"theirs": 1}');
  });

  test("conflicting contents are refused before anything is written", async () => {
    for (const [path, text, code] of [
      [settings, "{", "invalid_config"],
      [settings, '{"hooks": 1}', "invalid_config"],
      [`${home}/.claude.json`, '{"mcpServers": {"heartwood": {"command": "mine"}}}', "invalid_config"],
      [`${home}/.claude/skills/heartwood-core/SKILL.md`, "mine", "not_a_file"],
      [script, "mine", "not_a_file"],
    ] as const) {
      const disk = createFakeDisk({ [path]: text });
      await expect(install(disk, ["claude-code"]), path).rejects.toMatchObject({ code });
      expect(disk.changes()).toBe(0);
    }
  });
});

test("a newer version updates only its script; the hook commands keep their text", async () => {
  const disk = createFakeDisk(lived);
  const before = disk.tree();
  await install(disk, ["claude-code"]);
  const hooks = disk.tree()[`${home}/.claude/settings.json`];
  const newer: ClientPlaces = { ...fakePlaces, program: "/opt/heartwood/2/dist/bin.js", version: "2.0.0" };
  expect(await install(disk, ["claude-code"], "user", { places: newer })).toBe(1);
  expect(disk.tree()[script]).toContain("/opt/heartwood/2");
  expect(disk.tree()[`${home}/.claude/settings.json`]).toBe(hooks);
  await uninstall(disk, ["claude-code"]);
  expect(disk.tree()).toEqual(before);
});

test("notes that a folder has no memory, unless the install creates one", async () => {
  const notesOf = async (names: readonly ClientName[], scope: Scope): Promise<string> => {
    const installing = { files: createFakeDisk({ [`${project}/README.md`]: "" }), places: fakePlaces };
    return (await prepareInstall(installing, { clients: names, scope, shipped: fakeShipped })).notes.join("\n");
  };
  expect(await notesOf(["codex"], "user")).toContain("has no memory yet");
  expect(await notesOf(["openclaw", "codex"], "user")).toContain("has no memory yet");
  expect(await notesOf(["windsurf", "codex"], "project")).toContain("nothing is injected");
  expect(await notesOf(["windsurf"], "project")).toContain("Until then, the tools report that there is no memory.");
  expect(await notesOf(["windsurf"], "project")).not.toContain("injected");
  expect(await notesOf(["openclaw"], "user")).not.toContain("has no memory yet");
  expect(await notesOf(["openclaw", "codex"], "project")).not.toContain("has no memory yet");
});

test("a rule mentions hooks and skills only if they are installed", async () => {
  const disk = createFakeDisk({});
  await install(disk, ["cursor", "windsurf"], "project");
  const spoken = /heartwood-core/u;
  expect(disk.tree()[`${project}/.cursor/rules/heartwood.mdc`]).toMatch(spoken);
  expect(disk.tree()[`${project}/.windsurf/rules/heartwood.md`]).toContain("once at the start of a session");
  expect(disk.tree()[`${project}/.windsurf/rules/heartwood.md`]).not.toMatch(spoken);
});

describe("uninstall restores files that version 0.1 edited", () => {
  const settings = `${home}/.gemini/settings.json`;
  const config = `${home}/.codex/config.toml`;
  const item = {
    hooks: [{ type: "command", name: "heartwood prompt", command: "/s hook gemini prompt", timeout: 1600 }],
  };
  const entries = [
    { as: "member", at: ["mcpServers", "heartwood"], value: { command: "/s", args: ["mcp"] } },
    { as: "item", at: ["hooks", "BeforeAgent"], value: item },
  ];
  const table = { name: ["mcp_servers", "heartwood"], lines: ['command = "/s"', 'args = ["mcp"]'] };
  const originals = { [settings]: '{\n  "a": 1, // mine\n}\n', [config]: 'model = "x"' };
  const installed = {
    [settings]: `{\n  "a": 1, // mine\n  "mcpServers": {\n    "heartwood": {\n      "command": "/s",\n      "args": [\n        "mcp"\n      ]\n    }\n  },\n  "hooks": {\n    "BeforeAgent": [\n      ${JSON.stringify(item)}\n    ]\n  },\n}\n`,
    [config]: `model = "x"\n\n# Written by heartwood install; heartwood uninstall takes it out.\n[mcp_servers.heartwood]\ncommand = "/s"\nargs = ["mcp"]\n`,
  };
  const fileOf = (path: string, contents: object): object => ({
    path,
    clients: ["gemini", "codex"],
    before: Buffer.from(originals[path] ?? "").toString("base64"),
    left: [sha256(Buffer.from(installed[path] ?? ""))],
    contents,
  });
  const files = [fileOf(settings, { kind: "json", entries }), fileOf(config, { kind: "toml", table })];
  const record = JSON.stringify({ format: 1, version: "0.1.0", files, folders: [state] });

  test("to their original bytes, or with the user's later changes", async () => {
    const disk = createFakeDisk({ ...installed, [recordPath]: record });
    expect(await uninstall(disk, ["gemini", "codex"])).toEqual([]);
    expect(disk.tree()).toMatchObject(originals);
    const changed = (all: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
      [settings]: (all[settings] ?? "").replace("1,", "2,"),
      [config]: (all[config] ?? "").replace('"x"', '"y"'),
    });
    const edited = createFakeDisk({ ...changed(installed), [recordPath]: record });
    expect(await uninstall(edited, ["gemini", "codex"])).toEqual([]);
    expect(edited.tree()).toMatchObject(changed(originals));
    expect(edited.tree()[recordPath]).toBeUndefined();
  });
});

test("files too large for the record are refused before anything is written", async () => {
  const disk = createFakeDisk({ [`${home}/.claude.json`]: JSON.stringify({ history: "x".repeat(33 * 1024 * 1024) }) });
  await expect(install(disk, ["claude-code"])).rejects.toThrow(/\.claude\.json is 34 MiB/u);
  expect(disk.changes()).toBe(0);
});

test.each(["/* ".padEnd(9, "*"), "{"])("an unparsable file is refused and nothing is written: %#", async (text) => {
  const disk = createFakeDisk({ [`${home}/.claude.json`]: text });
  await expect(install(disk, ["claude-code"])).rejects.toMatchObject({ code: "invalid_config" });
  expect(disk.changes()).toBe(0);
});

test("the record can be printed and parsed, and a foreign or newer one is refused", () => {
  const record = {
    files: [
      { path: "/a", clients: ["codex"], before: Buffer.from("x"), left: ["0"], contents: { kind: "own" } },
      { path: "/b", clients: ["codex"], before: undefined, left: [], contents: { kind: "part", text: "t" } },
    ],
    folders: ["/f"],
  } as const;
  expect(parseInstallRecord("/r", printInstallRecord(record, "1.0.0"))).toEqual(record);
  for (const text of ["", "[]", '{"format":1}', '{"format":1,"files":[{}],"folders":[]}'])
    expect(() => parseInstallRecord("/r", text)).toThrow(/not written by heartwood install/u);
  expect(() => parseInstallRecord("/r", '{"format":2}')).toThrow(/newer heartwood/u);
});

test("no client is told to read a memory file by its path, since any clone could contain one", async () => {
  for (const scope of ["user", "project"] as const) {
    const disk = createFakeDisk({});
    await install(disk, clientNames, scope);
    const written = Object.entries(disk.tree()).filter(([path]) => !path.endsWith("installed.json"));
    for (const [path, text] of written) {
      expect(text, path).not.toMatch(/"instructions"|[Rr]ead `?memory\/|@memory\//u);
      if (/ROOT\.md/u.test(text) && /AGENTS|CLAUDE|GEMINI|rules/u.test(path))
        expect(text, path).toContain("has not trusted");
    }
  }
});
