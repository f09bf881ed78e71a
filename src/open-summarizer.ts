import { installCommand } from "./adapters/program-facts.ts";
import type { ModelSettings } from "./adapters/user-settings/summaries.ts";
import { importPeer } from "./import-peer.ts";
import { keyReader } from "./key-reader.ts";
import type { NamedSummarizer } from "./engine/memory.ts";
import type { Summarizer } from "./ports/summarizer.ts";

/** The summarizer that the person's settings name. Its adapter, packages, model and key are loaded when it is opened or asked. */
export function nameSummarizer(model: ModelSettings): NamedSummarizer {
  return { id: idOf(model), contextTokens: model.contextTokens, open: () => openSummarizer(model) };
}

/** Known without loading anything, and the same that the opened one tells. */
function idOf(model: ModelSettings): string {
  if (model.adapter === "openai-compatible") return `openai-compatible-1:${model.model}`;
  if (model.adapter === "ai-sdk") return `ai-sdk-1:${model.provider}/${model.model}`;
  return `node-llama-cpp-3:${fileName(model.modelFile)}`;
}

/** The last part of a path as one word of printable ASCII. */
function fileName(path: string): string {
  const name = path.split(/[\\/]/u).at(-1) ?? "";
  return name.replaceAll(/[^!-~]/gu, "_").slice(-128);
}

async function openSummarizer(model: ModelSettings): Promise<Summarizer> {
  const id = idOf(model);
  const timeoutMs = model.timeoutSeconds * 1000;
  if (model.adapter === "openai-compatible") {
    const { createOpenAiCompatible } = await import("./adapters/openai-compatible.ts");
    return createOpenAiCompatible({ ...model, id, timeoutMs, key: keyReader(model.key) });
  }
  if (model.adapter === "ai-sdk") {
    const { createAiSdk } = await import("./adapters/ai-sdk.ts");
    const install = installCommand(["ai@7", `@ai-sdk/${model.provider}`]);
    return createAiSdk({ ...model, id, timeoutMs, key: keyReader(model.key), install });
  }
  const { createNodeLlama } = await import("./adapters/node-llama.ts");
  return createNodeLlama({
    ...model,
    id,
    timeoutMs,
    install: installCommand(["node-llama-cpp@3"]),
    load: importPeer("node-llama-cpp"),
  });
}
