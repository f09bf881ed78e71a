import { expect, it } from "vitest";
import { compact, expectSound, keyAt, rootSection, textAt } from "../../../test/situations/scenario.ts";
import { openTestMemory } from "../../../test/fixtures/memory.ts";

function daily(day: string, topics: string, body: string): Record<string, string> {
  const text = `---\ntype: daily\nstatus: fixed\nperiod: ${day}\nsource-files: [memory/${day}.md]\ntopics: ${topics}\n---\n\n${body}`;
  return { [`memory/daily/${day}.md`]: text };
}

it("topics and types of a day without logs reach ROOT.md, even those only in its front matter", async () => {
  const tree = openTestMemory({
    files: daily(
      "2026-03-10",
      "tone, zebra, timezone [user]",
      "## Topics\ntone [feedback], editor [user]\n\n## Lessons Learned\n- tone: answer briefly\n\n## Open Items\n- deploy the gateway\n",
    ),
  });
  await compact(tree, "2026-03-12");
  const index = rootSection(tree, "Topics Index").join("\n");
  expect(index).toContain("- tone [feedback, 2d]: answer briefly");
  expect(index).toContain("- editor [user, 2d]");
  expect(index).toContain("- timezone [user, 2d]");
  expect(index).toContain("- zebra [project, 2d]");
  expect(keyAt(tree, "memory/weekly/2026-W11.md", "topics")).toContain("tone");
  await expectSound(tree);
});

it("an open item of WORKING.md without a topic creates none, even above the threshold", async () => {
  const day = "2026-03-10";
  const filler = Array.from({ length: 230 }, (_, index) => `- step ${index} of the migration took ${index} ms`);
  const tree = openTestMemory({
    files: {
      [`memory/${day}.md`]: [
        `# ${day}`,
        "",
        "## Migration [project]",
        ...filler,
        "",
        "## Working State Snapshot [project]",
        "- [ ] deploy: check certificates",
        "",
        "## std::vector [project]",
        "- decisions: reserve before the loop",
        "",
      ].join("\n"),
    },
  });
  await compact(tree, "2026-03-12");
  expect(textAt(tree, `memory/daily/${day}.md`)).toContain("- \\deploy: check certificates (03-10:");
  const root = rootSection(tree, "Topics Index").join("\n");
  expect(root).not.toContain("deploy");
  expect(rootSection(tree, "Active Context").join("\n")).toContain("- std::vector: reserve before the loop");
  await expectSound(tree);
});

it("a day with nothing to keep creates no topic", async () => {
  const fence = `\`\`\`\n${"code\n".repeat(230)}\`\`\`\n`;
  const tree = openTestMemory({ files: { "memory/2026-03-10.md": fence } });
  await compact(tree, "2026-03-12");
  expect(textAt(tree, "memory/daily/2026-03-10.md")).toContain("nothing to keep");
  expect(rootSection(tree, "Topics Index").join("\n")).not.toContain("nothing to keep");
});

it("a user's line with an address survives whole, with its pointer", async () => {
  const tree = openTestMemory({ files: { "memory/2026-03-10.md": "## Kiln [project]\n- fired twice\n" } });
  await compact(tree, "2026-03-10");
  const added = [
    "- onboarding guide https://wiki.example.com/onboarding [reference]",
    "- https://status.example.com [reference]",
    "- standup is at 10:30 [user]",
    `- ${"a".repeat(79)}🚀bc tail: told something`,
  ];
  tree.write("memory/ROOT.md", `${textAt(tree, "memory/ROOT.md")}${added.join("\n")}\n`);
  await compact(tree, "2026-03-11");
  await compact(tree, "2026-04-20");
  const index = rootSection(tree, "Topics Index").join("\n");
  expect(index).toMatch(/^- onboarding guide \[reference, .*https:\/\/wiki\.example\.com\/onboarding$/mu);
  expect(index).toMatch(/^- status\.example\.com \[reference, .*https:\/\/status\.example\.com$/mu);
  expect(index).toMatch(/^- standup is at 10:30 \[user, .*$/mu);
  expect(textAt(tree, "memory/ROOT.md")).not.toContain("\ufffd");
  await expectSound(tree);
});

it("entries whose heading begins or ends with the day are one topic across days", async () => {
  const files: Record<string, string> = {};
  for (const day of ["2026-03-10", "2026-03-11", "2026-03-12"])
    files[`memory/${day}.md`] =
      `# ${day}\n\n## ${day} sync with Basel\n\n- gateway tokens\n\n## Retro (${day})\n\n- pagers\n`;
  const tree = openTestMemory({ files });
  await compact(tree, "2026-03-12");
  const index = rootSection(tree, "Topics Index").join("\n");
  expect(index.split("\n").toSorted()).toEqual(["- Retro [project, 0d]", "- sync with Basel [project, 0d]"]);
  expect(rootSection(tree, "Active Context")).toContain("- Retro: pagers");
  await expectSound(tree);
});

it("decisions and open items of busy days move up into the week before notes do", async () => {
  const files: Record<string, string> = {};
  for (const day of ["2026-03-09", "2026-03-10", "2026-03-11"]) {
    const notes = Array.from({ length: 250 }, (_, n) => `- row ${n} of ${day} was read twice by clerk number ${n * 7}`);
    const told = [`- decision: ledger ${day} is kept in red ink`, `- open: who binds ledger ${day}?`];
    files[`memory/${day}.md`] = [`# ${day}`, "", "## Ledger [project]", ...told, ...notes, ""].join("\n");
  }
  const tree = openTestMemory({ files });
  await compact(tree, "2026-03-12");
  const week = textAt(tree, "memory/weekly/2026-W11.md");
  for (const day of ["2026-03-09", "2026-03-10", "2026-03-11"]) {
    expect(week).toContain(`- Ledger: ledger ${day} is kept in red ink`);
    expect(week).toContain(`- Ledger: who binds ledger ${day}?`);
  }
  await expectSound(tree);
});
