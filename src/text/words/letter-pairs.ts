import { once } from "../../base/lines.ts";

/** Combining marks; the index does not treat them as letters, so they would split a word. */
const marks = /\p{M}+/gu;

/** The letters of a run, without marks. */
export function lettersOf(run: string): readonly string[] {
  return Array.from(run.replaceAll(marks, ""));
}

/** Pairs of adjacent letters, or of adjacent UTF-16 units of a string. */
export function pairsOf(letters: ArrayLike<string>): string[] {
  const pairs: string[] = [];
  for (let at = 1; at < letters.length; at++) pairs.push(`${letters[at - 1] ?? ""}${letters[at] ?? ""}`);
  return pairs;
}

/**
 * The index parts of a run without spaces: its pairs in order, then its last letter if it is Han or the only one. Every other
 * letter begins a pair, so a prefix finds it.
 */
export function partsOfRun(run: string): readonly string[] {
  const letters = lettersOf(run);
  const last = letters.at(-1) ?? "";
  const pairs = pairsOf(letters);
  return letters.length === 1 || last >= "\u3400" ? [...pairs, last] : pairs;
}

/** Particles and endings after a noun. */
const particles =
  "이었다|였다|이라서|입니다|이다|이고|이며|에서부터|에서는|에서도|에서의|으로는|으로도|으로의|에게서|에게는|에게도|이라는|까지는|까지|부터는|부터|에서|에게|에는|에도|에만|으로|로는|로도|로만|처럼|보다|마다|조차|이나|이라|라는|라도|이랑|하고|께서|한테|은|는|이|가|을|를|에|의|로|와|과|도|만|랑|나";
/** Endings after the stem of a verb: present, past, continuation, question. */
const endings =
  "(?:하였|했|되었|됐|시켰|었|았|였|겠)?(?:습니다|습니까|는데|지만|면서|려고|거나|도록|어서|아서|어야|아야|여야|으면|으니|더라|던|는지|은지|을지|다고|다|고|음|어요|아요|여요|네요|군요|나요|을까|었지|지|어|아|니|냐|는|은|을|기|게|러)";

const afterWord = new RegExp(`^(?:${particles}|${endings})$`, "u");
const onlyParticle = new RegExp(`^(?:${particles})$`, "u");
const afterNoun = new RegExp(`(?:${particles})$`, "u");
const afterStem = new RegExp(
  `(?:하|되|시키)?(?:${endings}|한다고|한다|하는|하기로|하기|하도록|하지|하면|하며|하자|해야|해서|해요|해|한|할|합니다|된다|되는|되기|돼서|됨|될|된|됩니다|했던|했는지|하는지|인지|는지|은지|을지|지요|죠|까|니까|더라고)$`,
  "u",
);

/** Final consonants that an ending adds to the last syllable of a stem: `배운`, `배울`, `배움`, `배웁니다`, `배웠다`. */
const ofEndings: ReadonlySet<number> = new Set([4, 8, 16, 17, 20]);
/** ㅆ, the final consonant that marks the past. */
const finalSs = 20;
/** Vowels contracted from those of a stem and an ending, mapped to the stem's: ㅘ to ㅗ, ㅝ to ㅜ, ㅙ to ㅚ, ㅕ to ㅣ. */
const contracted: ReadonlyMap<number, number> = new Map([
  [9, 8],
  [14, 13],
  [10, 11],
  [6, 20],
]);

/** The syllable as it is in the stem: `우` for `웠` and `운`; unchanged if it has no ending. */
function inStem(syllable: string): string {
  const code = syllable.charCodeAt(0) - 0xac00;
  if (Number.isNaN(code) || code < 0 || code >= 11_172) return syllable;
  const final = code % 28;
  if (final !== 0 && !ofEndings.has(final)) return syllable;
  const vowel = Math.floor((code % 588) / 28);
  const open = final === 0 || final === finalSs ? (contracted.get(vowel) ?? vowel) : vowel;
  return String.fromCharCode(0xac00 + Math.floor(code / 588) * 588 + open * 28);
}

const alwaysParticle = "은는을를";

