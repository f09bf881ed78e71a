import { once } from "../../base/lines.ts";

/** Something that is over according to a sentence, in the sentence's own words. */
export interface Ended {
  readonly gone: string;
  /** The replacement; empty if not mentioned. */
  readonly come: string;
  /**
   * `told`: it is over. `not`: it is contrasted with what is valid (`150 words, not 300`). `put off`: it has a new date.
   * `back`: it is valid again, and what replaced it is over.
   */
  readonly is: "told" | "not" | "put off" | "back";
}

/** Whether a lower-case sentence says that something else was chosen: `switched to SQLite`. */
export function turnsAway(sentence: string): boolean {
  return turn.test(sentence);
}

const turn =
  /(?<![a-zß-ÿа-яё])(?:(?:switch|mov|chang|migrat|convert)(?:ed|ing|es|e)? (?:over )?to|(?:takes?|took|taking)(?: [^\s,;]+){1,4} over(?= from|$|[,;.])|went with|going with|instead|gewechselt|umgestiegen|umgestellt|pass(?:é|ons) à|changé|cambi[a-zß-ÿа-яё]+ a|pas[a-zß-ÿа-яё]+ a|mud[a-zß-ÿа-яё]+ para|passat\p{L} a|перешли на)(?![a-zß-ÿа-яё])|(?:으로|로) (?:변경|전환|교체|바꿨)|に(?:変更|移行|切り替え)|改为|改成|换成|改用/u;

/** Whether a lower-case sentence says that what it states is new: `now`, `from this week`, `make that 55`. */
export function saysNew(sentence: string): boolean {
  return newly.test(sentence) && !more.test(sentence);
}

const newly =
  /(?<![a-zß-ÿа-яё])(?:(?<!for )now|from (?:now on|today|tomorrow|this|next)|as of|effective|starting|scrap that|make (?:that|it)|it is$|goes (?:up|down) to|changed|moved|jetzt|nun|ab (?:sofort|heute|jetzt|morgen|dem)|nu|voortaan|maintenant|désormais|dorénavant|ahora|a partir de|desde (?:hoy|ahora)|agora|mudou|ora|adesso|теперь|отныне)(?![a-zß-ÿа-яё])|이제|변경|바뀌|바뀐|새로|今は|今後|変更|変わ|现在|换成|改为|改成|改到/u;
/** Words for something that is added to the old and does not replace it. */
const more =
  /(?<![a-zß-ÿа-яё])(?:also|too|as well|another|second|additional(?:ly)?|besides|more|extra|auch|noch|weitere[rsnm]?|zusätzlich|ook|nog|aussi|encore|también|otr[oa]|además|também|outr[oa]|anche|altr[oa]|тоже|также|ещё|еще)(?![a-zß-ÿа-яё])|도 |또|추가|も|また|也|还|又/u;

/**
 * One form per line: words (`_` is a space), at least one of which must occur, then a pattern. `X`: what is over. `Y`: its
 * replacement. `END`: the end of a name.
 */
