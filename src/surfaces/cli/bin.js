#!/usr/bin/env node
// Old syntax on purpose: this file must still run where the rest cannot, to say so. tools/build.mjs copies it to dist/.
var parts = process.versions.node.split(".");
var newEnough = Number(parts[0]) > 22 || (Number(parts[0]) === 22 && Number(parts[1]) >= 13);
if (newEnough) {
  // These end before marking of the heap, which V8 begins on the way, frees anything: 10 ms of a recall.
  if (/^(recall|search)$/.test(process.argv[2]))
    process.getBuiltinModule("node:v8").setFlagsFromString("--no-incremental-marking");
  keepCompiled();
  // Help and faults of the words around it are told by the command line.
  var asksHelp = process.argv.includes("--help") || process.argv.includes("-h");
  var named = asksHelp ? "" : process.argv[2];
  var file = named === "mcp" || named === "hook" ? "./" + named + ".js" : "./main.js";
  var started = import(file).then(function (surface) {
    return surface.main();
  });
  // While the package is being updated its files may be missing.
  if (named === "hook") started.catch(function () {});
} else {
  process.stderr.write(
    "heartwood: this is Node " +
      process.versions.node +
      ", heartwood needs Node 22.13 or newer; install a newer Node (https://nodejs.org) and run the command again.\n",
  );
  // For a hook, 2 would have the client block what the person does.
  process.exitCode = process.argv[2] === "hook" ? 0 : 2;
}

// Node keeps what it compiled beside the program, where nobody else may write: what is kept there is run. Where it cannot, it compiles again.
function keepCompiled() {
  try {
    var fs = process.getBuiltinModule("node:fs");
    var program = fs.realpathSync(process.argv[1]);
    if (!/[\\/]bin\.js$/.test(program)) return;
    var beside = program.slice(0, -"bin.js".length);
    var folder = beside + ".compiled";
    var user = process.getuid === undefined ? undefined : process.getuid();
    if (user !== undefined && fs.statSync(beside).uid !== user) return;
    if (!fs.existsSync(folder)) fs.mkdirSync(folder, { mode: 448 });
    var found = fs.lstatSync(folder);
    if (!found.isDirectory()) return;
    if (user !== undefined && (found.uid !== user || (found.mode & 18) !== 0)) return;
    process.getBuiltinModule("node:module").enableCompileCache(folder);
  } catch (error) {
    // Only time is lost.
    void error;
  }
}
