import { realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { attempt } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import { Section } from "./section.ts";

/** Where the threads of some projects are kept, from the user's settings; see docs/guides/postgres.md. */
export interface StoreSettings {
  readonly address: StoreAddress;
  /** For a pooler, such as PgBouncer, that gives each transaction another connection. */
  readonly pooler?: "transaction";
  /** Folders, and the name under which each one's threads are kept. Threads of all other folders stay in their files. */
  readonly projects: ReadonlyMap<string, string>;
}

/** An address, which may contain a password, or the environment variable that has it. */
export type StoreAddress = { readonly url: string } | { readonly env: string };

const known = ["kind", "url", "urlEnv", "pooler", "projects"];

/** Reads `store`; `undefined` for `embedded`. Errors: `invalid_config`, without the address. */
export function parseStore(path: string, value: unknown): StoreSettings | undefined {
  const section = new Section({ path, name: "store", like: 'an object such as {"kind": "postgres"}' }, value);
  section.onlyKnows(known);
  if (section.oneOf("kind", ["embedded", "postgres"]) === "embedded") return undefined;
  const pooler = section.values["pooler"] === undefined ? {} : { pooler: section.oneOf("pooler", ["transaction"]) };
  return { address: addressIn(section), ...pooler, projects: projectsIn(section) };
}

function addressIn(section: Section): StoreAddress {
  const { url, urlEnv } = section.values;
  if (url !== undefined && urlEnv !== undefined)
    throw section.hiddenFault("urlEnv", "is set in addition to url; keep only one of them");
  if (urlEnv !== undefined) {
    if (typeof urlEnv === "string" && /^[A-Za-z_][A-Za-z0-9_]{0,127}$/u.test(urlEnv)) return { env: urlEnv };
    throw section.hiddenFault(
      "urlEnv",
      "must be the name of an environment variable (letters, digits and _), not the address itself",
    );
  }
  if (typeof url === "string" && /^postgres(?:ql)?:\/\//u.test(url)) return { url };
  throw section.hiddenFault(
    "url",
    "must be an address such as postgres://USER@HOST:5432/DATABASE; or set urlEnv to the environment variable that has it",
  );
}

function projectsIn(section: Section): ReadonlyMap<string, string> {
  const like = 'an object of names by folder, such as {"/home/me/shop": "shop"}';
  const projects = section.values["projects"];
  if (!isObject(projects)) throw section.hiddenFault("projects", `must be ${like}`);
  const own = new Section({ path: section.path, name: "store.projects", like }, projects);
  const allowed = 'a name of 1 to 96 of a-z, 0-9, ".", "_" and "-", starting with a letter or digit';
  const found = new Map<string, string>();
  for (const folder of Object.keys(own.values)) {
    if (!isAbsolute(folder)) throw own.hiddenFault(folder, "is not the absolute path of a folder");
    found.set(resolve(folder), own.text(folder, { pattern: /^[a-z0-9][a-z0-9._-]{0,95}$/u, allowed }));
  }
  return found;
}

/** The name of a folder's threads on the server; `undefined` if they are in the folder. Links are followed. */
export function projectIn({ projects }: StoreSettings, dir: string): string | undefined {
  const real = realOf(dir);
  return projects.get(dir) ?? [...projects].find(([folder]) => realOf(folder) === real)?.[1];
}

function realOf(folder: string): string {
  return attempt(() => realpathSync.native(folder)) ?? folder;
}