const forms: Readonly<Record<Ended["is"], string>> = {
  told: `
_switch|_mov|_chang|_migrat|_convert|_upgrad|_downgrad|_renam|_transfer|_relocat ~ \\b(?:switched|switching|moved|moving|changed|changing|migrated|converted|upgraded|downgraded|renamed|transferred|relocated)\\b(?: [^\\s,.;:()]+)*? from X (?:over |back )?to Y END
_over_from_ ~ \\b(?:takes?|took|taking)(?: [^\\s,;]+){1,4} over from X END
_instead_of_ ~ (?:^|[:,;] )instead of (?![a-zß-ÿа-яё]+ing )X,? (?:we|i|they|it|he|she) Y END
_replac ~ \\breplac(?:ed|ing) X (?:with|by) Y END
_until_ ~ (?:^|[:,;] )(?:was |were )?X until [^,;]+, (?:then|now) Y END
_replaced_ ~ ^X (?:is|are|was|were|has been|have been|got) (?:now )?replaced\\b
_replaces_ ~ ^Y (?:now )?replaces X END
_instead_ ~ (?:^|[:,;] |\\b(?:use|uses|using|used|take|took|chose|choose|go with|went with|prefer|want) )Y instead of (?![a-zß-ÿа-яё]+ing )X END
_but_ ~ \\b(?:is|are|use|uses|take|takes|on|at|in|to|with|for) not X but Y END
_no_longer_|_stopped_ ~ \\b(?:no longer|stopped [a-zß-ÿа-яё]+ing) X END
_any_more_|_anymore_ ~ \\b(?:not|don['’]t|doesn['’]t) X any ?more\\b
_out_|_off_|_over_|_gone_|_dead_|_cancel|_obsolete_|_retired_|_deprecated_|_dropped_|_abandoned_|_void_|_discontinued_|_decommissioned_|_uninstalled_|_terminated_|_outdated_|_revoked_|_shut_down_|_no_longer_ ~ ^X (?:is|are|was|were|has been|have been|got) (?:now |all )?(?:out|over|gone|dead|cancell?ed|obsolete|retired|deprecated|dropped|abandoned|void|discontinued|decommissioned|uninstalled|terminated|outdated|revoked|switched off|shut down|turned off|no longer (?:valid|used|needed|available|true|supported|in use|the case)) OVER
_double_booked_|_fell_through_|_cancel ~ ^X (?:is )?(?:double-booked|fell through|cancell?ed) OVER
_von_ ~ (?<![a-zß-ÿа-яё])von X (?:auf|zu|nach) Y (?:gewechselt|umgestellt|umgestiegen|umgezogen|migriert|geändert|verlegt|verschoben)
_statt_|_anstatt_|_anstelle_ ~ (?<![a-zß-ÿа-яё])(?:statt|anstatt|anstelle von) X END
_sondern_ ~ (?<![a-zß-ÿа-яё])nicht X,? sondern Y END
_nicht_mehr_ ~ (?<![a-zß-ÿа-яё])(?:nutz|verwend|brauch|hab|nehm|nimm)[a-zß-ÿа-яё]* X nicht mehr
_nicht_ ~ (?<![a-zß-ÿа-яё])nicht (?:mehr|länger) X END
_abgesagt_|_vorbei_|_gestrichen_|_hinfällig_|_abgeschaltet_|_gekündigt_|_veraltet_|_eingestellt_|_abgeschafft_|_ersetzt_ ~ ^X (?:ist|sind|wurde|wurden) (?:abgesagt|vorbei|gestrichen|hinfällig|abgeschaltet|gekündigt|veraltet|eingestellt|abgeschafft|durch Y ersetzt)(?![a-zß-ÿа-яё])
_passé|_changé|_migré|_déménagé ~ (?<![a-zß-ÿа-яё])(?:passé|changé|migré|déménagé)[a-zß-ÿа-яё]* (?:de |d['’])X (?:à|vers) Y END
_au_lieu_|_la_place_ ~ (?<![a-zß-ÿа-яё])(?:au lieu|à la place) (?:de |du |d['’])X END
_plus_ ~ (?<![a-zß-ÿа-яё])n(?:e |['’])[a-zß-ÿа-яё]+ plus (?:de |d['’])?X END
_mais_ ~ (?<![a-zß-ÿа-яё])(?:non )?pas X,? mais Y END
_annul|_abandonn|_supprim|_résili|_remplac ~ ^X (?:est|sont|a été|ont été) (?:annulé|abandonné|supprimé|résilié|remplacé)e?s?(?![a-zß-ÿа-яё])
_cambi|_mud|_pasa|_pasé|_pasó|_paso_|_passa|_passo|_passe|_migr|_traslad|_troc|_spost|_trasfer ~ (?<![a-zß-ÿа-яё])(?:cambi|mud|pas|migr|traslad|troc|spost|trasfer)[a-zß-ÿа-яё]* (?:de|del|desde|do|da|dal|dalla) X (?:a|al|para|por|alla) Y END
_vez_|_lugar_|_invece_|_posto_ ~ (?<![a-zß-ÿа-яё])(?:en vez|en lugar|em vez|no lugar|invece|al posto) (?:de|del|do|da|di|dei|dell[ao]) X END
_ya_no_|_já_não_|_больше_не_ ~ (?<![a-zß-ÿа-яё])(?:ya no|já não|больше не) X END
_mais_|_più_ ~ (?<![a-zß-ÿа-яё])(?:não|non) X (?:mais|più)(?![a-zß-ÿа-яё])
_sino_|_mas_sim_|_ma_|_а_ ~ (?<![a-zß-ÿа-яё])(?:no X,? sino|não X,? mas sim|non X,? ma|не X,? а) Y END
_cancelad|_anulad|_descartad|_annullat|_cancellat|_saltat|_sostituit|_substituíd ~ ^X (?:est[áa]|fue|foi|queda|è|sono) (?:stat[oaie] )?(?:cancelad|anulad|descartad|annullat|cancellat|saltat|sostituit|substituíd)[oaie]s?(?![a-zß-ÿа-яё])
_перешл|_переех|_смен|_переключ|_мигрир ~ (?<![a-zß-ÿа-яё])(?:перешл|переех|смен|переключ|мигрир)[a-zß-ÿа-яё]* (?:с|со|из) X (?:на|в) Y END
_вместо_ ~ (?<![a-zß-ÿа-яё])вместо X END
_отмен|_закрыт|_отключ ~ ^X (?:был[аои]? )?(?:отмен[её]н|закрыт|отключ[её]н)[a-zß-ÿа-яё]*
에서 ~ X에서 Y(?:으로|로) (?:변경|전환|교체|이전|바꾸|바꿨|바꿈|옮기|옮겼|옮김|이사)
더_이상 ~ 더 이상 X(?:[을를은는이가])? (?:사용하지|쓰지|안 쓰|아니)
대신 ~ X 대신(?:에)? Y END
아니라 ~ X(?:이|가) 아니라 Y END
취소|해지|폐기|종료 ~ X(?:은|는|이|가)? (?:취소|해지|폐기|종료)(?:됐|되었|된|했|함|됨)
から ~ (?:^|[をはがの])Xから(?<y>[^をはがのにへ、。\\s]{1,30})(?:に|へ)(?:変更|移行|切り替え|切替|乗り換え|変え|引っ越)
使って|使わ|使いま ~ (?:もう|今は|現在は)X[はをも](?:使っていない|使わない|使いません|使っていません)
ではなく|じゃな|の代わりに ~ X(?:ではなく|じゃなくて?|の代わりに)
解約|中止|廃止|終了|キャンセル ~ X[はをが](?:解約|中止|廃止|終了|キャンセル)(?:した|しました|に|と|され)
从|由 ~ [从由]X(?:改为|改成|换成|换到|切换到|切换为|迁移到|迁到|更换为|替换为|升级到|搬到)
不再|已不 ~ (?:不再|已不)(?:使用|用)?X
不是 ~ 不是X[,，]?而是
代替|取代|替代|替换 ~ (?:代替|取代|替代|替换)了?X
取消|停用|作废|关闭 ~ X(?:已经?|被)?(?:取消|停用|作废|关闭)了?$`,
  "put off": `
_postponed_|_rescheduled_|_moved_ ~ ^X (?:(?:is|was|has been|got) )?(?:postponed|rescheduled|moved)(?=$| (?:to|by|from|until)\\b)
_postponed_|_rescheduled_|_перенес ~ \\b(?:postponed|rescheduled|перенес[a-zß-ÿа-яё]+) X END
_verschoben|_verlegt|_report|_aplazad|_adiad|_rimandat ~ ^X (?:ist|wurde|est|a été|está|fue|foi|è stat[oa]) (?:verschoben|verlegt|reportée?|aplazad[oa]|adiad[oa]|rimandat[oa])
延期 ~ X[はをが]延期`,
  back: `
_back_to_|_back_on_|_back_at_|_back_with_|_return|_reverted_|_zurück_|_retour_|_vuelta_|_volta_|_nuovo_|_обратно_|_снова_ ~ (?:^|[:;,] |\\b(?:we|i|is|are|am|go|goes|went|going|switched|moved|changed) )(?:back (?:to|on|at|with)|return(?:ed)? to|reverted to|zurück (?:zu|zum|zur|auf|nach)|(?:de )?retour (?:à|au|chez)|de (?:vuelta|volta) a[lo]?|di nuovo (?:a|con)|(?:обратно|снова) (?:на|в|к)) X END`,
  not: `
_,_not_|_,_and_not_|_,_nicht_|_,_pas_|_,_não_|_,_non_|_,_не_ ~ , (?:(?:and )?not|nicht|pas|não|non|не) X$`,
};

