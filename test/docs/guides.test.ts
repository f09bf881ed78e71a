import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { clientNames, type ClientName } from "../../src/agents/install/client-files.ts";
import { clients } from "../../src/agents/install/clients/index.ts";
import type { Scope, Wanted } from "../../src/agents/install/client-files.ts";
import { fakePlaces, fakeShipped } from "../fixtures/client-files.ts";

/** What each client's guide says is written, compared with what install writes. */
const { home, project, openclaw } = fakePlaces;

function guideOf(client: ClientName): string {
  return readFileSync(join(import.meta.dirname, "../../docs/guides", `${client}.md`), "utf8");
}

function wantedOf(client: ClientName, scope: Scope): readonly Wanted[] {
  const request = {
    scope,
    places: fakePlaces,
    shipped: fakeShipped,
    script: "/s",
    firstThere: lastOf,
    summaries: "pull",
  } as const;
  return clients[client](request).wanted;
}

function lastOf(paths: readonly [string, ...string[]]): string {
  return paths.at(-1) ?? paths[0];
}

/** The path as written in guides. */
function shortOf(client: ClientName, path: string): string {
  const own = client === "openclaw" ? path.replace(`${openclaw}/`, "") : path;
  return own
    .replace(`${project}/`, "")
    .replace(`${home}/`, "~/")
    .replace(/heartwood-[a-z]+\/SKILL\.md$/u, "heartwood-*/");
}

const cases = clientNames.flatMap((client) => (["user", "project"] as const).map((scope) => ({ client, scope })));

describe.each(cases)("the guide of $client, for the $scope", ({ client, scope }) => {
  test("names every file that is written, in backticks", () => {
    const guide = guideOf(client);
    for (const { path } of wantedOf(client, scope)) {
      const short = shortOf(client, path);
      const [folder = "", name = ""] = [short.slice(0, short.lastIndexOf("/") + 1), short.split("/").at(-1)];
      const isNamed =
        guide.includes(`\`${short}\``) || (guide.includes(`\`${folder}\``) && guide.includes(`\`${name}\``));
      expect(isNamed, `${short} in the guide of ${client}`).toBe(true);
    }
  });

  test("names every event, server and setting that is added to an existing file", () => {
    const guide = guideOf(client);
    const entries = wantedOf(client, scope).flatMap((one) => (one.kind === "json" ? one.entries : []));
    for (const { at, as } of entries)
      if (as !== "frame") expect(guide, at.join(".")).toMatch(new RegExp(`\`(?:[a-zA-Z]+\\.)*${at.at(-1)}\``, "u"));
  });
});

test.each(clientNames)(
  "the guide of %s says how to preview the changes, what to trust, and how to undo them",
  (client) => {
    const guide = guideOf(client);
    expect(guide).toMatch(new RegExp(`heartwood install ${client}[^\\n]* --dry-run\\n`, "u"));
    expect(guide).toMatch(new RegExp(`heartwood uninstall ${client}`, "u"));
    expect(guide).toContain("`installed.json` are in `~/.local/state/heartwood/`");
    expect(guide).toMatch(/^## The trust step/mu);
    expect(guide).toMatch(/^## To undo/mu);
  },
);
