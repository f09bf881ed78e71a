import { once } from "../../base/lines.ts";
import { syllablesWithSs } from "../words/scripts.ts";

/** Nouns that end like a particle or verb ending. */
const wholeNouns =
  /(?:회의|논의|정의|문의|합의|협의|강의|동의|주의|의의|고양이|도로|속도|온도|정도|제도|지도|용도|강도|밀도|빈도|난이도|농도|각도|경로|진로|통로|프로|제로|유로|마이크로|매크로|결과|효과|성과|사과|학과|평가|휴가|국가|작가|물가|추가|증가|인가|전문가|차이|나이|아이|놀이|높이|길이|깊이|넓이|종이|레이|페이|파이|디스플레이|플레이|릴레이|은행|마을|가을|노을|불만|기만|미만|권한|기한|제한|무한|북한|남한|역할|분할|할인|포함|결함|명함|이해|피해|오해|올해|방해|집중|공중|수중|도중|책임|모임|게임|프레임|타임|런타임|처음|마음|다음|소음|캐나다|판다|바다|람다|소다|사이다|라디오)$/u;

const ofDoing =
  /(?:하였습니다|했습니다|하였다|했다고|했다|했고|했는데|했지만|했으며|했음|했던|합니다|한다는|한다|하는데|하는|하고|하기로|하기|하도록|하지만|하지|하면서|하면|하며|하여|하자고|하자|하려고|하세요|해야|해서|해요|해둠|해|함|할|한|되었습니다|됐습니다|되었다|됐다|됐음|됐고|됩니다|된다|되는|되고|되기|되도록|되지|되면|되며|되어|돼서|됨|될|된|시켰다|시킨다|시키는|시킴|시켜|중이다|중인)$/u;

const ofVerbs =
  /(?:니다|인다|는다|린다|든다|운다|진다|긴다|세요|어요|아요|네요|군요|는데|지만|면서|려고|거나|도록|어서|아서|어야|아야|여야|달라고|달라는|으면|으니|므로|니까|로운|스러운|러운|싶다|같다|없다|있다|없이|없음|있음|없는|있는|않음|않는|않은|않고|했|겠)$/u;

const particles =
  /(?:이었다|이라서|입니다|이다|이고|이며|에서부터|에서는|에서도|에서의|으로는|으로도|으로의|에게서|에게는|에게도|이라는|까지는|부터는|에서|에게|에는|에도|에만|으로|로는|로도|로만|까지|부터|처럼|보다|마다|조차|이나|이라|라는|라도|이랑|하고|께서|한테|은|는|이|가|을|를|에|의|로|와|과|도|만|랑)$/u;

/** Past tense, as in `바꿨다`, `줄였고`. */
const past = once(() => new RegExp(`[${syllablesWithSs}]`, "u"));

/**
 * The noun of a Korean word without particles and verb endings (`도입하기로` → `도입`); `undefined` for verbs and adjectives
 * recognized by their endings. Rule-based, no dictionary.
 */
export function koreanNoun(word: string): string | undefined {
  if (wholeNouns.test(word)) return word;
  if (past().test(word) || isConnective(word)) return undefined;
  // One syllable with an object particle is not worth searching for.
  if (word.length < 3) return /[을를]$/u.test(word) ? undefined : word;
  const root = word.replace(ofDoing, "");
  if (root !== word && root.length >= 2) return withoutParticles(root);
  if (ofVerbs.test(word)) return undefined;
  return withoutParticles(word);
}

function withoutParticles(word: string): string | undefined {
  const noun = word.replace(particles, "");
  if (noun.length >= 2 || /^[A-Za-z]/u.test(noun)) return noun;
  return word.length - noun.length > 1 ? undefined : word;
}

/** Final consonants that occur only in native stems before the ending `고`: `닫고`, `찾고`, unlike the nouns `창고`, `광고`. */
const nativeFinals: ReadonlySet<number> = new Set([
  2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 18, 19, 20, 22, 23, 24, 25, 26, 27,
]);
/** Vowels of stems before the ending `서`: `자서`, `생겨서`, `줘서`, unlike the nouns `보고서`, `순서`. */
const stemVowels: ReadonlySet<number> = new Set([0, 1, 4, 6, 14]);

