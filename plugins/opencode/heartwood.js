// Written by heartwood install; heartwood uninstall removes it.
import { spawn } from "node:child_process";

const script = "heartwood";

/** Milliseconds that the client waits for a hook that prints text, and for one that prints none. */
const [withText, withoutText] = [1600, 900];

const notFound = `Tell the user: heartwood cannot run: ${script} was not found. Install it again: heartwood install opencode (or remove its hooks: heartwood uninstall opencode)`;

/** Runs a hook and resolves with what it printed, or with nothing if it fails or takes too long. */
function hook(event, input, milliseconds) {
  return new Promise((resolve) => {
    let printed = "";
    const child = spawn(script, ["hook", "opencode", event], {
      stdio: ["pipe", "pipe", "ignore"],
      shell: script.endsWith(".cmd"),
      windowsHide: true,
    });
    // Resolve here too: do not wait for a process that cannot be killed.
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      resolve("");
    }, milliseconds);
    const end = (text) => {
      clearTimeout(timer);
      resolve(text);
    };
    child.on("error", () => end(event === "session-start" && input.source !== "again" ? notFound : ""));
    child.on("close", () => end(printed));
    child.stdout.setEncoding("utf8").on("data", (text) => (printed += text));
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(input));
  });
}

/** Returns an id that sorts right after the given one: OpenCode orders the parts of a message by id. */
function nextId(id) {
  return id + "h";
}

export const Heartwood = async ({ directory }) => {
  const inputOf = (event, session, more) => ({ session_id: session, cwd: directory, hook_event_name: event, ...more });
  // Why each session started, until its next prompt passes this on; then empty. A session that is not in the map began before this process.
  const begins = new Map();
  // The text to inject after a compaction. The session continues without a new prompt, so the text goes into the system prompt, which is rebuilt for each request.
  // A session that is not in the map began before this process, and may have such a text.
  const given = new Map();
  // Subagents' sessions, which are not captured, and the user's sessions that they belong to.
  const inner = new Map();
  const beginning = async (session) => {
    const source = begins.has(session) ? begins.get(session) : "resume";
    begins.set(session, "");
    if (source === "") return "";
    return hook("session-start", inputOf("session-start", session, { source }), withText);
  };
  return {
    event: async ({ event }) => {
      const info = event.properties?.info;
      const session = event.properties?.sessionID ?? info?.id;
      if (info?.parentID) inner.set(info.id, inner.get(info.parentID) ?? info.parentID);
      // Subagent sessions begin with a task and do not get the session-start text.
      if (event.type === "session.created") {
        begins.set(session, inner.has(session) ? "" : "startup");
        given.set(session, "");
      }
      if (event.type === "session.compacted" && begins.has(session))
        given.set(session, hook("session-start", inputOf("session-start", session, { source: "compact" }), withText));
      if (event.type === "session.idle" && !inner.has(session))
        await hook("turn-end", inputOf("turn-end", session), withoutText);
      if (event.type === "session.deleted") {
        begins.delete(session);
        given.delete(session);
        if (!inner.delete(session)) await hook("session-end", inputOf("session-end", session), withoutText);
      }
    },
    "chat.message": async (input, output) => {
      const said = output.parts.filter((part) => part.type === "text" && !part.synthetic);
      const prompt = said.map((part) => part.text).join("\n");
      if (prompt === "") return;
      // A subagent gets less, for its task.
      const agent = inner.has(input.sessionID) ? { agent_id: input.sessionID } : {};
      const more = { prompt, prompt_id: output.message?.id, ...agent };
      const texts = await Promise.all([
        beginning(input.sessionID),
        hook("prompt", inputOf("prompt", inner.get(input.sessionID) ?? input.sessionID, more), withText),
      ]);
      const text = texts.filter((one) => one.trim() !== "").join("\n");
      const first = said[0];
      // A separate part, marked as synthetic, so that capture leaves it out.
      if (text !== "") output.parts.push({ ...first, id: nextId(first.id), text, synthetic: true });
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      if (!sessionID) return;
      if (!given.has(sessionID))
        given.set(sessionID, hook("session-start", inputOf("session-start", sessionID, { source: "again" }), withText));
      const text = await given.get(sessionID);
      if (text.trim() !== "") output.system.push(text);
    },
    "experimental.session.compacting": async (input, output) => {
      if (inner.has(input.sessionID)) return;
      const text = await hook("before-compaction", inputOf("before-compaction", input.sessionID), withoutText);
      if (text.trim() !== "") output.context.push(text);
    },
  };
};