/** Letter pairs that other forms of the same verb share. */
function stemPairs(word: string): readonly string[] {
  const pairs: string[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word.charAt(at);
    const stem = inStem(letter);
    if (stem !== letter && !alwaysParticle.includes(letter)) pairs.push(word.charAt(at - 1) + stem);
  }
  return pairs;
}

/** The length of the longest ending. */
const longestEnding = 6;

/** The first syllable, both as written and as in the stem, if the rest is an ending or particle: `집에서`, `샀다`. */
function firstAlone(word: string): readonly string[] {
  if (word.length > longestEnding + 1 || (word.length > 1 && !isEnding(word.slice(1)))) return [];
  const first = word.charAt(0);
  const stem = onlyParticle.test(word.slice(1)) ? first : inStem(first);
  return stem === first ? [first] : [first, stem];
}

/**
 * The index parts of a Korean word of whole syllables: its pairs, the pairs of its stem, and its first syllable if the rest
 * is an ending.
 */
export function partsOfHangul(word: string): readonly string[] {
  return [...pairsOf(word), ...stemPairs(word), ...firstAlone(word)];
}

/** Whether the text is only an ending or particle: `를` in `SQLite를`. */
export function isEnding(text: string): boolean {
  return afterWord.test(text);
}

/**
 * Analyzes a Korean query word by rules, without a dictionary. Returns its stem without particles and endings, the pairs of the stem in order, and weak
 * parts (pairs of other forms, the pair across the end of the stem, and a one-syllable stem).
 */
export function hangulWord(word: string) {
  const stem = stemOf(word);
  const pairs = pairsOf(lettersOf(stem));
  const inside = new Set(pairs);
  // One syllable after the stem may belong to the noun: `고양이`.
  const end = word.length - stem.length === 1 ? [word.slice(-2)] : [];
  const weak = [...end, ...stemPairs(word.slice(0, stem.length)), ...firstAlone(word)];
  return { stem, pairs, weak: weak.filter((part) => !inside.has(part)) };
}

function stemOf(word: string): string {
  if (word.length === 2) return alwaysParticle.includes(word.charAt(1)) ? word.charAt(0) : word;
  for (const ending of [afterStem, afterNoun]) {
    const stem = word.replace(ending, "");
    if (stem !== word && stem.length >= 2)
      return stem.replace(afterNoun, (found) => (stem.length - found.length >= 2 ? "" : found));
  }
  return word;
}

