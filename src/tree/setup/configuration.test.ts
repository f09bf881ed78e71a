import { expect, it } from "vitest";
import { openTestMemory } from "../../../test/fixtures/memory.ts";
import { readConfiguration } from "./configuration.ts";
import { runDoctor } from "../../operations/doctor.ts";
import { platforms } from "../inputs.ts";
import { readStatus } from "../../operations/status.ts";

async function refusal(text: string): Promise<unknown> {
  const { memory } = openTestMemory({ files: { "heartwood.config.json": text } });
  return readConfiguration(memory).then(
    () => "accepted",
    (error: { readonly code: string; readonly message: string }) => `${error.code}: ${error.message}`,
  );
}

it("a value of the wrong kind is refused with its key, even if the key has no effect", async () => {
  const of = "in heartwood.config.json is";
  expect([
    await refusal('{"search": 5}'),
    await refusal('{"search": {"vector": "yes"}}'),
    await refusal('{"search": {"embedModel": 7}}'),
    await refusal('{"compaction": {"rootMaxTokens": 3000.5}}'),
    await refusal('{"compaction": {"cooldownHours": "3"}}'),
  ]).toEqual([
    `invalid_config: search ${of} 5; it must be an object: change it there.`,
    `invalid_config: search.vector ${of} "yes"; it must be auto, required or false: change it there.`,
    `invalid_config: search.embedModel ${of} 7; it must be a name such as auto: change it there.`,
    `invalid_config: compaction.rootMaxTokens ${of} 3000.5; it must be a whole number from 200 to 100000: change it there.`,
    `invalid_config: compaction.cooldownHours ${of} "3"; it must be a number from 0 to 10000: change it there.`,
  ]);
  expect(
    await refusal('{"search": {"vector": true, "embedModel": "auto"}, "compaction": {"cooldownHours": 0.5}}'),
  ).toBe("accepted");
});

it.each([
  ["plane", "plain"],
  ["Claude-Code", "claude-code"],
  ["claude", "claude-code"],
  ["gemini-cli", "gemini"],
  ["opencalw", "openclaw"],
])("the unknown platform %s is refused, and the nearest known one is suggested", async (seen, near) => {
  expect(await refusal(JSON.stringify({ platform: seen }))).toBe(
    `invalid_config: platform in heartwood.config.json is "${seen}"; it must be one of ${platforms.join(", ")} (did you mean ${near}?): change it there.`,
  );
});

it("a value close to none of the allowed ones is refused, and the allowed ones are listed", async () => {
  for (const platform of ["zed", 5, ""])
    expect(await refusal(JSON.stringify({ platform }))).toMatch(
      /it must be one of plain, .*windsurf: change it there/u,
    );
  expect(await refusal('{"summaries": {"adapter": "poll"}}')).toContain("off or pull (did you mean pull?)");
  expect(await refusal('{"summaries": {"maxRequestPerDay": 1}}')).toContain("(did you mean maxRequestsPerDay?)");
  expect(await refusal('{"worktrees": "share"}')).toContain("it must be shared or own (did you mean shared?)");
  expect(await refusal('{"recall": {"choser": "off"}}')).toContain("(did you mean chooser?)");
});

const slips = '{"serach": {}, "compaction": {"cooldwonHours": 1, "rootMaxTokens": 2400}, "search": {"speed": 9}}';
const unknown = [
  "serach is not a known key and is ignored; known keys: platform, search, compaction, summaries, recall, worktrees (did you mean search?)",
  "search.speed is not a known key and is ignored; known keys: vector, embedModel",
  "compaction.cooldwonHours is not a known key and is ignored; known keys: rootMaxTokens, cooldownHours (did you mean cooldownHours?)",
];

it.each(["heartwood.config.json", "hipocampus.config.json"])(
  "unknown keys of %s are reported by status and doctor with the nearest known key, and the other keys apply",
  async (path) => {
    const { memory } = openTestMemory({ files: { [path]: slips } });
    expect((await readConfiguration(memory)).configuration).toMatchObject({ rootMaxTokens: 2400, cooldownHours: 3 });
    const { warnings } = await readStatus(memory);
    expect(warnings.filter(({ code }) => code === "unknown_key")).toEqual(
      unknown.map((message) => ({ code: "unknown_key", path, message })),
    );
    const { ok, checks } = await runDoctor(memory, {});
    expect(ok).toBe(true);
    for (const message of unknown)
      expect(checks).toContainEqual({
        name: "configuration",
        state: "note",
        message: `${path}: ${message}`,
        fix: `correct it in ${path}, or remove it`,
      });
  },
);

it.each([
  ["autoo", ["mine"], "(did you mean auto?)"],
  ["mien", ["mine"], "(did you mean mine?)"],
])(
  "an undefined embedder in the project configuration (%s) is reported by status and doctor",
  async (named, own, near) => {
    const files = { "heartwood.config.json": JSON.stringify({ search: { embedModel: named } }) };
    const embedders = new Map(own.map((name) => [name, { id: "fake-1", open: async () => expect.unreachable() }]));
    const { memory } = openTestMemory({ files, with: { embedders } });
    const { warnings } = await readStatus(memory);
    expect(warnings.find(({ code }) => code === "embedder_unknown")?.message).toContain(near);
    const { ok, checks } = await runDoctor(memory, {});
    expect(ok).toBe(true);
    const rows = checks.filter(({ name }) => name === "configuration");
    expect(rows).toEqual([
      {
        name: "configuration",
        state: "note",
        message: expect.stringContaining(near),
        fix: "correct search.embedModel in heartwood.config.json, or define it in your own settings",
      },
    ]);
  },
);

it("unreadable settings are a problem in doctor, next to the findings about the configuration", async () => {
  const warning = {
    code: "invalid_config",
    path: "/home/ann/.config/heartwood/config.json",
    message: "Your settings …",
  };
  const files = { "heartwood.config.json": "{ no" };
  const { memory } = openTestMemory({ files, with: { user: { qmd: "off", warnings: [warning] } } });
  const { ok, checks } = await runDoctor(memory, {});
  expect(ok).toBe(false);
  const rows = checks.filter(({ name }) => name === "configuration");
  expect(rows).toMatchObject([
    { state: "problem", message: warning.message },
    { state: "problem", message: expect.stringContaining("is not JSON") },
  ]);
});

it("doctor reports a refused value, and unknown keys of the user's settings", async () => {
  const broken = openTestMemory({ files: { "heartwood.config.json": '{"platform": "plane"}' } });
  const { ok, checks } = await runDoctor(broken.memory, {});
  expect(ok).toBe(false);
  expect(checks.find(({ name }) => name === "configuration")).toMatchObject({
    state: "problem",
    message: expect.stringContaining("(did you mean plain?)"),
  });
  const warning = { code: "unknown_key", path: "/home/ann/.config/heartwood/config.json", message: "qdm is …" };
  const { memory } = openTestMemory({ files: {}, with: { user: { qmd: "off", warnings: [warning] } } });
  expect((await readStatus(memory)).warnings).toEqual([warning]);
  const notes = (await runDoctor(memory, {})).checks.filter(({ name }) => name === "configuration");
  expect(notes.map(({ message }) => message)).toContain(`${warning.path}: ${warning.message}`);
});
