import { sha256 } from "../../base/digest.ts";
import { redact } from "../../base/redact/index.ts";
import { languageOf } from "../prompts/language.ts";
import { printFrame } from "../prompts/instructions.ts";
import { printSourceLine, printSources, textsOf, withoutMarks } from "./fit-sources.ts";
import type { PrintedPrompt, SummaryRequest } from "./request.ts";

/** Digits of the digest of the sources that their marks carry. */
const digitsOfMark = 8;

/** The two texts that go out. The sources stand between marks that carry a digest of them, so that no text within can end them. */
export function printPrompt(request: SummaryRequest): PrintedPrompt {
  const text = redact(withoutMarks(printSources(request.sources))).text;
  const id = sha256(text).slice(0, digitsOfMark);
  const frame = printFrame({ kind: request.kind, id }, languageOf(textsOf(request.sources)));
  const prompt = `${frame.before}\n\n<sources ${id}>\n${text}</sources ${id}>\n\n${frame.after}\n`;
  return { instructions: request.instructions, prompt: redact(prompt).text };
}

/** The sources as a job shows them, part by part. */
export function printedSources(request: SummaryRequest): readonly { readonly name: string; readonly text: string }[] {
  return request.sources.map(({ name, lines }) => ({
    name,
    text: redact(withoutMarks(lines.map((line) => `${printSourceLine(line)}\n`).join(""))).text,
  }));
}

/** What was asked of whom, as 64 digits. `model`: `pull`, or the id of the summarizer. */
export function requestDigest(request: SummaryRequest, model: string): string {
  const { instructions, prompt } = printPrompt(request);
  return sha256(JSON.stringify(["heartwood.request.v1", request.promptRule, model, instructions, prompt]));
}

/** Tokens of what goes out, without the answer. */
export function promptTokens(request: SummaryRequest, count: (text: string) => number): number {
  const { instructions, prompt } = printPrompt(request);
  return count(instructions) + count(prompt);
}