/** Whether a word is a connective verb form: `닫고`, `먹으러`, `가져와서`. */
function isConnective(word: string): boolean {
  if (/(?:으러|아와서|어와서|져와서|려고)$/u.test(word)) return true;
  const before = word.charCodeAt(word.length - 2) - 0xac00;
  if (Number.isNaN(before) || before < 0 || before >= 11_172) return false;
  if (word.endsWith("고")) return nativeFinals.has(before % 28);
  return word.endsWith("서") && before % 28 === 0 && stemVowels.has(Math.floor((before % 588) / 28));
}

/** Chinese and Japanese words that contain a function character as part of the name. */
const whole =
  "功能|性能|机能|機能|可能|能力|能源|智能|知能|会议|会議|会员|会員|会社|机会|機会|社会|会话|会計|会计|会場|会場|宴会|协会|要求|要件|要約|要素|主要|重要|概要|摘要|说明|説明|小说|传说|对象|対象|对比|对话|应对|针对|对接|等级|等級|" +
  "等待|均等|平等|因子|因素|原因|要因|基因|方向|傾向|向量|面向|转向|所有|场所|場所|住所|事務所|厕所|研究所|许可|許可|可用|可视化|认可|可靠|以太|以上|以下|以降|以外|行为|作为|認為|认为|为替|去年|过去|過去|除去|到期|到着|到達|达到|" +
  "目的地|目的|的确|的士|在线|在庫|在宅|存在|所在地|是否|于是|关于|由于|等于|对于|成就|就业|和平|平和|令和|昭和|共和国|首都|都市|成都|京都|東京都|不同|不足|不具合|不要|不正|不安|不動産|了解|将来|如何|如果|而且|但是|" +
  "从而|服从|从来|自从|参与|与会|供给|给予|供給|給料|支給|把握|把手|被子|被害|这里|那里|及时|普及|涉及|以及|转让|让步|很多|也许|我国|和解|要点|所得|可爱|能量|会所|用户|应用|使用|费用|作用|信用|信用卡|通用|专用|用途|用量|公用|利用|" +
  "调用|启用|禁用|用法|用例|复用|占用|用户名|有限|有效|所有者|拥有|有关|国有|到达|说法|小说家|去重|去除|对账|对齐|对数|等式|为止|就绪|把关|请求|申请|邀请|请假|方法|说服";
/** Function words. A run of Chinese is split at them. */
const functional =
  "经常|一直|总是|有时|特别|虽然|不过|只是|就是|可是|每次|其中|发现|觉得|喜欢|讨论|看到|听说|告诉|知道|希望|打算|准备|为了|看看|改用|大约|左右|降到|升到|正在|负责|第一|第二|第三|我们|你们|他们|她们|它们|我的|自己|什么|怎么|为什么|这个|那个|这些|那些|一个|一些|一下|可以|需要|已经|今天|明天|昨天|现在|目前|时候|因为|所以|如果|但是|没有|还是|或者|进行|使用|通过|非常|比较|应该|必须|开始|继续|" +
  "然后|之后|之前|以后|以前|最近|一起|其他|这样|那样|每天|每周|本周|下周|上周|大家|决定|采用|改为|改成|换成|关于|由于|认为|以及|而且|是否|只有|只能|不能|不会|不要|不再|" +
  "[的了在是我你他她它们和就都也很有不要会说去到把被给对这那与及或等为以于从向让将已而但如因所能可吗呢吧啊么着过没还再又才并用做请该其此每]";
const onlyFunctional = once(() => new RegExp(`^(?!(?:${whole})$)(?:${functional})+$`, "u"));
const cuts = once(() => new RegExp(`(${whole})|(?:${functional})`, "gu"));

/** Characters used in Chinese but not in Japanese: function words and common simplified characters. */
const chineseSign =
  /[们这那没你您她吗呢吧么还给让們這說沒讓麼嗎为时说过对从进动产应关开问间题设计认识页图现实发务经单网络错误测试运营优结类级变员议订购买卖费账码载传输视频预觉历师办验证显备复钱银钟长门马车东书乐亚华读语刘兴乡岁师帮边达远选适迁迟递逻层岛币庆库张弹归忆态总护报择换损杂权极构树样桥梦检欢毕汇汉泽洁济渐满滚灵热爱环电疗盐监盖盘矿础积稳穷竞笔简粮紧红约纪纯纸线组细织终绕绘绝统继绩续维绿缓编缘缩]/u;
