import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Driver } from "./driver.ts";
import { heartwood } from "./scratch.ts";
import type { Scratch } from "./scratch.ts";
import type { Asked } from "./stub-model.ts";

/** How often `words` occur in a request. */
export function timesIn(asked: Asked | undefined, words: string): number {
  return (asked?.text.split(words).length ?? 1) - 1;
}

/** The texts that heartwood added to a request, without their fences. Some clients escape them. */
export function injectedIn(asked: Asked | undefined): readonly string[] {
  const text = (asked?.text ?? "").replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  return [...text.matchAll(/<<<([0-9a-f]{8}) ([\s\S]*?)\1>>>/gu)].map(([, , inner = ""]) => inner);
}

/** Waits for capture, which is detached from the client. */
export async function captured(scratch: Scratch, driver: Driver, words: readonly string[], tries = 240): Promise<void> {
  let log = "";
  let thread = "";
  for (let left = tries; left > 0; left -= 1) {
    log = logOf(scratch);
    if (words.every((one) => log.includes(one))) {
      thread = threadsOf(scratch, driver);
      if (words.every((one) => thread.includes(one))) return;
    }
    await sleep(500);
  }
  for (const one of words) {
    expect(log, "the logs").toContain(one);
    expect(thread, "the threads").toContain(one);
  }
}

/** The text of all daily logs. */
export function logOf({ project }: Scratch): string {
  const folder = join(project, "memory");
  const days = readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\d\.md$/.test(name));
  return days.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
}

/** Every frame of the client's threads. */
export function threadsOf(scratch: Scratch, { client }: Driver): string {
  const { threads } = JSON.parse(heartwood(scratch, ["thread", "list", "--json"])) as {
    readonly threads: readonly { readonly thread_id: string }[];
  };
  return threads
    .filter(({ thread_id: id }) => id.startsWith(`${client}-`))
    .map(({ thread_id: id }) => heartwood(scratch, ["thread", "export", id]))
    .join("\n");
}
