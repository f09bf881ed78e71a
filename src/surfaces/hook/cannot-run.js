// Runs for hooks if Node is too old for the rest, or if files of the package are missing. Old syntax on purpose; tools/build.mjs copies it to dist/.
import fs from "fs";
import os from "os";
import path from "path";
import { fileURLToPath } from "url";

var message =
  "heartwood cannot run: Node " +
  process.versions.node +
  " is too old. Install Node 22.13 or newer (https://nodejs.org) and run: heartwood install ";

/** At the start of a session, tells the user that files are missing. */
export function missingFiles(words) {
  var dist = path.dirname(fileURLToPath(import.meta.url));
  var ways = "install " + words[0] + " (or remove its hooks: heartwood uninstall " + words[0] + ")";
  atStart(
    words,
    "heartwood cannot run: files are missing in " + dist + ". Install heartwood again and run: heartwood " + ways,
  );
}

function atStart(words, text) {
  if (/^session[-_.]?(start|created)$/i.test(String(words[1]))) process.stdout.write(notice(String(words[0]), text));
}

/** At the start of a session, tells the user about the problem. Records the error as described in docs/formats/hooks.md. */
export function oldNode(words) {
  var client = String(words[0]);
  var event = String(words[1]);
  if (!/^[a-z-]{1,40}$/.test(client) || !/^[A-Za-z._-]{1,60}$/.test(event)) return;
  atStart(words, message + client);
  try {
    var memory = nearestTrusted(process.env.CLAUDE_PROJECT_DIR || process.env.GEMINI_PROJECT_DIR || process.cwd());
    if (memory !== undefined) keep(memory, client, event);
  } catch (error) {
    // There is nowhere left to report the error.
    void error;
  }
}

function notice(client, text) {
  var toPassOn = "Tell the user: " + text;
  if (/^(claude-code|codex|gemini)$/.test(client)) return JSON.stringify({ systemMessage: text }) + "\n";
  if (client === "copilot") return JSON.stringify({ additionalContext: toPassOn }) + "\n";
  if (client === "cursor") return JSON.stringify({ additional_context: toPassOn }) + "\n";
  return client === "opencode" || client === "openclaw" ? toPassOn + "\n" : "";
}

/** The nearest trusted folder upwards, from the record of src/platform/trust.ts. Nothing is written to other folders. */
function nearestTrusted(from) {
  var named = process.env.XDG_STATE_HOME;
  var state = named && path.isAbsolute(named) ? named : path.join(os.homedir(), ".local", "state");
  var record = JSON.parse(fs.readFileSync(path.join(state, "heartwood", "trusted.json"), "utf8"));
  for (var dir = fs.realpathSync(from); ; dir = path.dirname(dir)) {
    var isTrusted = record.folders.some(function (one) {
      return one.path === dir && (one.owner === null || one.owner === fs.statSync(dir).uid);
    });
    if (isTrusted) return dir;
    if (dir === path.dirname(dir) || fs.existsSync(path.join(dir, ".git"))) return;
  }
}

/** Writes one line per error, with the time of its last occurrence. */
function keep(memory, client, event) {
  var folder = madeFolder(madeFolder(memory, ".heartwood"), "hooks");
  var file = path.join(folder, "errors.jsonl");
  var known = "";
  try {
    if (!fs.lstatSync(file).isFile()) return;
    known = fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  var fields = { client: client, event: event, code: "node_too_old", message: message + client };
  var same = JSON.stringify(fields).slice(1);
  var others = known.split("\n").filter(function (line) {
    return line !== "" && line.slice(-same.length) !== same;
  });
  var line = JSON.stringify(Object.assign({ at: new Date().toISOString() }, fields));
  var unfinished = file + "." + process.pid;
  fs.writeFileSync(unfinished, others.concat(line).slice(-200).join("\n") + "\n", { mode: 384, flag: "wx" });
  fs.renameSync(unfinished, file);
}

/** Creates a folder if missing; refuses a link. */
function madeFolder(parent, name) {
  var folder = path.join(parent, name);
  try {
    fs.mkdirSync(folder, 448);
    if (name === "hooks") fs.writeFileSync(path.join(folder, ".gitignore"), "*\n", { mode: 384, flag: "wx" });
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  if (!fs.lstatSync(folder).isDirectory()) throw new Error(folder);
  return folder;
}