const end = String.raw`(?=$|[,.;:()!?]|\s(?:for|in|on|at|since|because|as|when|after|before|with|and|but|any ?more|today|now|für|seit|weil|und|mehr|pour|parce|et|mais|por|porque|para|y|per|perché|для|и|потому)(?![a-zß-ÿа-яё]))`;
const over = String.raw`(?=$|[,.;:()!]|\s\(|\s(?:now|today|since|because|as of|from now on|for good)(?![a-zß-ÿа-яё]))`;
const thing = String.raw`[^,;:()—–、。，；！？\s](?:[^,;:()—–、。，；！？]*?[^,;:()—–、。，；！？\s])??`;

interface Form {
  readonly is: Ended["is"];
  /** At least one of them must occur. */
  readonly words: readonly string[];
  /** Compiled on first use: most texts need none. */
  readonly pattern: () => RegExp;
}

const known = once(() => (["told", "put off", "back", "not"] as const).flatMap(formsOf));

function formsOf(is: Ended["is"]): readonly Form[] {
  return forms[is]
    .trim()
    .split("\n")
    .map((line) => {
      const [words = "", form = ""] = line.split(" ~ ");
      const source = form
        .replace(/(?<![a-zß-ÿа-яё])X/u, `(?<x>${thing})`)
        .replace(/(?<![a-zß-ÿа-яё])Y/u, `(?<y>${thing})`)
        .replace(" END", end)
        .replace(" OVER", over);
      return { is, words: words.replaceAll("_", " ").split("|"), pattern: once(() => new RegExp(source, "du")) };
    });
}

