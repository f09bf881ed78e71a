import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/** Bundles declarations: of each entry, by its name, one file, and what several of them share in a few. */
export async function bundleTypes(entries, folder) {
  // `oxc`: the declarations are there already, and the compiler is not asked for them.
  const plugins = [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, oxc: true })];
  const bundle = await rolldown({ input: entries, external: /^node:/, plugins });
  await bundle.write({ dir: folder, chunkFileNames: "shared-[hash].d.ts" });
}
