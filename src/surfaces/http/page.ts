import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../base/errors.ts";

/** A file of the page, as it is sent. */
export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** `name`: its name has a digest of its content, so it never changes. */
  readonly identified: "by name" | "by nothing";
}

const types: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

const without: PageFile = {
  bytes: new TextEncoder().encode("This build of heartwood has no page. The API is at /v1/openapi.json.\n"),
  type: "text/plain; charset=utf-8",
  identified: "by nothing",
};

/** `index-B7xK2p9q.js` */
const hashed = /[-.][A-Za-z0-9_-]{8,}\.[a-z0-9]+$/u;

/**
 * The files of the page by their path in a URL. Only these are ever sent, so no path in a request reaches the disk. A folder without `index.html` gives a
 * page of one line.
 */
export function readPage(folder: string): ReadonlyMap<string, PageFile> {
  const index = fileIn(folder, "index.html");
  const assets = attempt(() => readdirSync(join(folder, "assets"))) ?? [];
  const named = assets.flatMap((name): readonly (readonly [string, PageFile])[] => {
    const found = fileIn(join(folder, "assets"), name);
    return found === undefined ? [] : [[`/assets/${name}`, found]];
  });
  return new Map([["/", index ?? without], ...named]);
}

function fileIn(folder: string, name: string): PageFile | undefined {
  const type = types[name.slice(name.lastIndexOf(".") + 1)];
  const path = join(folder, name);
  if (type === undefined || attempt(() => statSync(path).isFile()) !== true) return undefined;
  const identified = hashed.test(name) ? "by name" : "by nothing";
  return { bytes: Uint8Array.from(readFileSync(path)), type, identified };
}
