import type { SummarizerPrompt } from "../../ports/summarizer.ts";

/** How endpoints differ in what they take: models that reason refuse `max_tokens` and a temperature. */
export interface RequestForm {
  readonly limit: "max_tokens" | "max_completion_tokens";
  readonly temperature: "zero" | "absent";
}

export const usualForm: RequestForm = { limit: "max_tokens", temperature: "zero" };

/** The JSON that goes out. */
export function bodyOf(
  prompt: SummarizerPrompt,
  { model, form }: { readonly model: string; readonly form: RequestForm },
): string {
  return JSON.stringify({
    model,
    messages: [
      { role: "system", content: prompt.instructions.toWellFormed() },
      { role: "user", content: prompt.prompt.toWellFormed() },
    ],
    ...(form.temperature === "zero" ? { temperature: 0 } : {}),
    [form.limit]: prompt.answerTokens,
    stream: false,
  });
}

/**
 * The form to try after a refusal that names a parameter, as `{"error": {"param": "max_tokens", "message": "Unsupported parameter: 'max_tokens' …"}}`;
 * `undefined` when the refusal is about something else, or was given to that form already.
 */
export function otherForm(form: RequestForm, message: string): RequestForm | undefined {
  if (form.limit === "max_tokens" && message.includes("max_completion_tokens"))
    return { ...form, limit: "max_completion_tokens" };
  if (form.temperature === "zero" && /\btemperature\b/iu.test(message)) return { ...form, temperature: "absent" };
  return undefined;
}
