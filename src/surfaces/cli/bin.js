#!/usr/bin/env node
// Old syntax on purpose: this file must still run where the rest cannot, to say so. tools/build.mjs copies it to dist/.
var parts = process.versions.node.split(".");
var newEnough = Number(parts[0]) > 22 || (Number(parts[0]) === 22 && Number(parts[1]) >= 13);
if (newEnough) {
  // Node keeps what it compiled beside the program, where nobody writes who may not write the program itself. Where it cannot, it compiles again.
  process.getBuiltinModule("node:module").enableCompileCache(import.meta.dirname + "/.compiled");
  import("./main.js").then(function (cli) {
    return cli.main();
  });
} else {
  process.stderr.write(
    "heartwood: this is Node " +
      process.versions.node +
      ", heartwood needs Node 22.13 or newer; install a newer Node (https://nodejs.org) and run the command again.\n",
  );
  process.exitCode = 2;
}
