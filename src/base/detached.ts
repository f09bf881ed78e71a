/**
 * The same string, as one of its own. An engine may keep a part of a text as a view into the whole text, which then stays in memory for as long as
 * the part does (V8: parts of 13 characters and more). Use it for what outlives the text it was cut from.
 */
export function detached(part: string): string {
  return part.length < shortestView ? part : ` ${part}`.slice(1);
}

const shortestView = 13;
