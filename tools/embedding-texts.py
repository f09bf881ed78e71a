"""Writes the general texts to which tools/embedding-table.py fits its vectors: 335,000 sentences and turns of talks, shuffled, into WORK/texts.json.

    python3 tools/embedding-texts.py WORK SOURCES

No text stands in the table. They are read from SOURCES, a folder with Debian packages unpacked and with repositories as git made them:
    deb/   wordnet-base (WordNet 3.0 licence), dict-gcide (GPL-3+; most of it the 1913 Webster, public domain), dict-foldoc (GFDL), dict-jargon (public
           domain), fortunes (BSD, public domain), manpages, man-db (GPL-2+ and others), cppreference-doc-en-html (CC-BY-SA 3.0)
    git/   clinc/oos-eval (CC-BY 3.0), google-research-datasets/dstc8-schema-guided-dialogue (CC-BY-SA 4.0), google-research-datasets/Taskmaster TM-3
           (CC-BY 4.0), alexa/Topical-Chat (CDLA-Sharing 1.0), wilburOne/cosmosqa (CC-BY 4.0), as owner+name
"""
import csv, glob, gzip, html, json, os, random, re, sys


def clean(text): return re.sub(r"\s+", " ", text).strip()


def sentences(text): return [s for s in re.split(r'(?<=[.!?])["\')]*\s+(?=["\'(A-Z0-9])', clean(text)) if s]


def wordnet(root, chance):
    glosses, examples = [], []
    for kind in ("noun", "verb", "adj", "adv"):
        for line in open(f"{root}/deb/usr/share/wordnet/data.{kind}", encoding="latin1"):
            if line.startswith("  "): continue
            head, _, gloss = line.partition("|")
            fields = head.split()
            words = [fields[4 + 2 * i].replace("_", " ").split("(")[0] for i in range(int(fields[3], 16))]
            says = clean(re.sub(r'"[^"]*"[;,]?', "", gloss)).strip("; ")
            glosses.append(chance.choice([f"{words[0]}: {says}", says, ", ".join(words), f"{words[0]} is {says}"]))
            if len(words) > 1 and chance.random() < 0.5: glosses.append(", ".join(words))
            examples += re.findall(r'"([^"]+)"', gloss)
    return glosses, examples


def dictionary(root, name):
    text = gzip.open(f"{root}/deb/usr/share/dictd/{name}.dict.dz", "rt", encoding="utf8", errors="replace").read()
    text = re.sub(r"\[1913 Webster\]|\[(?:PJC|WordNet 1.5|Webster 1913 Suppl\.)[^\]]*\]", "\n\n", text)
    paragraphs = (re.sub(r"^(\d+\.|\([a-z]\))\s*", "", clean(p)) for p in re.split(r"\n\s*\n", text))
    return [s for p in paragraphs if name != "gcide" or ("[" not in p[:60] and "\\" not in p[:80]) for s in sentences(re.sub("[{}]", "", p))]


def fortunes(root):
    found = []
    for path in sorted(glob.glob(f"{root}/deb/usr/share/games/fortunes/*")):
        if "." in os.path.basename(path): continue
        for saying in map(clean, open(path, encoding="utf8", errors="replace").read().split("\n%\n")):
            found += ([saying] if len(saying) < 350 else []) + sentences(saying)
    return found


def manuals(root):
    found = []
    for path in sorted(glob.glob(f"{root}/deb/usr/share/man/man[1-8]/*.gz")):
        text = gzip.open(path, "rt", encoding="utf8", errors="replace").read()
        word = lambda m: " ".join(m[0].split()[1:]) if re.match(r"\.(B|I|BR|IR|RB|RI) ", m[0]) else "\n"
        text = re.sub(r"\\f.|\\&", "", re.sub(r"^[.'].*$", word, text, flags=re.M)).replace("\\-", "-")
        found += [s for p in re.split(r"\n\s*\n", text) for s in sentences(p) if len(s) > 30]
    for path in sorted(glob.glob(f"{root}/deb/usr/share/cppreference/doc/html/en/**/*.html", recursive=True)):
        for p in re.findall(r"<(?:p|dd|li)>(.*?)</(?:p|dd|li)>", open(path, encoding="utf8", errors="replace").read(), re.S):
            found += [s for s in sentences(html.unescape(re.sub(r"<[^>]+>", " ", p))) if len(s) > 30]
    return found


def talks(root, chance):
    git = f"{root}/git"
    found = [x[0] for part in json.load(open(f"{git}/clinc+oos-eval/data/data_full.json")).values() for x in part]
    for path in sorted(glob.glob(f"{git}/google-research-datasets+dstc8-schema-guided-dialogue/train/dialogues_*.json")):
        for talk in json.load(open(path)):
            turns = [clean(t["utterance"]) for t in talk["turns"]]
            found += [t for t in turns if chance.random() < 0.17]
            if len(turns) > 4 and chance.random() < 0.4: found.append(" ".join(turns[(at := chance.randrange(len(turns) - 3)):at + 3]))
    for name in ("test_freq", "test_rare", "valid_freq", "valid_rare"):
        for talk in json.load(open(f"{git}/alexa+Topical-Chat/conversations/{name}.json")).values():
            turns = [clean(t["message"]) for t in talk["content"]]
            found += [s for t in turns for s in sentences(t) if chance.random() < 0.6] + [t for t in turns if chance.random() < 0.17]
    for row in csv.DictReader(open(f"{git}/wilburOne+cosmosqa/data/valid.csv", encoding="utf8")):
        found += sentences(row["context"]) + [row["context"], row["question"]] + [row[f"answer{i}"] for i in range(4)]
    lines = open(f"{git}/google-research-datasets+Taskmaster/TM-3-2020/splits/train/train-bc.tsv", encoding="utf8").read()
    return found + chance.sample(re.findall(r"<[UA]>([^<]+)", lines), 5000)


def write_texts(work, root):
    chance = random.Random(7)
    glosses, examples = wordnet(root, chance)
    sources = [("text", glosses, 60_000), ("text", examples, 40_000), ("text", dictionary(root, "gcide"), 35_000),
               ("text", dictionary(root, "foldoc") + dictionary(root, "jargon"), 22_000), ("text", fortunes(root), 25_000),
               ("text", manuals(root), 14_000), ("talk", talks(root, chance), 150_000)]
    texts = []
    for kind, found, most in sources:
        fit = [t for t in dict.fromkeys(map(clean, found)) if 8 <= len(t) <= 700 and (kind == "talk" or (t.isascii() and len(t) <= 400))]
        chance.shuffle(fit)
        texts += [(kind, t) for t in fit[:most]]
    chance.shuffle(texts)
    json.dump(texts, open(f"{work}/texts.json", "w"))
    print(len(texts), "texts")


if __name__ == "__main__":
    write_texts(*sys.argv[1:])
