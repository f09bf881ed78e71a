/** What a sentence says is over, in its own words. */
export interface Ended {
  readonly gone: string;
  /** What takes its place; empty when the sentence does not say. */
  readonly come: string;
  /** `told`: it is over. `not`: said beside what holds (`150 words, not 300`). `put off`: its date is. `back`: what came after it is. */
  readonly is: "told" | "not" | "put off" | "back";
}

/** Whether a sentence in lower case says that something else was chosen: `switched to SQLite`. */
export function turnsAway(sentence: string): boolean {
  return turn.test(sentence);
}

const turn =
  /(?<![a-zß-ÿа-яё])(?:(?:switch|mov|chang|migrat|convert)(?:ed|ing|es|e)? (?:over )?to|went with|going with|instead|gewechselt|umgestiegen|umgestellt|pass(?:é|ons) à|changé|cambi[a-zß-ÿа-яё]+ a|pas[a-zß-ÿа-яё]+ a|mud[a-zß-ÿа-яё]+ para|passat\p{L} a|перешли на)(?![a-zß-ÿа-яё])|(?:으로|로) (?:변경|전환|교체|바꿨)|に(?:変更|移行|切り替え)|改为|改成|换成|改用/u;

/** Whether a sentence in lower case may say that something is over: quickly told, and rather yes. */
export function mayEnd(sentence: string): boolean {
  return cue.test(sentence);
}

const cue =
  /\b(?:from|until|back|return|reverted|zurück|retour|vuelta|volta|nuovo|replac|instead|no longer|any ?more|stopped|not?|out|off|over|gone|dead|cancell?ed|obsolete|retired|deprecated|dropped|abandoned|void|discontinued|decommissioned|uninstalled|terminated|outdated|revoked|down|postponed|rescheduled|moved|double-booked|through|nicht|statt|anstatt|anstelle|von|abgesagt|vorbei|gestrichen|hinfällig|abgeschaltet|gekündigt|veraltet|eingestellt|abgeschafft|ersetzt|durch|verschoben|verlegt|plus|lieu|place|pas|passé|annulée?s?|abandonnée?s?|résilié|remplac|reporté|ya no|vez|lugar|de|cancelad|anulad|descartad|sustitu|reemplaz|aplazad|já|não|substitu|adiad|più|invece|posto|da|annullat|cancellat|saltat|sostitui|rimandat)|обратно|снова|вместо|больше|замен|отмен|перен|[сз]акрыт| не |에서 |더 이상|대신|아니라|취소|해지|폐기|종료|から|もう|ではなく|代わり|解約|中止|廃止|終了|キャンセル|延期|[从由]|不再|不是|取消|停用|作废|代替|取代|替代|推迟/u;

