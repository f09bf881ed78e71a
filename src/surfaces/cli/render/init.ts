import type { InitResult } from "../../../tree/setup/init.ts";
import { columns } from "./layout.ts";
import type { Screen } from "./screen.ts";

/** What was made, what stood there already, and what to do next. */
export function renderInit(result: InitResult, { paint }: Screen): string {
  const { created, kept } = result;
  const rows = [
    ...created.map((path) => [paint.good("created"), path]),
    ...kept.map((path) => [paint.dim("kept"), path, paint.dim("was there already")]),
  ];
  const headline = created.length === 0 ? "Nothing to create" : "Memory is set up";
  return [
    paint.title(`${headline} in ${result.dir} (platform: ${result.platform})`),
    ...columns(rows),
    "",
    ...(result.trust === "trusted"
      ? []
      : [
          "Not trusted yet, as it has files from before: agents' hooks and tools do nothing here until `heartwood trust`.",
        ]),
    `Next: ${result.next}`,
  ].join("\n");
}
