import { type Item, Reading, wordPattern } from "./items.ts";
import { hanValue, readDates, readNumbers, readTimes } from "./dates-and-numbers.ts";

const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const latinWord = /\p{Script=Latin}+/gu;
const german =
  /(?<!\p{L})(?:und|der|die|das|ist|nicht|für|mit|wird|wurde|ein|eine|einen|auf|von|zum|zur|den|dem|sind|soll|bei|am|im|durch|nach)(?!\p{L})|[äöüß]/u;

/** Whether a line may be German, where every noun is capitalized. */
export function mayBeGerman(line: string): boolean {
  return german.test(line);
}

/** The items in a line that should be in its sources. `title`: a name or heading in the model's own words, where capital letters carry no information. Linear time. */
export function itemsOf(line: string, place: "title" | "text"): readonly Item[] {
  const text = withDigits(line.normalize("NFKC").replaceAll(/[‘’]/gu, "'"));
  const reading = new Reading(text);
  readDates(reading);
  readTimes(reading);
  readCodes(reading);
  readNumbers(reading);
  readNames(reading, {
    isEastAsian: isEastAsian(text),
    // In titles and in German, capital letters carry no information.
    isCapitalised: place === "title" || german.test(text),
  });
  readSpans(reading, text);
  return reading.items;
}

/** An English line that quotes a Korean word must not count as East Asian, or all its Latin words would be read as names. */
function isEastAsian(text: string): boolean {
  const letters = text.match(eastAsian)?.length ?? 0;
  return letters > 0 && letters >= (text.match(latinWord)?.length ?? 0);
}

const hanDate =
  /(?<![第\p{Script=Han}])[一二三四五六七八九十]{1,3}(?=[月日号時点])|(?<=月)[一二三四五六七八九十]{1,3}(?=[日号])/gu;

/** Turns `三月九日` into `3月9日`. */
function withDigits(text: string): string {
  return text.replaceAll(hanDate, (numeral) => String(hanValue(numeral)));
}

const code = /`([^`\n]{2,120})`/gu;
const quote = /["“„«「『]([^"“”„«»「」『』\n]{12,300})["”“»」』]/gu;

/** Text in backquotes and long quotations are taken literally. */
function readSpans(reading: Reading, text: string): void {
  if (text.includes("`"))
    for (const [, inner] of text.matchAll(code))
      for (const [word] of (inner ?? "").matchAll(/[A-Za-z][A-Za-z0-9_-]{2,60}/gu))
        reading.items.push({
          kind: "identifier",
          shown: word,
          keys: [`c${word}`, `w${word}`],
        });
  for (const [shown, inner] of text.matchAll(quote))
    reading.items.push({ kind: "quote", shown, keys: [`q${inner ?? ""}`] });
}

