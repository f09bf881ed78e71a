#!/usr/bin/env node
// Old syntax on purpose: this file must still run where the rest cannot, to say so. tools/build.mjs copies it to dist/.
var parts = process.versions.node.split(".");
var newEnough = Number(parts[0]) > 22 || (Number(parts[0]) === 22 && Number(parts[1]) >= 13);
if (newEnough) {
  // These end before marking of the heap, which V8 begins on the way, frees anything: 10 ms of a recall.
  if (/^(recall|search)$/.test(process.argv[2]))
    process.getBuiltinModule("node:v8").setFlagsFromString("--no-incremental-marking");
  var isHook = process.argv[2] === "hook" && !asks("--help") && !asks("-h");
  var folder = keptFolder();
  hideWarning();
  try {
    run();
  } catch (error) {
    if (!isHook) throw error;
    hookThatCannotRun("missingFiles");
  }
} else if (process.argv[2] === "hook") {
  // 2 would have the client block what the user does.
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
      // Of a package that is being updated this file may be missing too.
    });
}

// The first word behind the common options; what is no common option is left to the command line, which explains it.
function commandWord() {
  var at = 2;
  while (/^(-C.*|--(dir|today|time-zone)(=.*)?|--quiet)$/.test(process.argv[at]))
    at += /^(-C|--dir|--today|--time-zone)$/.test(process.argv[at]) ? 2 : 1;
  return process.argv[at];
}

// The folder beside the program for what was compiled, where nobody else may write: what is kept there is run. Where there is none, it is compiled again.
function keptFolder() {
  try {
    var fs = process.getBuiltinModule("node:fs");
    var program = fs.realpathSync(process.argv[1]);
    if (!/[\\/]bin\.js$/.test(program)) return;
    var beside = program.slice(0, -"bin.js".length);
    var found = beside + ".compiled";
    var user = process.getuid === undefined ? undefined : process.getuid();
    if (user !== undefined && fs.statSync(beside).uid !== user) return;
    if (!fs.existsSync(found)) fs.mkdirSync(found, { mode: 448 });
    var facts = fs.lstatSync(found);
    if (!facts.isDirectory()) return;
    if (user !== undefined && (facts.uid !== user || (facts.mode & 18) !== 0)) return;
    return found;
  } catch (error) {
    // Only time is lost.
    void error;
  }
}

// Each command is a process of its own. Node keeps what it compiles when a file is loaded, which is not yet what is called: here that is kept as well, of each
// command and of each event of a hook by itself (docs/decisions/0024).
function run() {
  var fs = process.getBuiltinModule("node:fs");
  var vm = process.getBuiltinModule("node:vm");
  var path = process.getBuiltinModule("node:url").fileURLToPath(new URL("./program.cjs", import.meta.url));
  // It is ASCII: so it takes half the room, and no decoding.
  var source = fs.readFileSync(path, "latin1");
  var word = isHook ? process.argv[4] || "none" : commandWord() || "none";
  var isServer = word === "mcp" && !isHook && !asks("--json") && !asks("--help") && !asks("-h");
  var file = keptFile(isHook ? "hook" : "command", word, source.slice(2, 18));
  var kept = file === undefined ? undefined : readKept(fs, file);
  var script = new vm.Script("(function (exports, module, require, __filename) {" + source + "\n})", {
    filename: path,
    cachedData: kept === undefined ? undefined : kept.code,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  var program = { exports: {} };
  script.runInThisContext()(program.exports, program, process.getBuiltinModule, path);
  var said = 0;
  if (file !== undefined)
    process.on("exit", function (status) {
      if (status !== 0) return;
      // A run that had something to say called more than one that had not.
      if (kept === undefined || script.cachedDataRejected || kept.said < said) keep(fs, file, script, said);
    });
  var ended = program.exports[isHook ? "hook" : isServer ? "server" : "command"]().then(function (surface) {
    return surface.main(function () {
      said = 1;
    });
  });
  // The hook keeps what went wrong, for doctor; what it could not keep is no reason to fail the client.
  if (isHook) ended.catch(function () {});
}

// Node says of each import() of a script that its way is an experiment.
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
  if (folder === undefined || process.env.NODE_DISABLE_COMPILE_CACHE || process.env.NODE_COMPILE_CACHE) return;
  if (!/^[A-Za-z._-]{1,60}$/.test(word)) return;
  return folder + "/" + [surface, word, digest, process.version, process.arch].join("-");
}

// Twice the same, and a byte: V8 does not look whether what it is given is whole, and damaged code ends the process.
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

// Commands and events are few; words that name none shall not fill the disk.
var mostKept = 64;

function keep(fs, file, script, said) {
  try {
    if (fs.readdirSync(folder).length >= mostKept) return;
    var code = script.createCachedData();
    var unfinished = file + "." + process.pid;
    fs.writeFileSync(unfinished, Buffer.concat([code, code, Buffer.from([said])]), { mode: 384, flag: "wx" });
    fs.renameSync(unfinished, file);
  } catch (error) {
    void error;
  }
}
