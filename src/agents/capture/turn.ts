import { isOnlyCourtesy, saysSomething } from "./courtesy.ts";
import { reduced } from "./reduce.ts";

/** A message of the person and what the model said up to now. All texts are redacted and reduced. */
export interface Turn {
  /** The client's id of the person's message. */
  readonly message: string;
  readonly at_ms: number;
  /** When the sitting began in which the person said it. */
  readonly sitting_at_ms: number;
  readonly user: string;
  /** The last thing that the model said; empty while it has said nothing. */
  readonly assistant: string;
  /** What the model did last: tools are called before its last word. */
  readonly last: "words" | "work";
  /** `courtesy`: up to now nothing but thanks, agreement or going on was said, and nothing was done. */
  readonly holds: "courtesy" | "content";
}

/** The turn that a message of the person begins; `undefined` of one without words. The text must be redacted. */
export function turnOf(message: {
  readonly id: string;
  readonly text: string;
  readonly at_ms: number;
  readonly sitting_at_ms: number;
}): Turn | undefined {
  const { id, text, at_ms, sitting_at_ms } = message;
  const user = reduced(text);
  const holds = isOnlyCourtesy(text) ? "courtesy" : "content";
  return user === "" ? undefined : { message: id, at_ms, sitting_at_ms, user, assistant: "", last: "work", holds };
}

/** The turn after words of the model, which must be redacted. */
export function answered(turn: Turn, text: string): Turn {
  const assistant = reduced(text);
  if (assistant === "") return turn;
  const holds = turn.holds === "courtesy" && !saysSomething(text) ? "courtesy" : "content";
  return { ...turn, assistant, last: "words", holds };
}

/** The turn after something that is no word of the model: it was done, or may have been. */
export function worked(turn: Turn, what: "tool" | "unsure"): Turn {
  return { ...turn, last: what === "tool" ? "work" : turn.last, holds: "content" };
}
