import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../base/shown.ts";

/** What was spent so far; grows while tries go on. */
export interface Spent {
  tries: number;
  /** Tries that left the machine. */
  requests: number;
  tokens?: { readonly prompt: number; readonly answer: number };
}

interface Said {
  /** The end of a sentence about the endpoint. */
  readonly why: string;
  /** What the endpoint said itself, as it came. */
  readonly said: string;
}

/** Errors of one endpoint. Neither its words nor ours ever hold the key. */
export interface Failures {
  /** `until`: when to try again, in milliseconds since the epoch. */
  unavailable(said: Said, spent: Spent, until?: number): MemoryError;
  refused(said: Said, spent: Spent): MemoryError;
  noAnswer(why: string, spent: Spent): MemoryError;
}

/** `key` is taken out of everything that the endpoint says. */
export function openFailures(
  { baseUrl, model }: { readonly baseUrl: string; readonly model: string },
  key: string | undefined,
): Failures {
  const who = `The model ${model} at ${baseUrl}`;
  const quoted = (said: string): string => {
    const clean = shown(key === undefined ? said : said.replaceAll(key, "[key]"), 200);
    return clean === "" ? "" : `: "${clean}"`;
  };
  return {
    unavailable: ({ why, said }, spent, until) => {
      const times = spent.tries === 1 ? "" : ` in ${spent.tries} tries`;
      const when = until === undefined ? "try again later" : `try again after ${new Date(until).toISOString()}`;
      const message = `${who} ${why}${times}${quoted(said)}; ${when}, and look whether it runs.`;
      return new MemoryError("model_unavailable", message, detailsOf(spent));
    },
    refused: ({ why, said }, spent) =>
      new MemoryError(
        "model_refused",
        `${who} ${why}${quoted(said)}; mend the model, address or key in your settings.`,
        detailsOf(spent),
      ),
    noAnswer: (why, spent) => new MemoryError("model_answer", `${who} ${why}.`, detailsOf(spent)),
  };
}

/** For `details` of an error. */
export function detailsOf({ requests, tokens }: Spent): Readonly<Record<string, number>> {
  if (requests === 0) return { requests, tokens: 0 };
  return tokens === undefined ? { requests } : { requests, tokens: tokens.prompt + tokens.answer };
}