/** `X`: what is over. `Y`: what takes its place. `END`: here the name of a thing ends. */
const forms: readonly (readonly [is: Ended["is"], form: string])[] = [
  [
    "told",
    String.raw`\b(?:switched|switching|moved|moving|changed|changing|migrated|converted|upgraded|downgraded|renamed|transferred|relocated)\b(?: [^\s,.;:()]+)*? from X (?:over |back )?to Y END`,
  ],
  ["told", String.raw`\breplac(?:ed|ing) X (?:with|by) Y END`],
  ["told", String.raw`(?:^|[:,;] )(?:was |were )?X until [^,;]+, (?:then|now) Y END`],
  ["told", String.raw`^X (?:is|are|was|were|has been|have been|got) (?:now )?replaced\b`],
  ["told", String.raw`^Y (?:now )?replaces X END`],
  [
    "told",
    String.raw`(?:^|[:,;] |\b(?:use|uses|using|used|take|took|chose|choose|go with|went with|prefer|want) )Y instead of (?![a-zß-ÿа-яё]+ing )X END`,
  ],
  ["told", String.raw`\b(?:is|are|use|uses|take|takes|on|at|in|to|with|for) not X but Y END`],
  ["told", String.raw`\b(?:no longer|stopped [a-zß-ÿа-яё]+ing) X END`],
  ["told", String.raw`\b(?:not|don['’]t|doesn['’]t) X any ?more\b`],
  [
    "told",
    String.raw`^X (?:is|are|was|were|has been|have been|got) (?:now |all )?(?:out|off|over|gone|dead|cancell?ed|obsolete|retired|deprecated|dropped|abandoned|void|discontinued|decommissioned|uninstalled|terminated|outdated|revoked|switched off|shut down|turned off|no longer (?:valid|used|needed|available|true|supported|in use|the case)) OVER`,
  ],
  ["told", String.raw`^X (?:is )?(?:double-booked|fell through|cancell?ed) OVER`],
  ["put off", String.raw`^X (?:(?:is|was|has been|got) )?(?:postponed|rescheduled|moved)(?=$| (?:to|by|from|until)\b)`],
  ["put off", String.raw`\b(?:postponed|rescheduled|перенес[a-zß-ÿа-яё]+) X END`],
  [
    "put off",
    String.raw`^X (?:ist|wurde|est|a été|está|fue|foi|è stat[oa]) (?:verschoben|verlegt|reportée?|aplazad[oa]|adiad[oa]|rimandat[oa])`,
  ],
  [
    "back",
    String.raw`(?:^|[:;,] |\b(?:we|i|is|are|am|went|going|switched|moved|changed) )(?:back (?:to|on|at|with)|return(?:ed)? to|reverted to|zurück (?:zu|zum|zur|auf|nach)|(?:de )?retour (?:à|au|chez)|de (?:vuelta|volta) a[lo]?|di nuovo (?:a|con)|(?:обратно|снова) (?:на|в|к)) X END`,
  ],
  ["not", String.raw`, (?:and )?(?:not|nicht|pas|não|non|не) X$`],
  [
    "told",
    String.raw`(?<![a-zß-ÿа-яё])von X (?:auf|zu|nach) Y (?:gewechselt|umgestellt|umgestiegen|umgezogen|migriert|geändert|verlegt|verschoben)`,
  ],
  ["told", String.raw`(?<![a-zß-ÿа-яё])(?:statt|anstatt|anstelle von) X END`],
  ["told", String.raw`(?<![a-zß-ÿа-яё])nicht X,? sondern Y END`],
  ["told", String.raw`(?<![a-zß-ÿа-яё])(?:nutz|verwend|brauch|hab|nehm|nimm)[a-zß-ÿа-яё]* X nicht mehr`],
  ["told", String.raw`(?<![a-zß-ÿа-яё])nicht (?:mehr|länger) X END`],
  [
    "told",
    String.raw`^X (?:ist|sind|wurde|wurden) (?:abgesagt|vorbei|gestrichen|hinfällig|abgeschaltet|gekündigt|veraltet|eingestellt|abgeschafft|durch Y ersetzt)(?![a-zß-ÿа-яё])`,
  ],
  ["told", String.raw`(?<![a-zß-ÿа-яё])(?:passé|changé|migré|déménagé)[a-zß-ÿа-яё]* (?:de |d['’])X (?:à|vers) Y END`],
  ["told", String.raw`(?<![a-zß-ÿа-яё])(?:au lieu|à la place) (?:de |du |d['’])X END`],
  ["told", String.raw`(?<![a-zß-ÿа-яё])n(?:e |['’])[a-zß-ÿа-яё]+ plus (?:de |d['’])?X END`],
  ["told", String.raw`(?<![a-zß-ÿа-яё])(?:non )?pas X,? mais Y END`],
  [
    "told",
    String.raw`^X (?:est|sont|a été|ont été) (?:annulé|abandonné|supprimé|résilié|remplacé)e?s?(?![a-zß-ÿа-яё])`,
  ],
  [
    "told",
    String.raw`(?<![a-zß-ÿа-яё])(?:cambi|mud|pas|migr|traslad|troc|spost|trasfer)[a-zß-ÿа-яё]* (?:de|del|desde|do|da|dal|dalla) X (?:a|al|para|por|alla) Y END`,
  ],
  [
    "told",
    String.raw`(?<![a-zß-ÿа-яё])(?:en vez|en lugar|em vez|no lugar|invece|al posto) (?:de|del|do|da|di|dei|dell[ao]) X END`,
  ],
  ["told", String.raw`(?<![a-zß-ÿа-яё])(?:ya no|já não|больше не) X END`],
  ["told", String.raw`(?<![a-zß-ÿа-яё])(?:não|non) X (?:mais|più)(?![a-zß-ÿа-яё])`],
  ["told", String.raw`(?<![a-zß-ÿа-яё])(?:no X,? sino|não X,? mas sim|non X,? ma|не X,? а) Y END`],
  [
    "told",
    String.raw`^X (?:est[áa]|fue|foi|queda|è|sono) (?:stat[oaie] )?(?:cancelad|anulad|descartad|annullat|cancellat|saltat|sostituit|substituíd)[oaie]s?(?![a-zß-ÿа-яё])`,
  ],
  [
    "told",
    String.raw`(?<![a-zß-ÿа-яё])(?:перешл|переех|смен|переключ|мигрир)[a-zß-ÿа-яё]* (?:с|со|из) X (?:на|в) Y END`,
  ],
  ["told", String.raw`(?<![a-zß-ÿа-яё])вместо X END`],
  ["told", String.raw`^X (?:был[аои]? )?(?:отмен[её]н|закрыт|отключ[её]н)[a-zß-ÿа-яё]*`],
  ["told", String.raw`X에서 Y(?:으로|로) (?:변경|전환|교체|이전|바꾸|바꿨|바꿈|옮기|옮겼|옮김|이사)`],
  ["told", String.raw`더 이상 X(?:[을를은는이가])? (?:사용하지|쓰지|안 쓰|아니)`],
  ["told", String.raw`X 대신(?:에)? Y END`],
  ["told", String.raw`X(?:이|가) 아니라 Y END`],
  ["told", String.raw`X(?:은|는|이|가)? (?:취소|해지|폐기|종료)(?:됐|되었|된|했|함|됨)`],
  [
    "told",
    String.raw`(?:^|[をはがの])Xから(?<y>[^をはがのにへ、。\s]{1,30})(?:に|へ)(?:変更|移行|切り替え|切替|乗り換え|変え|引っ越)`,
  ],
  ["told", String.raw`(?:もう|今は|現在は)X[はをも](?:使っていない|使わない|使いません|使っていません)`],
  ["told", String.raw`X(?:ではなく|じゃなくて?|の代わりに)`],
  ["told", String.raw`X[はをが](?:解約|中止|廃止|終了|キャンセル)(?:した|しました|に|と|され)`],
  ["put off", String.raw`X[はをが]延期`],
  ["told", String.raw`[从由]X(?:改为|改成|换成|换到|切换到|切换为|迁移到|迁到|更换为|替换为|升级到|搬到)`],
  ["told", String.raw`(?:不再|已不)(?:使用|用)?X`],
  ["told", String.raw`不是X[,，]?而是`],
  ["told", String.raw`(?:代替|取代|替代|替换)了?X`],
  ["told", String.raw`X(?:已经?|被)?(?:取消|停用|作废|关闭)了?$`],
];

