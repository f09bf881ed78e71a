import { detached } from "../../base/lines.ts";

/** Words come again and again; forgetting them changes no result. */
const mostKnown = 50_000;
const known = new Map<string, string>();

/** A key under which inflections of an English word meet: `deploy`, `deploys`, `deployed`; `cache`, `caching`; `log`, `logs`. Takes a word's key. */
export function sameWord(key: string): string {
  const found = known.get(key);
  if (found !== undefined) return found;
  const own = detached(key);
  const same = uninflected(own);
  if (known.size >= mostKnown) known.clear();
  known.set(own, same);
  return same;
}

function uninflected(key: string): string {
  if (!/^[a-z]{4,}$/u.test(key)) return key;
  const single = key.length === 4 && /[^sui]s$/u.test(key) ? key.slice(0, -1) : key;
  const undoubled = single.length > 4 ? single.replace(/([bdgmnprt])\1$/u, "$1") : single;
  return undoubled.length > 4 ? undoubled.replace(/(?:ie|e|er|ment|ion|y)$/u, "") : undoubled;
}