/** The most common characters with several forms: traditional, simplified, and Japanese if that differs from both. */
const table =
  "萬万 與与 專专専 業业 東东 絲丝 兩两両 嚴严厳 個个 豐丰豊 臨临 為为 麗丽 舉举挙 義义 烏乌 樂乐楽 喬乔 習习 鄉乡郷 書书 買买 亂乱 爭争 虧亏 雲云 亞亚亜 產产産 畝亩 親亲 億亿 僅仅 從从従 倉仓 儀仪 們们 價价価 眾众 優优 會会 傘伞 偉伟 傳传伝 " +
  "傷伤 倫伦 偽伪 體体 餘余 傭佣 側侧 僑侨 債债 傾倾 償偿 儲储 兒儿児 黨党 蘭兰 關关関 興兴 養养 獸兽獣 內内 岡冈 冊册 寫写 軍军 農农 馮冯 衝冲 決决 況况 凍冻 淨净 準准 涼凉 減减 湊凑 幾几 鳳凤 憑凭 凱凯 擊击撃 鑿凿 劃划 劉刘 則则 剛刚 " +
  "創创 刪删 別别 劑剂剤 劍剑剣 劇剧 勸劝勧 辦办 務务 動动 勵励 勁劲 勞劳労 勢势 勝胜 匯汇 區区 醫医 華华 協协 單单単 賣卖売 盧卢 衛卫 卻却 廠厂 廳厅庁 歷历歴 曆历暦 厲厉 壓压圧 厭厌 廁厕 廚厨 縣县県 參参 雙双 發发発 髮发髪 變变変 敘叙 葉叶 " +
  "號号 嘆叹 嚇吓 嗎吗 啟启 吳吴 員员 聽听聴 嗚呜 詠咏 響响 問问 啞哑 喚唤 嘗尝 噴喷 團团団 園园 圍围囲 國国 圖图図 圓圆円 聖圣 場场 壞坏壊 塊块 堅坚 壇坛 墳坟 墜坠 壟垄 牆墙 壯壮 聲声 處处処 備备 複复 復复 夠够 頭头 誇夸 夾夹 奪夺 奮奋 " +
  "獎奖奨 妝妆 婦妇 媽妈 娛娱 嬰婴 孫孙 學学 寧宁 寶宝 實实実 寵宠 審审 憲宪 宮宫 寬宽寛 賓宾 對对対 尋寻 導导 壽寿 將将 爾尔 塵尘 層层 屆届 屬属 歲岁歳 豈岂 崗岗 島岛 嶺岭 幣币 師师 帳帐 帶带帯 幫帮 廣广広 莊庄荘 慶庆 庫库 應应応 廟庙 " +
  "廢废廃 開开 異异 棄弃 張张 彌弥 彎弯 彈弹弾 強强 歸归帰 當当 錄录録 彥彦 徹彻 徑径 禦御 憶忆 懷怀 態态 憐怜 總总総 戀恋 惡恶悪 惱恼 悅悦 懸悬 憂忧 懼惧 慘惨 慣惯 憤愤 願愿 懶懒 戲戏戯 戰战戦 戶户戸 擴扩拡 掃扫 揚扬 擾扰 撫抚 拋抛 搶抢 " +
  "護护 報报 擔担 擬拟 擁拥 攔拦 撥拨 擇择択 掛挂 揮挥 損损 換换 據据拠 擠挤 攝摄摂 擺摆 搖摇 攤摊 敵敌 數数 齋斋 鬥斗 斷断 無无 舊旧 時时 曠旷 晝昼 顯显顕 曉晓暁 暫暂 術术 機机 殺杀 雜杂 權权権 條条 來来 楊杨 極极 構构 樞枢 槍枪 櫃柜 檸柠 " +
  "標标 棧栈桟 棟栋 欄栏 樹树 樣样様 橋桥 檔档 夢梦 檢检検 樓楼 歐欧 歡欢歓 殘残 殼壳 毀毁 畢毕 氣气気 漢汉 湯汤 溝沟 沒没 淚泪 澤泽沢 潔洁 灑洒 淺浅 測测 濟济済 濃浓 塗涂 濤涛 潤润 漲涨 滲渗 溫温 灣湾 濕湿 滿满満 漁渔 濾滤 滅灭 燈灯 靈灵霊 " +
  "災灾 爐炉 點点 煉炼 爛烂 煩烦 燒烧焼 熱热 愛爱 爺爷 狀状 猶犹 獨独 獅狮 獄狱 豬猪 貓猫 獲获 環环 現现 瑪玛 電电 畫画 暢畅 療疗 瘋疯 癢痒 盡尽 監监 盤盘 蓋盖 盜盗 著着 礦矿鉱 碼码 磚砖 確确 礎础 禮礼 禍祸 離离 稱称 積积 穩稳穏 穀谷 窮穷 " +
  "竊窃 競竞 筆笔 節节 範范 築筑 簡简 籤签 籃篮 類类 糧粮 緊紧 糾纠 紅红 級级 約约 紀纪 純纯 紗纱 納纳 紙纸 紛纷 線线 練练 組组 細细 終终 紹绍 經经経 結结 絕绝絶 統统 絡络 給给 維维 綠绿緑 緒绪 續续続 繩绳縄 綜综 網网 編编 緩缓 緣缘縁 縮缩 " +
  "績绩 織织 繪绘絵 繼继継 羅罗 罰罚 罷罢 羨羡 聯联 職职 聰聪 肅肃 腸肠 膚肤 腎肾 腫肿 脹胀 脈脉 脫脱 腦脑脳 臉脸 腳脚 臟脏臓 膽胆 艦舰 藝艺芸 蘇苏 蘋苹 榮荣栄 藥药薬 蓮莲 營营 薩萨 蕭萧 藍蓝 虛虚 蟲虫 雖虽 蝦虾 蠟蜡 補补 襯衬 襲袭 裝装 " +
  "褲裤 見见 觀观観 規规 視视 覽览 覺觉覚 觸触 計计 訂订 認认 討讨 讓让譲 訓训 議议 訊讯 記记 講讲 許许 論论 設设 訪访 證证証 評评 識识 訴诉 診诊 詞词 譯译訳 試试 詩诗 誠诚 話话 誕诞 詢询 該该 詳详 語语 誤误 說说説 請请 諸诸 讀读読 課课 " +
  "誰谁 調调 談谈 謀谋 謝谢 謠谣 貝贝 負负 貢贡 財财 責责 賢贤 敗败 貨货 質质 販贩 貪贪 貧贫 購购 貯贮 貴贵 貸贷 費费 賀贺 資资 賞赏 賠赔 賴赖 贈赠 贏赢 趕赶 趙赵 跡迹 踐践 踴踊 車车 軌轨 轉转転 輪轮 軟软 輕轻軽 載载 較较 輔辅 輛辆 輩辈 " +
  "輸输 辭辞 邊边辺 遼辽 達达 遷迁 過过 邁迈 運运 還还 這这 進进 遠远 違违 連连 遲迟遅 適适 選选 遞递 邏逻 遺遗 郵邮 鄰邻隣 鬱郁 醬酱 釀酿醸 釋释釈 裡里 鑑鉴 針针 釣钓 鈔钞 鋼钢 鑰钥 鐘钟 鍵键 錢钱銭 鑽钻 鐵铁鉄 鈴铃 銀银 鋪铺 銷销 鎖锁 " +
  "鍋锅 錯错 鎮镇 鏡镜 長长 門门 閃闪 閉闭 間间 聞闻 閱阅閲 閒闲 隊队 陽阳 陰阴 陣阵 階阶 際际 陸陆 陳陈 險险険 隨随 隱隐隠 難难 霧雾 靜静 韓韩 頁页 頂顶 項项 順顺 須须 顧顾 頓顿 預预 領领 頻频 題题 顏颜顔 額额 風风 飛飞 飯饭 飲饮 飾饰 " +
  "飽饱 餅饼 館馆 餓饿 馬马 駐驻 駛驶 驚惊 騎骑 騙骗 驗验験 駕驾 驟骤 驅驱駆 鬆松 鬧闹 魚鱼 鮮鲜 鳥鸟 雞鸡鶏 鴨鸭 鵝鹅 鹽盐塩 麥麦 麵面 黃黄 齊齐斉 齒齿歯 龍龙竜 龜龟亀 檯台 臺台 紓纾 晉晋 鑒鉴 餃饺 螢萤 蛻蜕 擱搁 擋挡 掙挣 攪搅 瀏浏 覆复 " +
  "註注 週周 嚐尝 囑嘱 獻献 顆颗 綁绑 鏈链 鏟铲 饋馈 韌韧 飄飘 賬账 賺赚 賽赛 贊赞 躍跃 輯辑 轄辖 遙遥 鄧邓 鄭郑 鋒锋 錦锦 鎊镑 閣阁 闊阔 隻只";