const kana = once(() => /[\p{Script=Hiragana}\p{Script=Katakana}]/u);

/** Whether Han text is Chinese: no kana, and at least one character used only in Chinese. */
export function isChinese(text: string): boolean {
  return chineseSign.test(text) && !kana().test(text);
}

/** Characters that can end a compound: 都道府県, and those for offices, forms and roles. */
const compoundEnd = /^.{2,5}?(?:[都道府県市区町村駅店館部課室局署院校社所係者式性化版書表用率額費系型線器機])/u;
const longestRun = 7;

/**
 * Splits a run of Han characters into pieces of at most seven characters: at function characters in Chinese, otherwise
 * where compounds end.
 */
export function piecesOfHan(run: string, reading: "chinese" | "other"): readonly string[] {
  if (run.length < 3) return reading === "chinese" && onlyFunctional().test(run) ? [] : [run];
  const cut = reading === "chinese" ? atFunctions(run) : [run];
  return cut.flatMap((piece) => (piece.length > longestRun ? shortened(piece) : [piece]));
}

function atFunctions(run: string): readonly string[] {
  return run.replaceAll(cuts(), (_, kept?: string) => kept ?? " ").split(" ");
}

function shortened(run: string): readonly string[] {
  const characters = Array.from(run);
  const pieces: string[] = [];
  for (let from = 0; from < characters.length;) {
    const near = characters.slice(from, from + longestRun).join("");
    const end =
      characters.length - from <= 4 ? near : (compoundEnd.exec(near)?.[0] ?? characters.slice(from, from + 4).join(""));
    pieces.push(end);
    from += Array.from(end).length;
  }
  return pieces;
}

const longRuns = once(() => /[「『《]\p{Script=Han}+|\p{Script=Han}{5,}/gu);
/** Marks a split; neither a letter nor a space. */
const cutMark = "\u200b";

/**
 * Splits long runs of Chinese by recurrence: a string of two to seven characters that occurs more than once in these
 * texts is a word, and the rest is split the same way. Returns a function that marks the splits in a text.
 */
export function cutByRecurrence(texts: readonly string[]): (text: string) => string {
  const all = texts.join("\n");
  if (!/\p{Script=Han}{5}/u.test(all) || !isChinese(all)) return (text) => text;
  const counts = new Map<string, number>();
  for (const [run] of all.matchAll(/\p{Script=Han}+/gu))
    for (const piece of atFunctions(run))
      for (const part of partsOf(piece)) counts.set(part, (counts.get(part) ?? 0) + 1);
  return (text) =>
    text.replaceAll(longRuns(), (run) =>
      /^[「『《]/u.test(run)
        ? run
        : atFunctions(run)
            .flatMap((piece) => wordsIn(piece, counts))
            .join(cutMark),
    );
}

/** Splits a piece at its heaviest recurring string, then splits the parts before and after it. */
function wordsIn(piece: string, counts: ReadonlyMap<string, number>): readonly string[] {
  if (Array.from(piece).length < 5 || (counts.get(piece) ?? 0) > 1) return [piece];
  let best = "";
  let most = 0;
  for (const part of partsOf(piece)) {
    const count = counts.get(part) ?? 0;
    const value = count * part.length ** 3;
    if (count > 1 && part !== piece && value > most) [best, most] = [part, value];
  }
  if (best === "") return [piece];
  const at = piece.indexOf(best);
  const around = [piece.slice(0, at), best, piece.slice(at + best.length)];
  return around.filter((part) => part !== "").flatMap((part) => (part === best ? [part] : wordsIn(part, counts)));
}

/** All substrings of two to seven characters. */
function partsOf(piece: string): readonly string[] {
  const characters = Array.from(piece).slice(0, 400);
  const parts: string[] = [];
  for (let from = 0; from < characters.length; from++)
    for (let length = 2; length <= 7 && from + length <= characters.length; length++)
      parts.push(characters.slice(from, from + length).join(""));
  return parts;
}
