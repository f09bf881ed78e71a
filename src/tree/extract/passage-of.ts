import type { Passage, Role, SourceSection } from "../../base/passage.ts";
import type { Ref } from "../../base/refs.ts";

/** The raw lines behind a kept line. */
export function refOf(section: SourceSection, line: { readonly number: number; readonly to?: number }): Ref {
  return { log: section.log, from: line.number, to: Math.max(line.number, line.to ?? 0) };
}

/** A passage of a section of which nothing is told yet. */
export function passageOf(section: SourceSection, role: Role, topic: string): Passage {
  return {
    role,
    topic,
    type: section.type,
    tag: section.tag,
    text: "",
    lines: [],
    refs: [],
    progress: "active",
    at: [0, 0],
    weight: 1,
    naming: "given",
  };
}
