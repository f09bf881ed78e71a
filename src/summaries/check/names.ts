import type { Reading } from "./items.ts";
import { wordPattern } from "./source-words.ts";

/** Short forms that everybody writes, whatever the source wrote. */
const everyday = new Set(
  "ok todo am pm ui api id ids pr prs ci cd db url urls http https it ai qa faq eta wip tbd tv pc us uk eu vs na no yes cpu ram os sdk cli json a i english chinese japanese korean german french spanish italian russian european american asian christmas easter internet eur usd gbp jpy krw cny chf kb mb gb tb ms kg km hz mhz ghz kw kwh".split(
    " ",
  ),
);

/** Nouns of persons that begin sentences. */
const roles = new Set(
  "team customer customers user users client clients manager reviewer designer engineer assistant everyone everybody nobody somebody someone company group family they she he we it who that this one both all people partner owner boss colleague doctor teacher wife husband son daughter mother father friend accountant support somebody developer agent staff management neighbour neighbor sister brother cat dog nothing everything which there these those some most many each another others work people parents child children kids baby mom dad grandma grandpa aunt uncle cousin roommate landlord coach trainer tutor".split(
    " ",
  ),
);

const personal =
  /^(?:sa(?:id|ys)|told|tells|wants?|wanted|prefers?|preferred|ask(?:s|ed)|agree[sd]|decide[sd]|likes?|liked|loves?|loved|hates?|joined|joins|owns|reported|reports|suggest(?:s|ed)|propose[sd]|thinks|noted|reviewed|reviews|confirm(?:s|ed)|plans|planned|lives|mention(?:s|ed)|bought|visit(?:s|ed)|offer(?:s|ed)|approve[sd]|promise[sd]|leads|sent|sends|wrote|writes|called|calls|found|took|takes|works|worked|gave|went|goes|met|brought|reads|knows|checks|checked|helps|helped|speaks|studies|teaches|recommends|recommended|prepares|prepared|picked|volunteered|insists|objected|complained|warned|handles|handled|will|has|had|was|is|can|should|and|also)$/u;
const careful = /^(?:will|has|had|was|is|can|should|and|also)$/u;
const common =
  /(?:tion|sion|ment|ness|ity|ing|ed|ly|ance|ence|ship|al|ive|ble|ure|age|er|or|ism|ic|ous|ful|less|s|th|ty|ry|cy|gy|ck|up|out|down|off|ch|sh|ee|ble|ct|pt|nt|st|rd|ld|ng|nk|ll|ss)$/u;

/** Words that begin with a capital, within a sentence; Latin words in a text of East Asia; persons and products of East Asian scripts. */
export function readNames(
  reading: Reading,
  place: {
    readonly german: "german" | "other";
    readonly title: "title" | "text";
    readonly eastAsian: "eastAsian" | "other";
  },
): void {
  const text = reading.rest;
  const matches = [...text.matchAll(wordPattern)];
  for (const [at, match] of matches.entries()) {
    const [word] = match;
    if (!isChecked(word, place.eastAsian)) continue;
    const acronym = /^\p{Lu}[\p{Lu}\p{N}]+s?$/u.test(word);
    if (!acronym && place.eastAsian === "other") {
      if (place.title === "title" || place.german === "german") continue;
      const next = matches[at + 1]?.[0] ?? "";
      if (beginsSentence(text, match.index) && !isPersonAtStart(word, next, matches[at + 2]?.[0] ?? "")) continue;
    }
    reading.items.push({ kind: "name", shown: word, keys: [`w${word}`] });
  }
  readEastAsianNames(reading);
}

function isChecked(word: string, script: "eastAsian" | "other"): boolean {
  const lower = word.toLowerCase();
  if (everyday.has(lower) || word.length < 2) return false;
  return script === "eastAsian" ? word.length > 2 || /^\p{Lu}/u.test(word) : /^\p{Lu}/u.test(word);
}

/** Whether only opening signs, or the end of a sentence, stand before a place. */
function beginsSentence(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /[\s"'“”‘’(*_[`]/u.test(text[before] ?? "")) before -= 1;
  // `Dr. Amaral` is no new sentence.
  if (
    text[before] === "." &&
    /(?<!\p{L})(?:dr|mr|mrs|ms|st|prof|sr|jr|vs|no)$/iu.test(text.slice(Math.max(0, before - 6), before))
  )
    return false;
  return before < 0 || /[.!?:;|•—–→>/。！？…-]/u.test(text[before] ?? "");
}

function isPersonAtStart(word: string, next: string, afterNext: string): boolean {
  const lower = word.toLowerCase();
  if (roles.has(lower)) return false;
  if (/['’]s$/u.test(word))
    return (
      !roles.has(lower.slice(0, -2)) &&
      !common.test(lower.slice(0, -2)) &&
      !/^(?:it|that|what|there|he|she|let|who|here)$/u.test(lower.slice(0, -2))
    );
  if (next === "and") return /^\p{Lu}\p{Ll}/u.test(afterNext);
  if (!personal.test(next)) return false;
  return !careful.test(next) || !common.test(lower);
}

const honorific =
  /([\p{Script=Han}]{1,4}|[\p{Script=Katakana}ー]{2,12})(?:さん|ちゃん|くん|先輩|先生|部長|課長|係長|社長|[様氏])/gu;
const koreanPerson =
  /(?<!\p{Script=Hangul})(\p{Script=Hangul}{2,4}?)\s?(?:씨|님|과장|대리|팀장|부장|선생님|사원|이사|대표|차장|교수|선배|책임|수석)(?!\p{Script=Hangul}{4})/gu;
const chinesePerson =
  /(?<!\p{Script=Han})([王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文]\p{Script=Han}{1,2}?|[小老]\p{Script=Han}|\p{Script=Han}{1,3}(?:先生|女士|老师|经理|医生|总监|主任))(?=说|表示|认为|提出|负责|建议|要求|确认|同意|决定|反馈|提醒|会|先生|女士|老师|经理|[，、的和])/gu;
const katakana = /[\p{Script=Katakana}ー]{3,}/gu;
/** Titles that are no names. */
const koreanRoles =
  /^(?:고객|담당자|사용자|선생|부모|손님|이용자|회원|관리자|개발자|디자이너|의사|어머|아버|형|누나|사장|교수|팀장|직원|동료|팀원)$/u;
const japaneseRoles =
  /^(?:皆|お客|客|者|奥|子|お母|母|父|お父|娘|息子|神|王|仕|同|模|多|有|担当者|営業|業者|医者|看護師|店員|隣)$/u;
/** Words of every day in Katakana, which a summary may use on its own. */
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
