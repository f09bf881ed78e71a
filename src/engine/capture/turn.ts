import { tellingWords } from "../../recall/words/index.ts";
import { reduced } from "./reduce.ts";

/** A message of the person and what the model said up to now. All texts are redacted and reduced. */
export interface Turn {
  /** The client's id of the person's message. */
  readonly message: string;
  readonly at_ms: number;
  readonly user: string;
  /** The last thing that the model said; empty while it has said nothing. */
  readonly assistant: string;
  /** What the model did last: tools are called before its last word. */
  readonly last: "words" | "work";
}

/** Longer messages are looked at as if they said something. Characters. */
const longestCourtesy = 400;

/** The turn that a message of the person begins; `undefined` of one that says nothing: a greeting, thanks, go on. The text must be redacted. */
export function turnOf(message: {
  readonly id: string;
  readonly text: string;
  readonly at_ms: number;
}): Turn | undefined {
  const { id, text, at_ms } = message;
  if (text.length <= longestCourtesy && tellingWords(text).length === 0) return undefined;
  const user = reduced(text);
  return user === "" ? undefined : { message: id, at_ms, user, assistant: "", last: "work" };
}

/** The turn after words of the model, which must be redacted. */
export function answered(turn: Turn, text: string): Turn {
  const assistant = reduced(text);
  return assistant === "" ? turn : { ...turn, assistant, last: "words" };
}
