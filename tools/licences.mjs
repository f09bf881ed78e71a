import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The license texts of the bundled npm packages and of the tables. */
export function licencesOf(root, inputs) {
  const names = new Set();
  for (const input of inputs) {
    const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (name !== undefined) names.add(name);
  }
  const parts = [...names].toSorted().map((name) => licenceOf(join(root, "node_modules", name)));
  parts.push(VOCABULARY, licenceOf(join(root, "node_modules/gpt-tokenizer")), WORDS);
  return `What heartwood ships from other authors, with their licences.\n\n${parts.join("\n")}`;
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file; it cannot be shipped`);
  return `=== ${name} ${version} (${license}) ===\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}

/** Their licence is that of heartwood itself, so its text is in LICENSE. */
const WORDS = `=== word-vectors.bin, made from three works under the Apache License 2.0 (see LICENSE) ===

all-MiniLM-L6-v2, by the sentence-transformers authors: vectors of English words
Universal Sentence Encoder Multilingual 3, by Google: vectors of other words
mecab-ko-dic, by Yongwoon Lee and Yungho Yu: the list of Korean nouns

Changes: the vectors are reduced to 64 dimensions, mapped to one space and rounded (tools/word-vectors.py).
`;

const VOCABULARY = `=== o200k_base, the vocabulary in o200k.bin, published with tiktoken (MIT) ===

MIT License

Copyright (c) 2022 OpenAI, Shantanu Jain

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`;
