import { MemoryError, type ErrorDetails } from "../../base/errors.ts";
import { wantedOf } from "../../operations/operation.ts";
import type { Field, InputFile, OutputFile } from "../../base/operation.ts";
import { isArgument, optionOf, type CommandSpec, type Given } from "../../operations/command-line.ts";

export type Input = Readonly<Record<string, string | number | boolean | InputFile | OutputFile>>;

/** Opens the path of a file field, or `-` for standard input or output. Reads and writes nothing yet. */
export interface NamedFiles {
  input(word: string): InputFile;
  output(word: string): OutputFile;
}

/** Checks the typed values against the kinds of the fields; the operation checks their meaning. */
export function inputOf(spec: CommandSpec, given: Given, files: NamedFiles): Input {
  const input: Record<string, Input[string]> = {};
  for (const field of spec.fields) {
    const value = given[field.name];
    if (value !== undefined) input[field.name] = valueOf(field, value, files);
  }
  return input;
}

function valueOf(field: Field, value: string | true, files: NamedFiles): Input[string] {
  const { kind, words } = field;
  if (value === true) return !(kind.kind === "flag" && kind.given === "off");
  if (kind.kind === "file") return files.input(pathIn(field, value, "standard input"));
  if (kind.kind === "output") return files.output(pathIn(field, value, "standard output"));
  if (kind.kind === "integer") {
    const { min, max } = kind;
    const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw refused(field, value, { min, max });
  }
  if (kind.kind !== "choice") return value;
  const wrong = (words === "many" ? value.split(",") : [value]).find((word) => !kind.values.includes(word));
  if (wrong !== undefined) throw refused(field, wrong, { allowed: kind.values });
  return value;
}

function pathIn(field: Field, value: string, standard: string): string {
  if (value !== "") return value;
  const message = `${wordOf(field)} is empty; pass the path of a file, or - for ${standard}.`;
  throw new MemoryError("usage", message, { field: field.name });
}

function refused(field: Field, value: string, limits: ErrorDetails): MemoryError {
  const { code, want } = wantedOf(field, value);
  const message = `${wordOf(field)} is ${JSON.stringify(value)}; ${want}.`;
  return new MemoryError(code, message, { field: field.name, value, ...limits });
}

function wordOf(field: Field): string {
  return isArgument(field) ? (field.placeholder ?? field.name.toUpperCase()) : optionOf(field);
}
