import { isPreserved, topicKey } from "../../base/memory-type.ts";
import { mergeRefs, refsOverlap, type Ref } from "../../base/refs.ts";
import type { RootSection } from "./root-format.ts";
import type { PlacedPassage, RootTopic } from "./root-topics.ts";

/** A line that ROOT.md could have. */
export interface RootCandidate {
  readonly section: RootSection;
  readonly text: string;
  /** The topic it is about; empty for a line about a period. */
  readonly topic: string;
  readonly refs: readonly Ref[];
  /** The passages of monthly nodes that it was compiled from. */
  readonly from: readonly PlacedPassage[];
  readonly value: number;
}

/** A reference is its pointer and a line: keywords of it at most. */
const mostOfReference = 5;

/** `- topic [type, Nd]: keywords → pointer`; marks such as `?` and `by agent` follow the age. */
export function indexLine(topic: RootTopic, keywords: number): RootCandidate {
  const doubt = topic.type === "reference" && topic.age > 30 ? ", ?" : "";
  const most = topic.type === "reference" ? Math.min(keywords, mostOfReference) : keywords;
  const words = topic.keywords
    .filter((word) => topic.pointer === "" || !topic.pointer.includes(word))
    .slice(0, most)
    .join(", ");
  const pointer = topic.pointer === "" || words.includes(topic.pointer) ? "" : ` → ${topic.pointer}`;
  const [type = "", origin] = (topic.tag ?? topic.type).split(" by ");
  const by = origin === undefined ? "" : `, by ${origin}`;
  const text = `- ${topic.name} [${type}, ${topic.age}d${doubt}${by}]${words === "" ? "" : `: ${words}`}${pointer}`;
  return {
    section: "Topics Index",
    text,
    topic: topic.key,
    refs: topic.refs,
    from: topic.entries.length > 0 ? topic.entries : topic.details,
    value: valueOf(topic),
  };
}

/** `Style [feedback, by import]` where what these passages say only claims to be a person's word; otherwise the name. */
export function nameWithClaim(topic: RootTopic, from: readonly PlacedPassage[]): string {
  const claimed = [...topic.entries, ...topic.details].flatMap(({ type, tag, refs }) =>
    tag !== undefined && !isPreserved(type) && refsOverlap(refs, refsOf(from)) ? [tag] : [],
  );
  const [tag] = claimed.toSorted();
  return tag === undefined ? topic.name : `${topic.name} [${tag.replace(" by ", ", by ")}]`;
}

/** What a reader gains by finding the topic here: its mass, how fresh it is, its type, and how much it says. */
function valueOf(topic: RootTopic): number {
  const told = 0.15 + 0.85 * Math.min(1, topic.keywords.length / 8);
  const fresh = 0.4 + 1 / (1 + topic.age / 45);
  const kind = isPreserved(topic.type) ? 4 : topic.type === "reference" ? 0.9 : topic.progress === "done" ? 0.5 : 1;
  return Math.log2(2 + topic.weight) * fresh * kind * told;
}

export function refsOf(passages: readonly PlacedPassage[]): readonly Ref[] {
  return mergeRefs(passages.flatMap((passage) => passage.refs));
}

export function byValue(a: RootCandidate, b: RootCandidate): number {
  return b.value - a.value || (topicKey(a.text) < topicKey(b.text) ? -1 : 1);
}
