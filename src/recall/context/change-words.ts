/** What a text says of a change: from what, to what. Both as they stand there; `to` is empty for what is only over. */
export interface Change {
  readonly from: string;
  readonly to: string;
}

interface Pattern {
  /** What a sentence must hold: to look for it costs far less than to try the pattern. */
  readonly needs: RegExp;
  /** Made when it is tried first: most texts need none. */
  readonly is: (thing: string) => RegExp;
  readonly order: "from-to" | "to-from" | "from";
}

/** One word of a thing: none that begins something else, and no comma, full stop, bracket or dash in it. */
const word = String.raw`(?!\b(?:and|but|because|since|so|as|for|after|when|which|that|to|from|with|in|on|at|instead|today|yesterday|last|this)\b)[^\s,.;:()—–→]+(?:\.[^\s,.;:()—–→]+)*`;
/** Words of a thing, at most. */
const mostWords = 6;
/** A thing as it is named. */
const boundedThing = `(${word}(?: ${word}){0,${mostWords - 1}})`;
/** Of as many words as there are: the engine writes a bounded number out, which takes milliseconds to compile, and hardly a thing has so many. */
const anyThing = `(${word}(?: ${word})*)`;
const things = `(?:${word} )+`;

const patterns: readonly Pattern[] = [
  {
    needs: new RegExp(
      String.raw`\b(?:switch|mov|chang|migrat|convert|upgrad|downgrad|renam)[a-z]* (?:[^\s,.;:()]+ )*?from ${things}(?:over )?to `,
      "i",
    ),
    is: (thing) =>
      new RegExp(
        String.raw`\b(?:switch(?:ed|ing)?|mov(?:ed|ing)|chang(?:ed|ing)|migrat(?:ed|ing)|converted|upgraded|downgraded|renamed)(?: [^\s,.;:()]+){0,5}? from ${thing} (?:over )?to ${thing}`,
        "gi",
      ),
    order: "from-to",
  },
  {
    needs: /\breplac(?:ed|ing) /i,
    is: (thing) => new RegExp(String.raw`\breplac(?:ed|ing) ${thing} (?:with|by) ${thing}`, "gi"),
    order: "from-to",
  },
  {
    needs: / replaced (?:with|by) /i,
    is: (thing) => new RegExp(String.raw`\b${thing} (?:was|were|has been|got) replaced (?:with|by) ${thing}`, "gi"),
    order: "from-to",
  },
  {
    needs: new RegExp(
      String.raw`\b(?:use|uses|using|used|take|took|chose|choose|with|prefer|want) ${things}instead of `,
      "i",
    ),
    is: (thing) =>
      new RegExp(
        String.raw`\b(?:use|uses|using|used|take|took|chose|choose|go with|went with|prefer|want) ${thing} instead of ${thing}`,
        "gi",
      ),
    order: "to-from",
  },
  {
    needs: new RegExp(String.raw`(?:^|[:,;] )${things}instead of `, "i"),
    is: (thing) => new RegExp(String.raw`(?:^|[:,;] )${thing} instead of ${thing}`, "gi"),
    order: "to-from",
  },
  {
    needs: /any ?more/i,
    is: (thing) =>
      new RegExp(
        String.raw`\b(?:no longer|not|don['’]t|doesn['’]t|stopped|quit)(?: (?:use|uses|using|used|have|has|work at|works at|work for|works for|working at|live in|lives in|need|needs|run on|runs on|deploy to|deploys to|support|supports)) ${thing}(?= any ?more\b)`,
        "gi",
      ),
    order: "from",
  },
  {
    needs: /no longer|stopped/i,
    is: (thing) =>
      new RegExp(
        String.raw`\b(?:no longer|stopped)(?: (?:use|uses|using|have|has|work at|works at|work for|works for|working at|live in|lives in|run on|runs on|deploy to|deploys to|support|supports)) ${thing}`,
        "gi",
      ),
    order: "from",
  },
  {
    needs: /→|->|=>/u,
    is: (thing) => new RegExp(String.raw`(?:^|[:,;(] ?|- )${thing} (?:→|->|=>) ${thing}`, "gi"),
    order: "from-to",
  },
  // Korean, Japanese, Chinese: the plain forms.
  {
    needs: /에서 /u,
    is: () =>
      /([\p{L}\p{N}][\p{L}\p{N}._-]{0,29}?)에서 ([\p{L}\p{N}][\p{L}\p{N}._-]{0,29}?)(?:으로|로) (?:변경|전환|교체|이전|바꾸|바꿨|바꿈|옮기|옮겼|옮김)/gu,
    order: "from-to",
  },
  {
    needs: /더 이상/u,
    is: () => /더 이상 ([\p{L}\p{N}][\p{L}\p{N}._-]{0,29}?)[을를은는이가]? (?:사용하지|쓰지|안 쓰)/gu,
    order: "from",
  },
  {
    needs: /から/u,
    is: () =>
      /(?:^|[をはがの、。\s])([^をはがのにへ、。\s]{1,30})から([^をはがのにへ、。\s]{1,30})(?:に|へ)(?:変更|移行|切り替え|切替|乗り換え|変え|引っ越)/gu,
    order: "from-to",
  },
  {
    needs: /もう|今は|現在は/u,
    is: () =>
      /(?:もう|今は|現在は)([\p{L}\p{N}ー][\p{L}\p{N}ー ._-]{0,19}?)[はをも](?:使っていない|使わない|使いません|使っていません)/gu,
    order: "from",
  },
  {
    needs: /[从由把]/u,
    is: () =>
      /(?:从|由|把)([\p{L}\p{N}][\p{L}\p{N} ._-]{0,29}?)(?:改为|改成|换成|换到|切换到|切换为|迁移到|迁到|更换为|替换为|升级到)([\p{L}\p{N}][\p{L}\p{N} ._-]{0,29})/gu,
    order: "from-to",
  },
  {
    needs: /不再|已不/u,
    is: () => /(?:不再|已不)(?:使用|用)([\p{L}\p{N}][\p{L}\p{N} ._-]{0,29})/gu,
    order: "from",
  },
];