const codePatterns = {
  url: /(?<![A-Za-z0-9+.-])(?:[a-z][a-z0-9+.-]{1,15}:\/\/|www\.)[!#-&(-;=?-_a-~]+/giu,
  email: /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/gu,
  handle: /(?<![\w@/.])@[A-Za-z][\w-]{1,38}(?:\/[\w.-]{1,60})?/gu,
  path: /(?<![\w.@+~%$/\\-])[\w.@+~%$-]*(?:[/\\]+[\w.@+~%$[\]-]+)+/gu,
  file: /(?<![\w.-])\.?[\w-][\w.-]{0,100}\.(?:tsx?|[cm]?jsx?|mts|py|ipynb|go|rs|java|kt|swift|rb|php|c|h|cc|cpp|hpp|cs|sql|mdx?|txt|rst|json[lc5]?|ya?ml|toml|ini|cfg|conf|env|lock|xml|html?|s?css|svg|png|jpe?g|gif|webp|mp[34]|wav|mov|pdf|docx?|xlsx?|pptx?|csv|tsv|parquet|db|sqlite|zip|tar|gz|tgz|sh|bash|zsh|ps1|bat|log|diff|patch|proto|graphql|tf|vue|svelte|gguf|bin|exe|dll|so|wasm|pem|crt)(?![\w])/giu,
  host: /(?<![\w.@-])(?:[A-Za-z0-9-]{1,63}\.){1,6}(?:com|org|net|io|dev|app|ai|co|kr|jp|cn|de|fr|uk|eu|me|info|local|internal|example|test|cloud)(?::\d{2,5})?(?![\w])/gu,
  version:
    /(?<![\w.-])(?:[\^~=]{0,2}v?\d{1,5}(?:\.\d{1,5}){2,4}(?:[-+][A-Za-z][\w.]{0,30})?|v\d{1,5}(?:\.\d{1,5})?)(?![\w])/giu,
  flag: /(?<![\w-])--[A-Za-z][\w-]{0,60}/gu,
  word: /(?<![\w$.-])[#$]?[A-Za-z0-9_$]+(?:(?:\.|::|->|[-#])[A-Za-z0-9_$]+)*(?:\(\))?/gu,
};

/** Folder names that mark plain words as a path: `src/limit` is a path, `red/green` a choice of words. */
const roots =
  /^(?:src|lib|libs|tests?|spec|docs?|apps?|packages|bin|dist|build|etc|usr|var|opt|home|tmp|internal|cmd|pkg|scripts?|tools|config|public|assets|web|server|client|memory|migrations|examples?|bench|data|infra|deploy|services?|components|modules|adapters|workers?)$/u;

/** Reads the paths, addresses, versions and identifiers of a line. */
function readCodes(reading: Reading): void {
  const read = (pattern: RegExp, itemOf: (shown: string) => Item | null): void =>
    reading.take(pattern, ([shown]) => itemOf(shown));
  const code = (kind: Item["kind"], shown: string): Item => ({ kind, shown, keys: [`c${shown}`] });
  const place = (kind: "path" | "address", shown: string): Item | null =>
    segmentsOf(shown).length === 0 ? null : { kind, shown, keys: [`s${shown}`] };
  read(codePatterns.url, (shown) => place("address", trimmed(shown)));
  read(codePatterns.email, (shown) => code("address", shown));
  read(codePatterns.handle, (shown) => code("name", trimmed(shown)));
  read(codePatterns.path, (shown) => (isPath(trimmed(shown)) ? place("path", trimmed(shown)) : null));
  read(codePatterns.file, (shown) => place("path", shown));
  read(codePatterns.host, (shown) => place("address", shown));
  read(codePatterns.version, (shown) => {
    return { kind: "version", shown, keys: [`v${shown.replace(/^[\^~=vV]+/u, "").toLowerCase()}`] };
  });
  read(codePatterns.flag, (shown) => code("identifier", shown));
  read(codePatterns.word, (shown) => {
    if (!isIdentifier(shown)) return null;
    const { kind, keys } = code("identifier", shown);
    // Product names can look like this too: `PostgreSQL`.
    return { kind, shown, keys: /^[A-Z][A-Za-z]+$/u.test(shown) ? [...keys, `w${shown}`] : keys };
  });
}

/** The parts of a path or address, starting with the host or first folder, without scheme, query and fragment. */
export function segmentsOf(shown: string): readonly string[] {
  return shown
    .toLowerCase()
    .replace(/^(?:[a-z][a-z0-9+.-]{0,15}:\/\/)?(?:www\.)?/u, "")
    .split(/[?#]/u, 1)[0]!
    .split(/[/\\]+/u)
    .filter((part) => part !== "" && !/^(?:\.{1,2}|~)$/u.test(part));
}

/** The meaningful parts of an identifier: `store` and `take` of `store.take()`. */
export function partsOf(shown: string): readonly string[] {
  return shown.split(/\.|::|->|[#()]+/u).filter((part) => part !== "");
}

function isPath(shown: string): boolean {
  const parts = segmentsOf(shown);
  if (parts.every((part) => /^[\d.,%$-]+$/u.test(part))) return false;
  if (/^(?:[~.]{0,2}[/\\]|[A-Za-z]:\\)/u.test(shown)) return /[A-Za-z]{2}/u.test(shown);
  if (parts.length < 2) return false;
  if (parts.some((part) => /^\d{3,}$/u.test(part)) && /^[a-z]{3}/u.test(parts[0] ?? "")) return true;
  return (
    roots.test(parts[0] ?? "") ||
    /\.[a-z][a-z0-9]{0,7}$/u.test(parts.at(-1) ?? "") ||
    parts.some((part) => /[a-z][_\d][a-z\d]|[a-z]-[a-z]/u.test(part) && parts.length > 2)
  );
}

function isIdentifier(run: string): boolean {
  if (/^[ckm]?m[23]$/u.test(run)) return false;
  if (/^[#$]?[\d_.-]+$/u.test(run)) return /^#\d/u.test(run);
  // `15th`, `5min`, `30-minute`, `1990s` are numbers with units.
  if (/^\$?\d+(?:[.,]\d+)*-?[A-Za-z]{1,4}$|^\d+(?:-\d+)?-[A-Za-z-]+$/u.test(run))
    return /^\d[A-Z]{1,2}$|[A-Za-z]\d|^(?=.*\d)(?=.*[a-f])[\da-f]{7,}$/u.test(run);
  if (/[_$]|[a-z\d][A-Z]|::|->|\(\)$/u.test(run)) return true;
  if (/[A-Za-z]/u.test(run) && /\d/u.test(run)) return true;
  return /[A-Za-z]{2}\.[A-Za-z]{2}/u.test(run) && !/^[A-Z][a-z]+\.[A-Z]|^[a-z]+\.[A-Z]/u.test(run);
}

/** Removes trailing punctuation. */
function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && ".,;:!?)]}*_-".includes(text[end - 1] ?? "")) end -= 1;
  return text.slice(0, end);
}

/** Common abbreviations and names, which the sources may write differently. */
const everyday = new Set(
  "ok todo am pm ui api id ids pr prs ci cd db url urls http https it ai qa faq eta wip tbd tv pc us uk eu vs na no yes cpu ram os sdk cli json a i english chinese japanese korean german french spanish italian russian european american asian christmas easter internet eur usd gbp jpy krw cny chf kb mb gb tb ms kg km hz mhz ghz kw kwh".split(
    " ",
  ),
);

/** Words for people that often begin a sentence. */
const roles = new Set(
  "team customer customers user users client clients manager reviewer designer engineer assistant everyone everybody nobody somebody someone company group family they she he we it who that this one both all people partner owner boss colleague doctor teacher wife husband son daughter mother father friend accountant support somebody developer agent staff management neighbour neighbor sister brother cat dog nothing everything which there these those some most many each another others work people parents child children kids baby mom dad grandma grandpa aunt uncle cousin roommate landlord coach trainer tutor".split(
    " ",
  ),
);

const personal =
  /^(?:sa(?:id|ys)|told|tells|wants?|wanted|prefers?|preferred|ask(?:s|ed)|agree[sd]|decide[sd]|likes?|liked|loves?|loved|hates?|joined|joins|owns|reported|reports|suggest(?:s|ed)|propose[sd]|thinks|noted|reviewed|reviews|confirm(?:s|ed)|plans|planned|lives|mention(?:s|ed)|bought|visit(?:s|ed)|offer(?:s|ed)|approve[sd]|promise[sd]|leads|sent|sends|wrote|writes|called|calls|found|took|takes|works|worked|gave|went|goes|met|brought|reads|knows|checks|checked|helps|helped|speaks|studies|teaches|recommends|recommended|prepares|prepared|picked|volunteered|insists|objected|complained|warned|handles|handled)$/u;

/** Reads capitalized words within a sentence, Latin words in East Asian text, and people and products in East Asian scripts. */
function readNames(reading: Reading, line: { readonly isEastAsian: boolean; readonly isCapitalised: boolean }): void {
  const text = reading.rest;
  const matches = [...text.matchAll(wordPattern)];
  for (const [at, match] of matches.entries()) {
    const [word] = match;
    const isCapital = /^\p{Lu}/u.test(word);
    if (everyday.has(word.toLowerCase()) || word.length < 2) continue;
    if (!isCapital && !(line.isEastAsian && word.length > 2)) continue;
    const isAcronym = /^\p{Lu}[\p{Lu}\p{N}]+s?$/u.test(word);
    if (!isAcronym && !line.isEastAsian) {
      if (line.isCapitalised) continue;
      if (beginsSentence(text, match.index) && !isPersonAtStart(word, matches[at + 1]?.[0] ?? "")) continue;
    }
    reading.items.push({ kind: "name", shown: word, keys: [`w${word}`] });
  }
  readEastAsianNames(reading);
}

/** Whether the position begins a sentence: only opening punctuation or a sentence end precedes it. */
function beginsSentence(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /[\s"'“”‘’(*_[`]/u.test(text[before] ?? "")) before -= 1;
  // `Dr. Amaral` does not start a new sentence.
  if (
    text[before] === "." &&
    /(?<!\p{L})(?:dr|mr|mrs|ms|st|prof|sr|jr|vs|no)$/iu.test(text.slice(Math.max(0, before - 6), before))
  )
    return false;
  return before < 0 || /[.!?:;|•—–→>/。！？…-]/u.test(text[before] ?? "");
}

function isPersonAtStart(word: string, next: string): boolean {
  const name = word.toLowerCase().replace(/['’]s$/u, "");
  return !roles.has(name) && (name.length < word.length ? !/^(?:what|here|let)$/u.test(name) : personal.test(next));
}

const honorific =
  /([\p{Script=Han}]{1,4}|[\p{Script=Katakana}ー]{2,12})(?:さん|ちゃん|くん|先輩|先生|部長|課長|係長|社長|[様氏])/gu;
const koreanPerson =
  /(?<!\p{Script=Hangul})(\p{Script=Hangul}{2,4}?)\s?(?:씨|님|과장|대리|팀장|부장|선생님|사원|이사|대표|차장|교수|선배|책임|수석)(?!\p{Script=Hangul}{4})/gu;
const chinesePerson =
  /(?<!\p{Script=Han})([王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文]\p{Script=Han}{1,2}?|[小老]\p{Script=Han}|\p{Script=Han}{1,3}(?:先生|女士|老师|经理|医生|总监|主任))(?=说|表示|认为|提出|负责|建议|要求|确认|同意|决定|反馈|提醒|会|先生|女士|老师|经理|[，、的和])/gu;
const katakana = /[\p{Script=Katakana}ー]{3,}/gu;
const koreanRoles =
  /^(?:고객|담당자|사용자|선생|부모|손님|이용자|회원|관리자|개발자|디자이너|의사|어머|아버|형|누나|사장|교수|팀장|직원|동료|팀원)$/u;
const japaneseRoles =
  /^(?:皆|お客|客|者|奥|子|お母|母|父|お父|娘|息子|神|王|仕|同|模|多|有|担当者|営業|業者|医者|看護師|店員|隣)$/u;
/** Everyday Katakana words, which a summary may use even if the sources do not. */
const everydayKatakana = new Set(
  "リリース テスト ユーザー ユーザ データ メンバー チーム スケジュール キャンセル サーバー サーバ システム エラー プロジェクト ミーティング レビュー メール ファイル コード ログ バグ ページ サイト アプリ テーマ ルール タスク リスト メモ サービス デザイン ボタン メニュー アカウント パスワード ログイン デプロイ ビルド マージ ブランチ コミット インストール アップデート バージョン バックアップ コスト プラン イベント トラブル ポイント レベル タイプ グループ サポート チェック スタート ストップ ペース レシピ ランチ ディナー カフェ レストラン ホテル チケット コメント フィードバック プレゼント ストレス トレーニング ランニング ジム ペット テレビ スマホ パソコン クラス コース セット サイズ カラー パターン オプション デフォルト モード アクセス リクエスト レスポンス パフォーマンス メモリ キャッシュ データベース テーブル クエリ ドキュメント フォルダ ディレクトリ ツール ライブラリ モデル プロンプト アップロード ダウンロード インポート エクスポート フォーマット テンプレート ステータス ステージング バッチ ジョブ タイムアウト リトライ アラート モニタリング インフラ クライアント カスタマー オフィス リモート オンライン オフライン パートナー マネージャー リーダー エンジニア デザイナー".split(
    " ",
  ),
);

function readEastAsianNames(reading: Reading): void {
  const text = reading.rest;
  const person = (pattern: RegExp, not: RegExp): void => {
    for (const [shown, name] of text.matchAll(pattern))
      if (name !== undefined && !not.test(name)) reading.items.push({ kind: "name", shown, keys: [`h${name}`] });
  };
  person(honorific, japaneseRoles);
  person(koreanPerson, koreanRoles);
  person(
    chinesePerson,
    /^(?:小时|小组|老师|老板|小孩|小心|方案|方法|任务|白天|高级|文件|文档|金额|程序|万一|常用|易用|老人|高度|周末|周期|马上|任何|何时|江边)$/u,
  );
  for (const [run] of text.matchAll(katakana))
    if (!everydayKatakana.has(run)) reading.items.push({ kind: "name", shown: run, keys: [`k${run}`] });
}
