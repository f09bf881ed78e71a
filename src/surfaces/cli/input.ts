import { MemoryError, type ErrorDetails } from "../../base/errors.ts";
import { wantedOf } from "../../operations/operation.ts";
import type { Field, FieldKind, InputFile, OutputFile } from "../../base/operation.ts";
import { isArgument, optionOf, type CommandSpec, type Given } from "../../operations/command-line.ts";

export type Input = Readonly<Record<string, string | number | boolean | InputFile | OutputFile>>;

/** Opens the path of a file field, or `-` for standard input or output. Nothing is read or written yet. */
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
  if (value === true) return !(field.kind.kind === "flag" && field.kind.given === "off");
  if (field.kind.kind === "file") return files.input(pathIn(field, value, "standard input"));
  if (field.kind.kind === "output") return files.output(pathIn(field, value, "standard output"));
  if (field.kind.kind === "integer") return integerOf(field, field.kind, value);
  if (field.kind.kind === "choice" && field.words === "many") return choicesOf(field, field.kind.values, value);
  if (field.kind.kind === "choice") return choiceOf(field, field.kind.values, value);
  return value;
}

function pathIn(field: Field, value: string, standard: string): string {
  if (value !== "") return value;
  const message = `${wordOf(field)} is empty; give the path of a file, or - for ${standard}.`;
  throw new MemoryError("usage", message, { field: field.name });
}

function integerOf(field: Field, { min, max }: Extract<FieldKind, { kind: "integer" }>, value: string): number {
  const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw refused(field, value, { min, max });
}

function choiceOf(field: Field, allowed: readonly string[], value: string): string {
  if (allowed.includes(value)) return value;
  throw refused(field, value, { allowed });
}

function refused(field: Field, value: string, limits: ErrorDetails): MemoryError {
  const { code, want } = wantedOf(field, value);
  const message = `${wordOf(field)} is ${JSON.stringify(value)}; ${want}.`;
  return new MemoryError(code, message, { field: field.name, value, ...limits });
}

function choicesOf(field: Field, allowed: readonly string[], value: string): string {
  return value
    .split(",")
    .map((word) => choiceOf(field, allowed, word))
    .join(",");
}

function wordOf(field: Field): string {
  return isArgument(field) ? (field.placeholder ?? field.name.toUpperCase()) : optionOf(field);
}