/** Matches any of the words. A test of all at once first, because most sentences have none. */
const anyWord = once(
  () =>
    new RegExp(
      known()
        .flatMap(({ words }) => words)
        .join("|"),
      "u",
    ),
);

/** The forms that may match a lower-case sentence: those with a word that occurs in it. */
function formsFor(sentence: string): readonly Form[] {
  const text = ` ${sentence.replaceAll(",", " , ").replaceAll(/[\s!-+./:-@[-`{-~’“”«»–—…-]+/gu, " ")} `;
  return anyWord().test(text) ? known().filter(({ words }) => words.some((word) => text.includes(word))) : [];
}

/** A quick test with false positives: whether a lower-case sentence may say that something is over. */
export function mayEnd(sentence: string): boolean {
  return formsFor(sentence).length > 0;
}

/** Words before a thing that are not part of its name. */
const lead =
  /^(?:(?:the|a|an|my|our|now|us(?:e|es|ing)|ha(?:ve|s)|needs?|tak(?:e|es|ing)|work(?:s|ing)? (?:at|for|in|from)|liv(?:e|es|ing) in|run(?:s|ning)? on|deploys? to|supports?|der|die|das|den|dem|ein|eine|einen|le|la|les|un|une|el|los|las|una|il|lo|gli|o|os|usa|usamos|uso|utiliza|utilizamos|está?|es|est|vive en|trabaja en|mora em|использу[a-zß-ÿа-яё]+)\s+|l['’])+/u;

/** Text that is not the name of a thing. */
const unnamed = /^(?:just|only|being|no|none|nothing|it|this|that|these|them)(?![a-zß-ÿа-яё])/u;

/** Maximum characters read per sentence, and maximum words for what is over. */
const [mostRead, mostWords] = [600, 6];

/** Finds what a sentence says is over, clause by clause. */
export function endedIn(sentence: string): readonly Ended[] {
  const read = sentence.slice(0, mostRead);
  if (!mayEnd(read.toLowerCase())) return [];
  const clauses = read.split(/[;；。]|[,，、](?=\s|\p{Script=Han})|\.\s|\s[–—-]\s/u).map((clause) => clause.trim());
  const texts = new Set([read.replace(/[.!。！]+$/u, ""), ...clauses]);
  return [...texts].flatMap((text) => {
    const lower = text.toLowerCase();
    const raw = lower.length === text.length ? text : lower;
    return formsFor(lower).flatMap(({ is, pattern }): readonly Ended[] => {
      const { x = none, y = none } = pattern().exec(lower)?.indices?.groups ?? {};
      const [gone, come] = [bareThing(raw.slice(x[0], x[1])), bareThing(raw.slice(y[0], y[1]))];
      if (gone === "" || gone.split(/\s+/u).length > mostWords || unnamed.test(gone.toLowerCase())) return [];
      return [{ gone, come, is }];
    });
  });
}

const none: readonly [number, number] = [0, 0];

function bareThing(said: string): string {
  const text = said.trim();
  if (text === "") return "";
  return text.slice(lead.exec(text.toLowerCase())?.[0].length ?? 0).trim();
}
