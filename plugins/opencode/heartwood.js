// Written by heartwood install; heartwood uninstall removes it.
import { spawn } from "node:child_process";

const script = "heartwood";

// OpenCode has ROOT.md by its setting instructions, so what a hook says at the start of a session is not added here.

/** Runs one hook, and resolves with what it printed, or with nothing when it fails or takes too long. */
function hook(event, input, milliseconds) {
  return new Promise((resolve) => {
    let printed = "";
    const child = spawn(script, ["hook", "opencode", event], {
      stdio: ["pipe", "pipe", "ignore"],
      shell: script.endsWith(".cmd"),
      windowsHide: true,
      timeout: milliseconds,
    });
    child.on("error", () => resolve(""));
    child.on("close", () => resolve(printed));
    child.stdout.setEncoding("utf8").on("data", (text) => (printed += text));
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(input));
  });
}

/** The text in what a hook printed: of JSON its additional context. */
function textOf(printed) {
  try {
    const said = JSON.parse(printed);
    return said.additionalContext ?? said.hookSpecificOutput?.additionalContext ?? "";
  } catch {
    return printed;
  }
}

/** An id that sorts right behind the other one, as OpenCode orders the parts of a message by it. */
function nextId(id) {
  return id + "h";
}

export const Heartwood = async ({ directory }) => {
  const inputOf = (event, session, more) => ({ session_id: session, cwd: directory, hook_event_name: event, ...more });
  return {
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id;
      if (event.type === "session.created" && !event.properties?.info?.parentID)
        await hook("session-start", inputOf("session-start", session, { source: "startup" }), 10000);
      if (event.type === "session.idle") await hook("turn-end", inputOf("turn-end", session), 10000);
      if (event.type === "session.deleted") await hook("session-end", inputOf("session-end", session), 3000);
    },
    "chat.message": async (input, output) => {
      const said = output.parts.filter((part) => part.type === "text" && !part.synthetic);
      const prompt = said.map((part) => part.text).join("\n");
      if (prompt === "") return;
      const more = { prompt, prompt_id: output.message?.id };
      const text = textOf(await hook("prompt", inputOf("prompt", input.sessionID, more), 5000));
      const first = said[0];
      // A part of its own, marked as no word of the person: the transcript leaves it out.
      if (text.trim() !== "") output.parts.push({ ...first, id: nextId(first.id), text, synthetic: true });
    },
    "experimental.session.compacting": async (input, output) => {
      const printed = await hook("before-compaction", inputOf("before-compaction", input.sessionID), 10000);
      const text = textOf(printed);
      if (text.trim() !== "") output.context.push(text);
    },
  };
};
