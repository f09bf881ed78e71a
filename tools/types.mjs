import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/** Bundles declarations: one file per entry point, and a few shared files. */
export async function bundleTypes(entries, folder) {
  // `oxc`: the declarations already exist, so the compiler is not needed.
  const plugins = [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, oxc: true })];
  const bundle = await rolldown({ input: entries, external: /^node:/, plugins });
  await bundle.write({ dir: folder, chunkFileNames: "shared-[hash].d.ts" });
}
