import { MemoryError } from "../../base/errors.ts";
import { choiceCodes } from "../../engine/checked.ts";
import type { Field, FieldKind, InputFile } from "../../engine/operation.ts";
import { isArgument, optionOf, type CommandSpec, type Given } from "./command.ts";

/** The input of an operation, by field name. */
export type Input = Readonly<Record<string, string | number | boolean | InputFile>>;

/** Opens what a file field names: a path, or `-` for standard input. Nothing is read yet. */
export type OpenFile = (word: string) => InputFile;

/** Checks the typed values against the kinds of the fields; the operation checks what they mean. */
export function inputOf(spec: CommandSpec, given: Given, open: OpenFile): Input {
  const input: Record<string, Input[string]> = {};
  for (const field of spec.fields) {
    const value = given[field.name];
    if (value !== undefined) input[field.name] = valueOf(field, value, open);
  }
  return input;
}

function valueOf(field: Field, value: string | true, open: OpenFile): Input[string] {
  if (value === true) return !(field.kind.kind === "flag" && field.kind.given === "off");
  if (field.kind.kind === "file") return fileOf(field, value, open);
  if (field.kind.kind === "integer") return integerOf(field, field.kind, value);
  if (field.kind.kind === "choice") return choiceOf(field, field.kind.values, value);
  return value;
}

function fileOf(field: Field, value: string, open: OpenFile): InputFile {
  if (value !== "") return open(value);
  throw new MemoryError("usage", `${wordOf(field)} is empty; give the path of a file, or - for standard input.`, {
    field: field.name,
  });
}

function integerOf(field: Field, kind: Extract<FieldKind, { kind: "integer" }>, value: string): number {
  const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= kind.min && number <= kind.max) return number;
  const message = `${wordOf(field)} is ${JSON.stringify(value)}; give a whole number from ${kind.min} to ${kind.max}.`;
  throw new MemoryError("invalid_number", message, { field: field.name, value, min: kind.min, max: kind.max });
}

function choiceOf(field: Field, allowed: readonly string[], value: string): string {
  if (allowed.includes(value)) return value;
  const message = `${wordOf(field)} is ${JSON.stringify(value)}; give one of ${allowed.join(", ")}.`;
  throw new MemoryError(choiceCodes[field.name] ?? "usage", message, { field: field.name, value, allowed });
}

function wordOf(field: Field): string {
  return isArgument(field) ? (field.placeholder ?? field.name.toUpperCase()) : optionOf(field);
}