/** What a sentence must hold to say of any change: most hold nothing of it. */
const needed =
  /\b(?:switch|mov|chang|migrat|convert|upgrad|downgrad|renam)[a-z]*(?: [^,.;:()]*)? from [^,;:()]* to |\breplac(?:ed|ing) [^,;:()]* (?:with|by) | replaced (?:with|by) | instead of |\b(?:no longer|stopped) (?:use|using|ha[vs]|work|live|run|deploy|support)|any ?more\b|→|->|=>|에서 |더 이상|から|もう|今は|現在は|[从由把]|不再|已不/i;

/** Words that are wished, asked, or not decided. */
const open =
  /\?\s*$|\b(?:should|could|would|might|maybe|perhaps|considering|thinking (?:of|about)|if we|if i|whether|plan(?:ning)? to|want to|going to|how (?:do|to|can))\b|할까|かな|だろうか|吗|是否/i;

/** Whether a text has a word of change: quickly told, and rather yes. */
export function tellsChange(text: string): boolean {
  return needed.test(text);
}

/** Characters of one text that are looked at. */
const mostRead = 600;

/** The changes that a text says have happened. */
export function changesIn(text: string): readonly Change[] {
  const read = text.slice(0, mostRead);
  return read.split(/(?<=[.!?。！？])\s+|\n/u).flatMap((sentence) => {
    // Before the patterns: each of them takes milliseconds to compile.
    return !needed.test(sentence) || open.test(sentence) ? [] : changesInSentence(sentence);
  });
}

const made = { quick: new Map<Pattern, RegExp>(), exact: new Map<Pattern, RegExp>() };

function patternOf(pattern: Pattern, how: keyof typeof made): RegExp {
  const known = made[how].get(pattern);
  if (known !== undefined) return known;
  const is = pattern.is(how === "quick" ? anyThing : boundedThing);
  made[how].set(pattern, is);
  return is;
}

function changesInSentence(sentence: string): readonly Change[] {
  for (const pattern of patterns) {
    if (!pattern.needs.test(sentence)) continue;
    const quick = [...sentence.matchAll(patternOf(pattern, "quick"))];
    const isExact = quick.every(([, ...said]) => said.every(isThing));
    const found = isExact ? quick : [...sentence.matchAll(patternOf(pattern, "exact"))];
    if (found.length > 0) return found.map((match) => changeOf(match, pattern.order)).filter(isChange);
  }
  return [];
}

function isThing(said: string | undefined): boolean {
  return said === undefined || said.split(" ").length <= mostWords;
}

function changeOf([, first = "", second = ""]: RegExpMatchArray, order: Pattern["order"]): Change {
  const [a, b] = [first.trim(), second.trim()];
  return order === "from-to" ? { from: a, to: b } : order === "to-from" ? { from: b, to: a } : { from: a, to: "" };
}

function isChange({ from, to }: Change): boolean {
  return from !== "" && from.toLowerCase() !== to.toLowerCase();
}
