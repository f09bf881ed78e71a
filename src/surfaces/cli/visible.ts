/** Control characters other than tab and line feed, and the marks that reorder or hide text on a screen. */
const UNSEEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]/gu;

/** Memory is data: escape sequences and hidden characters in it are shown as `\u{1b}`, never obeyed by the terminal. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (found) => (found === "\r" ? "" : `\\u{${found.codePointAt(0)?.toString(16) ?? ""}}`));
}

/** The same value with every text in it made visible. */
export function visibleIn<T>(value: T): T {
  return mapped(value) as T;
}

function mapped(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map(mapped);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapped(part)]));
}