const end = String.raw`(?=$|[,.;:()!?]|\s(?:for|in|on|at|since|because|as|when|after|before|with|and|but|any ?more|today|now|für|seit|weil|und|mehr|pour|parce|et|mais|por|porque|para|y|per|perché|для|и|потому)(?![a-zß-ÿа-яё]))`;
const over = String.raw`(?=$|[,.;:()!]|\s\(|\s(?:now|today|since|because|as of|from now on|for good)(?![a-zß-ÿа-яё]))`;
const thing = String.raw`[^,;:()—–、。，；！？\s](?:[^,;:()—–、。，；！？]*?[^,;:()—–、。，；！？\s])??`;

/** Made when first needed: most texts need none, and each takes a while to compile. */
const made: RegExp[] = [];

function patternOf(at: number, form: string): RegExp {
  return (made[at] ??= new RegExp(
    form
      .replace(/(?<![a-zß-ÿа-яё])X/u, `(?<x>${thing})`)
      .replace(/(?<![a-zß-ÿа-яё])Y/u, `(?<y>${thing})`)
      .replace(" END", end)
      .replace(" OVER", over),
    "du",
  ));
}

/** Words before a thing that are none of its name. */
const lead =
  /^(?:(?:the|a|an|my|our|now|us(?:e|es|ing)|ha(?:ve|s)|needs?|tak(?:e|es|ing)|work(?:s|ing)? (?:at|for|in|from)|liv(?:e|es|ing) in|run(?:s|ning)? on|deploys? to|supports?|der|die|das|den|dem|ein|eine|einen|le|la|les|un|une|el|los|las|una|il|lo|gli|o|os|usa|usamos|uso|utiliza|utilizamos|está?|es|est|vive en|trabaja en|mora em|использу[a-zß-ÿа-яё]+)\s+|l['’])+/u;

/** Names no thing. */
const unnamed = /^(?:just|only|being|no|none|nothing|it|this|that|these|them)(?![a-zß-ÿа-яё])/u;

/** Characters of one sentence that are looked at, and words of what is over. */
const [mostRead, mostWords] = [600, 6];

/** What the clauses of a sentence say is over. */
export function endedIn(sentence: string): readonly Ended[] {
  const read = sentence.slice(0, mostRead);
  if (!mayEnd(read.toLowerCase())) return [];
  const clauses = read.split(/[;；。]|[,，、](?=\s|\p{Script=Han})|\.\s|\s[–—-]\s/u).map((clause) => clause.trim());
  const texts = new Set([read.replace(/[.!。！]+$/u, ""), ...clauses]);
  return [...texts].flatMap((text) => {
    const lower = text.toLowerCase();
    if (text === "" || !mayEnd(lower)) return [];
    const raw = lower.length === text.length ? text : lower;
    const isEastern = eastern.test(text);
    return forms.flatMap(([is, form], at): readonly Ended[] => {
      if (eastern.test(form) !== isEastern) return [];
      const { x = none, y = none } = patternOf(at, form).exec(lower)?.indices?.groups ?? {};
      const [gone, come] = [bareThing(raw.slice(x[0], x[1])), bareThing(raw.slice(y[0], y[1]))];
      if (gone === "" || gone.split(/\s+/u).length > mostWords || unnamed.test(gone.toLowerCase())) return [];
      return [{ gone, come, is }];
    });
  });
}

/** Korean, Japanese and Chinese have forms of their own. */
const eastern = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const none: readonly [number, number] = [0, 0];

function bareThing(said: string): string {
  const text = said.trim();
  return text.slice(lead.exec(text.toLowerCase())?.[0].length ?? 0).trim();
}
