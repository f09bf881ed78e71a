import type { Item, Reading } from "./items.ts";

const patterns = {
  url: /(?<![A-Za-z0-9+.-])(?:[a-z][a-z0-9+.-]{1,15}:\/\/|www\.)[!#-&(-;=?-_a-~]+/giu,
  email: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/gu,
  handle: /(?<![\w@/.])@[A-Za-z][\w-]{1,38}(?:\/[\w.-]{1,60})?/gu,
  path: /(?<![\w.@+~%$/\\-])[\w.@+~%$-]*(?:[/\\]+[\w.@+~%$[\]-]+)+/gu,
  file: /(?<![\w.-])\.?[\w-][\w.-]{0,100}\.(?:tsx?|[cm]?jsx?|mts|py|ipynb|go|rs|java|kt|swift|rb|php|c|h|cc|cpp|hpp|cs|sql|mdx?|txt|rst|json[lc5]?|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|s?css|svg|png|jpe?g|gif|webp|mp[34]|wav|mov|pdf|docx?|xlsx?|pptx?|csv|tsv|parquet|db|sqlite|zip|tar|gz|tgz|sh|bash|zsh|ps1|bat|log|diff|patch|proto|graphql|tf|vue|svelte|gguf|bin|exe|dll|so|wasm|pem|crt)(?![\w])/giu,
  host: /(?<![\w.@-])(?:[A-Za-z0-9-]{1,63}\.){1,6}(?:com|org|net|io|dev|app|ai|co|kr|jp|cn|de|fr|uk|eu|me|info|local|internal|example|test|cloud)(?::\d{2,5})?(?![\w])/gu,
  version:
    /(?<![\w.-])(?:[\^~=]{0,2}v?\d{1,5}(?:\.\d{1,5}){2,4}(?:[-+][A-Za-z][\w.]{0,30})?|v\d{1,5}(?:\.\d{1,5})?)(?![\w])/giu,
  flag: /(?<![\w-])--[A-Za-z][\w-]{0,60}/gu,
  word: /(?<![\w$.-])[#$]?[A-Za-z0-9_$]+(?:(?:\.|::|->|[-#])[A-Za-z0-9_$]+)*(?:\(\))?/gu,
};

/** Folders by which a path of plain words is told from a choice of words (`src/limit`, `red/green`). */
const roots =
  /^(?:src|lib|libs|tests?|spec|docs?|apps?|packages|bin|dist|build|etc|usr|var|opt|home|tmp|internal|cmd|pkg|scripts?|tools|config|public|assets|web|server|client|memory|migrations|examples?|bench|data|infra|deploy|services?|components|modules|adapters|workers?)$/u;

/** Paths, addresses, versions and identifiers of a line. */
export function readCodes(reading: Reading): void {
  reading.take(patterns.url, ([shown]) => ofSegments("address", trimmed(shown)));
  reading.take(patterns.email, ([shown]) => ({ kind: "address", shown, keys: [`c${squashed(shown)}`] }));
  reading.take(patterns.handle, ([shown]) => ({ kind: "name", shown: trimmed(shown), keys: [`c${squashed(shown)}`] }));
  reading.take(patterns.path, ([shown]) => (isPath(trimmed(shown)) ? ofSegments("path", trimmed(shown)) : null));
  reading.take(patterns.file, ([shown]) => ofSegments("path", shown));
  reading.take(patterns.host, ([shown]) => ofSegments("address", shown));
  reading.take(patterns.version, ([shown]) => ({
    kind: "version",
    shown,
    keys: [`v${shown.replace(/^[\^~=vV]+/u, "").toLowerCase()}`],
  }));
  reading.take(patterns.flag, ([shown]) => ({ kind: "identifier", shown, keys: [`c${squashed(shown)}`] }));
  reading.take(patterns.word, ([shown]) => {
    if (!isIdentifier(shown)) return null;
    // Products are written in one word too: `PostgreSQL`.
    const name = /^[A-Z][A-Za-z]+$/u.test(shown) ? [`w${shown}`] : [];
    return { kind: "identifier", shown, keys: [`c${squashed(shown)}`, ...name] };
  });
}

/** Parts of a path or address, from the host or the first folder on; without scheme, query and fragment. */
export function segmentsOf(shown: string): readonly string[] {
  return shown
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]{0,15}:\/\/|^www\./u, "")
    .replace(/^www\./u, "")
    .split(/[?#]/u, 1)[0]!
    .split(/[/\\]+/u)
    .filter((part) => part !== "" && !/^(?:\.{1,2}|~)$/u.test(part));
}

/** Without case and signs. */
export function squashed(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}

/** Parts of an identifier that stand for themselves: `store` and `take` of `store.take()`. */
export function partsOf(shown: string): readonly string[] {
  return shown.split(/\.|::|->|[#()]+/u).filter((part) => part !== "");
}

function ofSegments(kind: "path" | "address", shown: string): Item | null {
  return segmentsOf(shown).length === 0 ? null : { kind, shown, keys: [] };
}

function isPath(shown: string): boolean {
  const parts = segmentsOf(shown);
  if (parts.every((part) => /^[\d.,%$-]+$/u.test(part))) return false;
  if (/^(?:[~.]{0,2}[/\\]|[A-Za-z]:\\)/u.test(shown)) return /[A-Za-z]{2}/u.test(shown);
  if (parts.length < 2) return false;
  if (parts.some((part) => /^\d{3,}$/u.test(part)) && /^[a-z]{3}/u.test(parts[0] ?? "")) return true;
  return (
    roots.test(parts[0] ?? "") ||
    /\.[a-z][a-z0-9]{0,7}$/u.test(parts.at(-1) ?? "") ||
    parts.some((part) => /[a-z][_\d][a-z\d]|[a-z]-[a-z]/u.test(part) && parts.length > 2)
  );
}

function isIdentifier(run: string): boolean {
  if (/^[ckm]?m[23]$/u.test(run)) return false;
  if (/^[#$]?[\d_.-]+$/u.test(run)) return /^#\d/u.test(run);
  // `15th`, `5min`, `30-minute`, `1990s` are numbers with what they count.
  if (/^\$?\d+(?:[.,]\d+)*-?[A-Za-z]{1,4}$|^\d+(?:-\d+)?-[A-Za-z-]+$/u.test(run))
    return /^\d[A-Z]{1,2}$|[A-Za-z]\d|^(?=.*\d)(?=.*[a-f])[\da-f]{7,}$/u.test(run);
  if (/[_$]|[a-z\d][A-Z]|::|->|\(\)$/u.test(run)) return true;
  if (/[A-Za-z]/u.test(run) && /\d/u.test(run)) return true;
  return /[A-Za-z]{2}\.[A-Za-z]{2}/u.test(run) && !/^[A-Z][a-z]+\.[A-Z]|^[a-z]+\.[A-Z]/u.test(run);
}

/** Without the signs of a sentence at its end. */
function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && ".,;:!?)]}*_-".includes(text[end - 1] ?? "")) end -= 1;
  return text.slice(0, end);
}
