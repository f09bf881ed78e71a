// Ranks documents by all-MiniLM-L6-v2 alone: the cosine of the question's vector and that of the document's best piece of up to 1,000 characters.

const size = 1000;

/** The embedder of the package, or undefined while it is not installed. */
export async function openMiniLm() {
  try {
    const { default: createEmbedder } = await import("heartwood-embedder-minilm");
    return await createEmbedder();
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    return undefined;
  }
}

/**
 * Returns `rank(question, limit)`, which gives the ids of documents, best first. `documents`: `{ id, text }`. `known` keeps the vectors of
 * documents by id, so documents of several rankings are embedded once.
 */
export async function byMeaning(embedder, documents, known = new Map()) {
  const missing = documents.filter(({ id }) => !known.has(id));
  const pieces = missing.flatMap(({ id, text }) => piecesOf(text).map((piece) => ({ id, piece })));
  for (const { id } of missing) known.set(id, []);
  for (let at = 0; at < pieces.length; at += 64) {
    const some = pieces.slice(at, at + 64);
    const vectors = await embedder.embed(
      some.map(({ piece }) => piece),
      { purpose: "passage" },
    );
    some.forEach(({ id }, index) => known.get(id).push(normal(vectors[index])));
  }
  return async (question, limit = 200) => {
    const [vector] = await embedder.embed([question], { purpose: "query" });
    const asked = normal(vector);
    const scored = documents.map(({ id }) => [id, Math.max(-1, ...known.get(id).map((one) => dot(asked, one)))]);
    scored.sort((a, b) => b[1] - a[1]);
    return scored.slice(0, limit).map(([id]) => id);
  };
}

/** Pieces of whole lines; a line that is too long is cut. */
function piecesOf(text) {
  const pieces = [];
  let open = "";
  for (const line of text.split("\n").flatMap((one) => one.match(/.{1,1000}/gsu) ?? [])) {
    if (open.length + line.length > size) pieces.push(open);
    open = open.length + line.length > size || open === "" ? line : `${open}\n${line}`;
  }
  return open.trim() === "" ? pieces : [...pieces, open];
}

function normal(vector) {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  return Float32Array.from(vector, (value) => value / length);
}

function dot(a, b) {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index] * b[index];
  return sum;
}
