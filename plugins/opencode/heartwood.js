// Written by heartwood install; heartwood uninstall removes it.
import { spawn } from "node:child_process";

const script = "heartwood";

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

/** An id that sorts right behind the other one, as OpenCode orders the parts of a message by it. */
function nextId(id) {
  return id + "h";
}

export const Heartwood = async ({ directory }) => {
  const inputOf = (event, session, more) => ({ session_id: session, cwd: directory, hook_event_name: event, ...more });
  // What the next prompt of a session is to bring: why the session begins anew, or nothing. One that is not known was there before this process.
  const begins = new Map();
  const beginning = async (session) => {
    const source = begins.has(session) ? begins.get(session) : "resume";
    begins.set(session, "");
    if (source === "") return "";
    return hook("session-start", inputOf("session-start", session, { source }), 10000);
  };
  return {
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id;
      // The sessions of subagents are given a task, and have no memory of their own.
      if (event.type === "session.created") begins.set(session, event.properties?.info?.parentID ? "" : "startup");
      if (event.type === "session.compacted" && begins.has(session)) begins.set(session, "compact");
      if (event.type === "session.idle") await hook("turn-end", inputOf("turn-end", session), 10000);
      if (event.type === "session.deleted") {
        begins.delete(session);
        await hook("session-end", inputOf("session-end", session), 3000);
      }
    },
    "chat.message": async (input, output) => {
      const said = output.parts.filter((part) => part.type === "text" && !part.synthetic);
      const prompt = said.map((part) => part.text).join("\n");
      if (prompt === "") return;
      const more = { prompt, prompt_id: output.message?.id };
      const texts = await Promise.all([
        beginning(input.sessionID),
        hook("prompt", inputOf("prompt", input.sessionID, more), 5000),
      ]);
      const text = texts.filter((one) => one.trim() !== "").join("\n");
      const first = said[0];
      // A part of its own, marked as no word of the person: the transcript leaves it out.
      if (text !== "") output.parts.push({ ...first, id: nextId(first.id), text, synthetic: true });
    },
    "experimental.session.compacting": async (input, output) => {
      const text = await hook("before-compaction", inputOf("before-compaction", input.sessionID), 10000);
      if (text.trim() !== "") output.context.push(text);
    },
  };
};