/** Simplified characters that Japanese also uses. For other characters, Japanese has its own form or the traditional one. */
const sharedWithJapanese =
  "万与会国学来点体当区号声医旧条麦党灯礼画尽写寿参断乱余献湿辞状独嘱属数装争欧枢炉励担胆虫触届昼窃台双浅宝恋弥径温晋遥静随";

/** For each way of writing Han (traditional, simplified, Japanese), a map from the characters of the other two to its own. */
const writings = once(() => {
  const into: readonly Map<string, string>[] = [new Map(), new Map(), new Map()];
  for (const group of table.split(" ")) {
    const [traditional = "", simplified = "", own] = Array.from(group);
    const japanese = own ?? (sharedWithJapanese.includes(simplified) ? simplified : traditional);
    const all = [traditional, simplified, japanese];
    for (const [at, target] of all.entries())
      for (const other of all) if (other !== target && !into[at]?.has(other)) into[at]?.set(other, target);
  }
  return into;
});

/** The text in the other ways of writing Han, if they differ: `機房` gives `机房`. */
export function otherWritings(text: string): readonly string[] {
  const found = new Set<string>();
  for (const writing of writings()) found.add(Array.from(text, (letter) => writing.get(letter) ?? letter).join(""));
  found.delete(text);
  return [...found];
}
