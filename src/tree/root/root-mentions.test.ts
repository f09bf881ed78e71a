import { expect, test } from "vitest";
import { entryOf, passage } from "../../../test/fixtures/passages.ts";
import { foundLine } from "./root-lines.ts";
import { withLastMention } from "./root-mentions.ts";

const today = "2026-03-15";

function textWith(name: string, ...told: readonly string[]): string {
  const line = foundLine({ name, keywords: ["pager"], of: [entryOf(name, "2026-01-10")], day: today });
  const passages = told.map((text, at) => passage("note", "Glaze", `2026-03-1${at}`, text));
  const [[, aged] = [line, line]] = withLastMention([line], passages, today);
  return aged.text;
}

test("a found topic is as old as the last text that contains its name as words", () => {
  expect(textWith("printer.rs")).toBe("- printer.rs [project, 64d]: pager");
  expect(textWith("printer.rs", "files: src/Printer.rs, README.md", "cli.rs")).toBe(
    "- printer.rs [project, 5d]: pager",
  );
  expect(textWith("printer.rs", "files: src/pretty_printer.rs")).toBe("- printer.rs [project, 64d]: pager");
  expect(textWith("printer", "the printers and sprinters, printer2")).toBe("- printer [project, 64d]: pager");
  expect(textWith("데이터베이스", "데이터베이스를 옮겼다")).toBe("- 데이터베이스 [project, 5d]: pager");
  expect(textWith("釉薬", "新しい釉薬を試す")).toBe("- 釉薬 [project, 5d]: pager");
});
