import { styleText } from "node:util";
import type { SinkLook } from "../terminal.ts";

/** What a result is rendered for. */
export interface Screen {
  readonly columns: number;
  readonly paint: Paint;
  /** What the operation was asked for; empty when that makes no difference. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** The sink of a result, and what was asked for. */
export interface View extends SinkLook {
  readonly input?: Readonly<Record<string, unknown>>;
}

/** Colours by meaning; each returns the text as it is when colours are off. */
export interface Paint {
  title(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  warn(text: string): string;
  bad(text: string): string;
  /** What one text has and the other has not; without colours in marks, `[-only here-]` and `{+only there+}`. */
  left(text: string): string;
  right(text: string): string;
  /** A word that was looked for; without colours `«word»`. */
  hit(text: string): string;
}

/** The screen behind a sink. In a pipe nothing is cut: a program or a pager may want the whole line. */
export function screenOf({ kind, columns, colours, input = {} }: View): Screen {
  const width = kind === "terminal" ? columns : Number.POSITIVE_INFINITY;
  return { columns: width, paint: colours === "on" ? COLOURED : PLAIN, input };
}

const PLAIN: Paint = {
  title: (text) => text,
  dim: (text) => text,
  good: (text) => text,
  warn: (text) => text,
  bad: (text) => text,
  left: (text) => `[-${text}-]`,
  right: (text) => `{+${text}+}`,
  hit: (text) => `«${text}»`,
};

const COLOURED: Paint = {
  title: painter("bold"),
  dim: painter("dim"),
  good: painter("green"),
  warn: painter("yellow"),
  bad: painter("red"),
  left: painter("red"),
  right: painter("green"),
  hit: painter("bold"),
};

function painter(format: Parameters<typeof styleText>[0]): (text: string) => string {
  return (text) => styleText(format, text, { validateStream: false });
}
