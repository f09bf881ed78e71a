// Compiles kernel/encoder.ts and writes src/kernel.ts: `npm run kernel`, only after a change of the kernel. With --check it writes nothing and fails if the result
// would be other. The compiler takes 100 MB, so it is not a dependency: npm gets it for this run.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const compiler = "assemblyscript@0.28.20";
const options = [
  "-O3",
  "--noAssert",
  "--runtime",
  "stub",
  "--enable",
  "simd",
  "--importMemory",
  "--initialMemory",
  "500",
];
const folder = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(folder, "src", "kernel.ts");
const temporary = mkdtempSync(join(tmpdir(), "minilm-"));

try {
  const source = readFileSync(join(folder, "kernel", "encoder.ts"));
  const file = join(temporary, "encoder.wasm");
  const args = [
    "exec",
    "--yes",
    `--package=${compiler}`,
    "--",
    "asc",
    "kernel/encoder.ts",
    ...options,
    "--outFile",
    file,
  ];
  if (spawnSync("npm", args, { cwd: folder, stdio: "inherit", shell: process.platform === "win32" }).status !== 0)
    process.exit(1);
  const text = `/** kernel/encoder.ts as WebAssembly, made by \`npm run kernel\`. */
export const kernel =
  "${readFileSync(file, "base64")}";

/** SHA-256 of the source it was made of. */
export const kernelSource = "${createHash("sha256").update(source).digest("hex")}";
`;
  if (!process.argv.includes("--check")) writeFileSync(target, text);
  else if (readFileSync(target, "utf8") !== text) {
    console.error("src/kernel.ts is not what kernel/encoder.ts compiles to; run npm run kernel");
    process.exitCode = 1;
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
