import type { InputFile, ProgressEvent } from "../base/operation.ts";

/**
 * Translates between the API and the wire: operations use the snake_case names that the command line and MCP print, the API uses camelCase. Only field
 * names change, and not inside `opaque` fields, which contain user data.
 */

/** Result fields that contain user data, or the input of another operation: thread contents, provider requests, actions. */
const opaque: Readonly<Record<string, readonly string[]>> = {
  "context.compile": ["items", "rendered"],
  "memory.inbox": ["input"],
};

/** The API's name of a field: `to_seq` becomes `toSeq`. The one exception to the case rule: `actor_id` becomes `actor`. */
export type CamelName<Name> = Name extends "actor_id"
  ? "actor"
  : Name extends `${infer Head}_${infer Tail}`
    ? `${Head}${Capitalize<CamelName<Tail>>}`
    : Name;

/** A result with the API's names. A record with arbitrary keys is user data and stays unchanged. */
export type Camel<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly unknown[]
    ? { [Index in keyof T]: Camel<T[Index]> }
    : T extends object
      ? string extends keyof T
        ? T
        : { [Name in keyof T as CamelName<Name>]: Camel<T[Name]> }
      : T;

/** An operation's input with the API's names, minus what the method takes as an argument. */
export type OptionsOf<Input, Without extends keyof Input = never> = Camel<Omit<Input, Without>>;

/** A result with the API's names. A stream is returned unchanged. */
export function fromWire(operation: string, result: unknown): unknown {
  return camelOf(result, opaque[operation] ?? []);
}

function camelOf(value: unknown, kept: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => camelOf(item, kept));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [camelName(name), kept.includes(name) ? inner : camelOf(inner, kept)]),
  );
}

/** Input with the wire's names, without `undefined` values. */
export function toWire(input: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [[wireName(name), value]])),
  );
}

function camelName(name: string): string {
  if (name === "actor_id") return "actor";
  return name.replaceAll(/(?<=.)_(.)/gu, (_, letter: string) => letter.toUpperCase());
}

function wireName(name: string): string {
  return name === "actor" ? "actor_id" : name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Options for every method. */
export interface CallOptions {
  /** Stops the call with the error `aborted`. Everything written so far is complete, and calling again continues from there. */
  readonly signal?: AbortSignal;
  /** Called with progress during a long run. */
  readonly onProgress?: (event: ProgressEvent) => void;
}

/** Text as a string, or as a file that is read in chunks. */
export type TextInput = string | InputFile;

/** Who is acting, as recorded in a thread. */
export interface By {
  /** `user`, `assistant`, `agent`, `tool:NAME`, … */
  readonly actor: string;
  /** Where the action comes from: `chat`, `hook`, … Default `api`. */
  readonly origin?: string;
}
