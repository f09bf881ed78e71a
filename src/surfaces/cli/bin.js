#!/usr/bin/env node
// Old syntax on purpose: this file must run even on a Node that is too old for the rest, to report it. tools/build.mjs copies it to dist/.
var parts = process.versions.node.split(".");
var newEnough = Number(parts[0]) > 22 || (Number(parts[0]) === 22 && Number(parts[1]) >= 13);
if (newEnough) {
  var isHook = process.argv[2] === "hook" && !asks("--help") && !asks("-h");
  var keepsNothing = process.env.NODE_DISABLE_COMPILE_CACHE || process.env.NODE_COMPILE_CACHE;
  var folder = keptFolder();
  hideWarning();
  try {
    run();
  } catch (error) {
    if (!isHook) throw error;
    hookThatCannotRun("missingFiles");
  }
} else if (process.argv[2] === "hook") {
  // Exit status 2 would make the client block the user's action.
  hookThatCannotRun("oldNode");
} else {
  process.stderr.write(
    "heartwood: this is Node " +
      process.versions.node +
      ", heartwood needs Node 22.13 or newer; install a newer Node (https://nodejs.org) and run the command again.\n",
  );
  process.exitCode = 2;
}

function hookThatCannotRun(reason) {
  import("./cannot-run.js")
    .then(function (surface) {
      surface[reason](process.argv.slice(3));
    })
    .catch(function () {
      // While the package is being updated, this file may be missing too.
    });
}

// The first word after the common options. Other options are left to the command line, which reports them.
function commandWord() {
  var at = 2;
  while (/^(-C.*|--(dir|today|time-zone)(=.*)?|--quiet)$/.test(process.argv[at]))
    at += /^(-C|--dir|--today|--time-zone)$/.test(process.argv[at]) ? 2 : 1;
  return process.argv[at];
}

// Cached code is run, so the cache must be in a folder that only this user may write to: next to the program, or in the user's cache folder if the package is read-only
// or belongs to another user (docs/decisions/0024). Without such a folder, everything is compiled again.
function keptFolder() {
  return tried(besideProgram) || tried(inUserCache);
}

function tried(find) {
  try {
    return find();
  } catch (error) {
    // Without a cache, everything still works but takes longer.
    void error;
  }
}

function besideProgram() {
  var fs = process.getBuiltinModule("node:fs");
  var program = fs.realpathSync(process.argv[1]);
  if (!/[\\/]bin\.js$/.test(program)) return;
  var beside = program.slice(0, -"bin.js".length);
  if (process.getuid === undefined || fs.statSync(beside).uid === process.getuid())
    return ownFolder(beside + ".compiled");
}

// Checks every folder from the home down; a cache outside the home is not used.
function inUserCache() {
  if (process.getuid === undefined || keepsNothing) return;
  var path = process.getBuiltinModule("node:path");
  var home = process.getBuiltinModule("node:os").homedir();
  var named = process.env.XDG_CACHE_HOME;
  var cache = named && path.isAbsolute(named) ? named : path.join(home, ".cache");
  var below = path.relative(home, path.join(cache, "heartwood", "compiled")).split(path.sep);
  if (below[0] === ".." || !path.isAbsolute(home) || !process.getBuiltinModule("node:fs").existsSync(home)) return;
  var folders = [home];
  below.forEach(function (name) {
    folders.push(path.join(folders[folders.length - 1], name));
  });
  return folders.every(ownFolder) ? folders.pop() : undefined;
}

// Returns the folder if only this user may write to it and it is not a link; creates it if missing.
function ownFolder(folder) {
  var fs = process.getBuiltinModule("node:fs");
  if (!fs.existsSync(folder)) fs.mkdirSync(folder, { mode: 448 });
  var facts = fs.lstatSync(folder);
  if (!facts.isDirectory()) return;
  if (process.getuid !== undefined && (facts.uid !== process.getuid() || (facts.mode & 18) !== 0)) return;
  fs.accessSync(folder, fs.constants.W_OK);
  return folder;
}

// Each command is a separate process. Node caches only the code compiled at load time; this also caches the functions that each command and hook event calls
// (docs/decisions/0024).
function run() {
  var fs = process.getBuiltinModule("node:fs");
  var vm = process.getBuiltinModule("node:vm");
  var path = process.getBuiltinModule("node:url").fileURLToPath(new URL("./program.cjs", import.meta.url));
  // The file is ASCII; latin1 takes half the memory and needs no decoding.
  var source = fs.readFileSync(path, "latin1");
  var word = isHook ? process.argv[4] || "none" : commandWord() || "none";
  var servers = { mcp: "server", serve: "http" };
  var server = isHook || asks("--json") || asks("--help") || asks("-h") ? undefined : servers[word];
  var file = keptFile(isHook ? "hook" : "command", word, source.slice(2, 18));
  var known = file === undefined ? undefined : readKept(fs, file);
  var script = new vm.Script("(function (exports, module, require, __filename) {" + source + "\n})", {
    filename: path,
    cachedData: known === undefined ? undefined : known.code,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  var program = { exports: {} };
  script.runInThisContext()(program.exports, program, process.getBuiltinModule, path);
  var said = 0;
  if (file !== undefined)
    process.on("exit", function (status) {
      // 1: findings.
      if (status > 1) return;
      // A run with output called more functions than one without.
      if (known === undefined || script.cachedDataRejected || known.said < said) keep(fs, file, script, said);
    });
  var ended = program.exports[isHook ? "hook" : server || "command"]().then(function (surface) {
    return surface.main(function () {
      said = 1;
    });
  });
  // Hooks record their errors for doctor; failing to do so must not fail the client.
  if (isHook) ended.catch(function () {});
}

// On each import() from a script, Node warns that this is experimental.
function hideWarning() {
  var emitWarning = process.emitWarning;
  process.emitWarning = function (warning) {
    if (!/USE_MAIN_CONTEXT_DEFAULT_LOADER/.test(String(warning))) emitWarning.apply(process, arguments);
  };
}

function asks(option) {
  return process.argv.includes(option);
}

function keptFile(surface, word, digest) {
  if (folder === undefined || keepsNothing) return;
  if (!/^[A-Za-z._-]{1,60}$/.test(word)) return;
  return folder + "/" + [surface, word, digest, process.version, process.arch].join("-");
}

// The file contains the code twice and one more byte. V8 does not check cached code, and damaged code would crash the process.
function readKept(fs, file) {
  try {
    var bytes = fs.readFileSync(file);
    var half = (bytes.length - 1) / 2;
    var code = bytes.subarray(0, half);
    if (half > 0 && code.equals(bytes.subarray(half, 2 * half))) return { code: code, said: bytes[2 * half] };
  } catch (error) {
    void error;
  }
}

// There are few commands and events; other words must not fill the disk.
var mostKept = 64;

function keep(fs, file, script, said) {
  try {
    if (kept(fs, file).length >= mostKept) return;
    var code = script.createCachedData();
    var unfinished = file + "." + process.pid;
    fs.writeFileSync(unfinished, Buffer.concat([code, code, Buffer.from([said])]), { mode: 384, flag: "wx" });
    fs.renameSync(unfinished, file);
  } catch (error) {
    void error;
  }
}

// Lists the files in the folder and removes those of other versions of the program.
function kept(fs, file) {
  var digest = /-[0-9a-f]{16}(?=-v\d)/;
  var own = digest.exec(file)[0];
  return fs.readdirSync(folder).filter(function (name) {
    var found = digest.exec(name);
    if (found === null || found[0] === own) return true;
    fs.rmSync(folder + "/" + name, { force: true });
  });
}
