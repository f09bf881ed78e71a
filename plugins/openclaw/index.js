// Written by heartwood install; heartwood uninstall removes it.
import { spawn } from "node:child_process";

const script = "heartwood";

/** Milliseconds that the client waits for a hook that prints text, and for one that prints none. */
const [withText, withoutText] = [1600, 900];

const notFound = `Tell the user: heartwood cannot run: ${script} was not found. Install it again: heartwood install openclaw (or remove its hooks: heartwood uninstall openclaw)`;

/** Runs a hook and resolves with what it printed, or with nothing if it fails or takes too long. */
function hook(event, input, milliseconds) {
  return new Promise((resolve) => {
    let printed = "";
    const child = spawn(script, ["hook", "openclaw", event], {
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
    child.on("error", () => end(event === "session-start" ? notFound : ""));
    child.on("close", () => end(printed.trim()));
    child.stdout.setEncoding("utf8").on("data", (text) => (printed += text));
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(input));
  });
}

/** Whether this is a session with only the user. Memories do not go to groups, channels and jobs, which do not get MEMORY.md from OpenClaw either. */
function isPrivate({ sessionKey, trigger }) {
  const [kind, ...more] = (sessionKey ?? "").split(":").slice(2);
  return (trigger ?? "user") === "user" && kind !== undefined && (more.length === 0 || kind === "explicit");
}

function inputOf(event, { sessionId, workspaceDir }, more) {
  return { session_id: sessionId, cwd: workspaceDir, hook_event_name: event, ...more };
}

/** How many sessions' first texts are kept; a process that runs for months has many sessions. */
const mostKept = 500;

export default {
  id: "heartwood",
  name: "heartwood",
  description: "Long-term memory in plain files.",
  register(api) {
    // The first text of each session. It is added to every request, because OpenClaw does not keep it.
    const beginnings = new Map();
    const sources = new Map();
    const beginning = (context) => {
      const { sessionId } = context;
      if (!beginnings.has(sessionId)) {
        if (beginnings.size >= mostKept) beginnings.delete(beginnings.keys().next().value);
        // OpenClaw loads MEMORY.md, which contains ROOT.md.
        const more = { source: sources.get(sessionId) ?? "startup", has: "root" };
        beginnings.set(sessionId, hook("session-start", inputOf("session-start", context, more), withText));
        sources.delete(sessionId);
      }
      return beginnings.get(sessionId);
    };
    const forget = (context) => {
      beginnings.delete(context.sessionId);
      sources.delete(context.sessionId);
    };
    api.on("before_prompt_build", async (event, context) => {
      if (!isPrivate(context)) return undefined;
      const prompt = event.currentUserMessage ?? event.prompt ?? "";
      const more = { prompt, prompt_id: event.currentUserMessageId ?? context.runId };
      const [given, recalled] = await Promise.all([
        beginning(context),
        hook("prompt", inputOf("prompt", context, more), withText),
      ]);
      return {
        ...(given === "" ? {} : { appendSystemContext: given }),
        // OpenClaw does not keep it in the history. At the end, what comes before it stays in the provider's cache.
        ...(recalled === "" ? {} : { appendContext: recalled }),
      };
    });
    const capture = (event) => async (_, context) => {
      if (isPrivate(context)) await hook(event, inputOf(event, context), withoutText);
    };
    api.on("agent_end", capture("turn-end"));
    api.on("before_compaction", capture("before-compaction"));
    api.on("after_compaction", (_, context) => {
      forget(context);
      sources.set(context.sessionId, "compact");
    });
    api.on("session_end", async (event, context) => {
      forget(context);
      await capture("session-end")(event, context);
    });
  },
};
