const englishFunctionWords = `
a about again all am an and any anyone are as at be been being but by can could did do does doing done each else even ever every few for from get give go got had has have
having he her here hers him his how i if in into is it its just know like many may maybe me might mine more most much must my no nor not of off on or our ours out over own please
recall remember remind say said same shall she should so some something such tell than that the their them then there these they thing things this those to too us very was we
were what whatever when where which while who whom whose why will with would you your yours
don't doesn't didn't can't couldn't wasn't weren't isn't aren't i'm i've i'd i'll we're we've what's where's who's when's how's it's that's there's let's
`;

const korean = `
그 이 저 것 거 게 건 걸 수 때 등 및 더 또 또는 그리고 그런데 그래서 하지만 그냥 좀 잘 다 안 못 무엇 무슨 뭐 뭘 뭐가 뭐지 뭐였지 뭐더라 뭐라고 어디 어디서 어디에 어디에서 어디로 어디였지 언제 언제였지
어떤 어떻게 어느 왜 누구 누가 누구랑 누구와 누구한테 몇 얼마 얼마나 얼마였지 내 내가 나 나는 나의 나한테 나랑 저는 제가 제 우리 우리가 우리는 너 네가 당신 그거 이거 저거 그것 이것 이런 그런 저런 있다 있어 있는 있나
있었지 있었나 있었어 없다 없어 없는 했지 했더라 했나 했어 했어요 했는지 하는 한 할 하고 해서 했던 된 됐지 됐어 됐나 되는 대해 대한 대해서 관한 관련 알려줘 알려주세요 말해줘 찾아줘 보여줘 기억 기억나 기억해 였지 이었지
`;

/** The most common function words in other languages. */
const otherFunctionWords = `
hoe vaak moet moeten mag worden wordt welk wij wat wie waar wanneer waarom hebben heeft zijn het een naar bij ook kunnen voor aan
onde quando quem qual quais porque nós temos meu minha nosso nossa dos das não uma um ao à são está
quando chi quale quali perché noi abbiamo nostro nostra il lo gli di della del dei nel nella che sono è
gdzie kiedy kto jak który która dlaczego mamy są nie się mój moja
der die das und oder nicht mit von für auf ist ein eine wie wir ich sie es zu im den dem des was wo wann wer warum welche welcher le la les l un une des du et ou avec pour dans est que qui quand
où comment pourquoi quel quelle je nous vous el los las una y con por para es en del de qué cuándo dónde cómo quién cuál mi
и в не на что это как с по из за для от мы вы где когда кто почему
`;

/** The words in a list separated by spaces or line breaks. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/[ \n]+/).filter((word) => word !== ""));
}

/**
 * Function words that are ignored when texts are compared by their words: English, and the most common ones of other
 * languages.
 */
export const plainFunctionWords: ReadonlySet<string> = wordSet(`
a about after again all also always am an and any are as at be because been before being but by can could did do does don't doesn't for from had has have he her
his how i i'd i'll i'm i've if in instead into is it it's its just me more my no not never now of on or our out please really she should so some such than that the their
them then there they this to too up us very was we were what when where which while who why will with would you your der die das und oder mit von für auf
ist ein eine le la les un une des et ou avec pour dans est el los las con por para es 그리고 및 또는
`);

const spaced = wordSet(`${englishFunctionWords} ${korean} ${otherFunctionWords}`);

/** Whether a word of a language with spaces says little about what a query is for. `IT` and `US` are names. */
export function isFunctionWord(word: string): boolean {
  return spaced.has(word.toLowerCase().replaceAll("’", "'")) && !/^\p{Lu}{2,}$/u.test(word);
}

const japanese =
  "でしょうか|でしたか|ましたか|ませんか|ですか|ますか|でしたっけ|ましたっけ|だっけ|たっけ|っけ|ください|下さい|教えて|について|に関して|に関する|という|といった|とは|何時間|何時|何回|何度|何人|何日|何月|何年|何分|何個|何曜日|何|誰|どこ|いつ|だれ|" +
  "なに|なん|なぜ|どうして|どうやって|どう|どの|どれ|どんな|どちら|いくら|いくつ|こと|もの|ため|とき|ところ|している|していた|してる|してた|しました|します|して|した|する|され|された|でした|ました|ません|です|ます|だった|である|ある|あった|いる|いた|" +
  "ない|なかった|なる|なった|から|まで|より|など|だけ|ので|のに|けど|私|僕|俺|自分|その|この|あの|それ|これ|あれ|そして|また|もう|まだ|には|では|とか|ても|たら|れば|よう|そう|って|った|んだ|たい|てい|ている|ていた";

const chinese =
  "为什么|為什麼|什么时候|什麼時候|什么|什麼|怎么样|怎麼樣|怎么|怎麼|怎样|如何|哪里|哪裡|哪儿|哪个|哪些|哪家|哪天|哪|谁|誰|多少|几个|几点|几次|幾個|幾點|时候|時候|关于|關於|有没有|有沒有|没有|沒有|我们|我們|你们|他们|她们|自己|告诉|告訴|知道|可以|应该|應該|" +
  "一下|之前|以前|上次|这个|那个|這個|那個|这些|那些|这次|那次|[的了吗嗎呢吧啊是在我你您他她它们們有没沒过過和与與跟就都也很还還这那這個个请請想要会會能把被给給让讓从從到对對说說用做几幾得地着著里裡上下去来來]";

const ofJapanese = new RegExp(japanese, "gu");
const ofChinese = new RegExp(chinese, "gu");

/**
 * Whether a letter belongs to a function word. `letter`: to a one-letter function word, which may also be part of a longer
 * word, such as `会` in `会议`.
 */
export type FunctionLetter = "no" | "letter" | "word";

/**
 * For each letter of a run, whether it belongs to a function word. A run of one or two letters is itself a word, so
 * one-letter function words in it do not count.
 */
export function functionLetters(
  letters: readonly string[],
  language: "japanese" | "chinese",
): readonly FunctionLetter[] {
  const marked: FunctionLetter[] = letters.map(() => "no");
  const fewest = letters.length < 3 ? 2 : 1;
  // Letters outside the Basic Multilingual Plane are replaced, so that positions stay the same.
  const text = letters.map((letter) => (letter.length === 1 ? letter : "\uFFFD")).join("");
  for (const { 0: found, index } of text.matchAll(language === "japanese" ? ofJapanese : ofChinese))
    if (found.length >= fewest) marked.fill(found.length > 1 ? "word" : "letter", index, index + found.length);
  return marked;
}

/**
 * Words that name nothing: function words and small talk, in languages with spaces between words. The list is part of the
 * program, so a node depends only on its sources.
 */
const englishStopWords = `
a about above actually after again against all almost already also although always am among an and another any anyone anything are aren around as ask
asked at away back be became because become been before began being below best better between big bit both but by call called came can cannot cant come
comes coming could couldn course day days definitely did didn different do does doesn doing don done down during each easy either else end enough especially
etc even ever every everyone everything exactly example examples excited far feel feeling few find first following for found free from full fun further general get gets getting give
given glad go goes going gone good got great had half happy hard has hasn have haven having he hear hello help helped helpful helps her here hey hi high him himself his hope how
however huge i idea ideas if im in include including indeed instead interested interesting into is isn it its itself ive just keep kind know knowing known large last
later least less let lets like likely list little ll long look looking looks lot lots love made main make makes making many may maybe me mean means might mind mine more
most much must my myself need needed needs never new next nice no none nor not nothing now of off offer often oh ok okay old on once one ones only open or order other others our
ours out over own part particular people perfect perhaps place plan planning please plus point possible pretty probably provide put quick quite rather re really recently recommend recommendations remember right
said same say saying see seem seems seen set several shall she should shouldn show similar simple since small so some someone something sometimes soon sorry sort specific start started
starting step steps still stuff such suggest suggestions sure take taken takes taking talk tell than thank thanks that the their them themselves then there these they thing things think
thinking this those though thought through thus time times tip tips to today together told too took top total toward tried true try trying turn two type under until up upon us use used useful
user uses using usually ve very wait want wanted wants was wasn way ways we week weeks well were what whatever when where whether which while who whole whom whose why will wish with within without
won wonder wondering work would wouldn wow year years yes yesterday yet you your yours yourself assistant session date three four five following specifically currently along across per via able
additionally ensure options option various consider based various another sounds questions question answer request requests information details note
`;

const otherStopWords = `
der die das und oder nicht mit von für auf ist ein eine einen dem den des im zu auch wie wir ich sie es aber dass
le la les un une des et ou pas avec pour dans est ce cette ces nous vous je il elle sur par plus que qui
el los las una unos unas y con por para es esta este estos esto como pero más que se su sus del al lo
de en qué quién cómo cuándo dónde cuál mi mis tu tus está están estoy estamos fue ser tiene tengo tenemos hay muy bien mucho mucha muchos muchas también cuando porque
si ya nos les donde puede puedes puedo quiero hola gracias ahora hace saberlo así hasta desde sobre entre
mein meine meinen meinem meiner unser unsere unseren unserem dein deine ihr ihre bei noch schon hallo danke bitte habe haben möchte mir mich uns du kannst kann könnte
wird werden wurde wäre sind seit sehr jetzt etwas welche welcher welches einem einer eines nach vor über unter
и в не на что это как с по из за для от мы вы он она они но
그리고 그러나 하지만 그래서 그런데 따라서 있다 없다 하는 하고 해서 합니다 했다 있는 없는 것 수 등 때 더 및 또는 위해 대한 통해 대해 관련 이번 다음 지난 오늘 내일
어제 이것 그것 저것 여기 거기 우리 저희 제가 내가 나는 저는 너무 매우 아주 조금 모두 모든 다른 같은 어떤 이런 그런 저런 아직 이미 다시 계속 먼저 나중 지금 현재 정도 경우
때문 동안 이후 이전 함께 따로 바로 거의 많이 조금씩 새로운 새로 좋은 좋다 많다 크다 작다 많은 작은 하나 사용 이용 진행 확인 필요 가능 위한 통한 대신 만약 그냥 역시 특히 각각 일단 안녕 감사 에서 에게 까지 부터 으로 하기 되기 였다 이다 한다 된다 않고 않은 먹지 하지 만들어 대신
する した して ある いる こと もの 今日 明日 昨日 今回 次回 前回 今週 来週 先週 今月 来月 先月 今年 昨年 毎日 毎週 現在 最近 最初 最後 以上 以下 以前 以降 場合 必要 可能 一緒
自分 私達 我々 皆様 全部 全体 一部 一番 一度 本当 大変 結構 少々 多分 勿論 使用 利用 実施 確認 予定 ため とき
你好 您好 帮助 知道 知道了 我们 你们 他们 她们 自己 什么 怎么 这个 那个 这些 那些 一个 一些 可以 需要 已经 今天 明天 昨天 现在 目前 时候 因为 所以 如果 但是 没有 还是 或者 进行 使用 通过 问题 非常 比较 应该
必须 开始 继续 然后 之后 之前 以后 以前 最近 一下 一起 其他 这样 那样 每天 每周 本周 下周 上周 大家 谢谢
של את על לא זה עם אני הוא היא גם או כי
في من على إلى هذا هذه أن لا مع
`;

export const stopWords: ReadonlySet<string> = wordSet(`${englishStopWords} ${otherStopWords}`);

/**
 * Words from the log format and about work in general: verbs, adverbs and labels that appear in every entry, so they do not help
 * find one. They may appear in quotes, but are never keywords of an entry.
 */
export const formWords: ReadonlySet<string> = wordSet(`
decide decided decides decision decisions request requests requested outcome outcomes result results status context summary lesson lessons learned learn insight insights open todo task tasks item items
pending blocked completed complete done shipped ship closed close merged merge finished finish add added adds adding remove removed removes removing change changed changes changing update updated
updates updating fix fixed fixes fixing create created creates creating implement implemented implements implementing choose chose chosen pick picked move moved moves moving switch switched switching
replace replaced replaces replacing keep kept check checked checks checking test tested run ran runs running write wrote written writing read reads reading rewrite rewritten rename renamed drop dropped
drops send sent sends sending show shows showed shown follow follows followed following need wait waits waiting discuss discussed agree agreed agrees ask asks asked answer answered report reported
reports happen happened happens cause caused causes allow allows allowed enable enabled disable disabled support supports supported handle handled handles ensure require requires required avoid avoids
avoided measure measured confirm confirmed verify verified review reviewed schedule scheduled propose proposed apply applied applies return returns returned fail fails failed failing break breaks broke
broken stay stays stayed remain remains call calls called receive received build built builds find found notice noticed investigate investigated investigating prepare prepared deal dealt lead leads
instead already still only again later soon today tomorrow yesterday morning afternoon evening tonight monday tuesday wednesday thursday friday saturday sunday daily weekly monthly
january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun
low high cheaper cheap expensive weaker stronger strong weak light heavy dense clean dirty late early full empty wrong correct extra main rough carry carries roll rolls cover covers migrate migrates
eur usd gbp mr mrs ms dr prof sir woke ate sat ran flew drove slept met saw spoke knew grew held heard stood understood won hit rose fell caught taught sang swam threw wore forgot forgave spent slow
attended visited planned practised practiced planted raised limited doubled borrowed booked cooked walked picked watched played cleaned scheduled noted mentioned announced expected liked
near pass passes passed real sure able due own way try tries tried yet among between beyond
really quickly finally currently mostly nearly almost fully partly correctly properly manually automatically behind ahead instead old new bad worse slow slower fast faster big bigger small smaller
whole next previous second third fourth fifth thing things note notes notebook log logs entry rule why how what reason https http www com org
nobody everybody anybody somebody none seven eight nine ten zero hundred thousand half twice dont isnt wont cant doesnt didnt yes got via per vs etc eg ie
must said says told tell tells became begin begins began went goes comes came left leave leaves leaving gave gives given taken takes took set sets setting put puts turn turns turned look looked looks
feel felt bring brought buy bought pay paid lost lose sold hope hopes hoped stop stops stopped start starts rest mean means meant seem likes liked loves loved prefers prefer wanted worked works
결정 결정사항 추가 변경 수정 삭제 적용 도입 완료 시작 종료 요청 결과 상태 교훈 미해결 할일 논의 검토 예정 이유 규칙 문제 해결 방법 작업 내용 메모 기록 정리 생각 이야기 얘기 오전 오후 아침 저녁 점심시간 월요일 화요일 수요일 목요일
금요일 토요일 일요일 주말 줄이 늘리 보내 만들 바꾸 옮기 쓰기 읽기 보기 하기로
決定 追加 変更 修正 削除 採用 導入 完了 完成 開始 終了 依頼 結果 状態 教訓 課題 未解決 検討 相談 理由 問題 解決 方法 作業 内容 対応 記録 整理 報告 連絡 共有 午前 午後 月曜 火曜 水曜 木曜 金曜 土曜 日曜 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 メモ
决定 添加 增加 修改 变更 删除 采用 引入 结束 请求 结果 状态 教训 待办 讨论 原因 解决 方案 任务 内容 记录 整理 报告 改为 改成 换成 上午 下午 早上 晚上 完成 周一 周二 周三 周四 周五 周六 周日 星期一 星期二 星期三 星期四 星期五 星期六 星期日
`);

/** English words of conversation that name nothing, in addition to `stopWords`: common activities, opinions, times. */
const words = `
able absolutely accordingly achieve acquired add added adding additional adjust advice agree ahead allow allows amazing amount appreciate appreciated
april arrange arrived aspect attend attended attending august available avoid aware awesome balance based basic basically beautiful become begin
believe benefit benefits bit break bring bringing brought busy buy calculate calculation call calm came capture care careful carefully caught certain
certainly challenge challenges challenging change changed changes changing check checked checking choose choosing chose clarify clear close closely
combine come comes comfortable coming common compare complete completed completely complex concern concerned concerns confident confirm confused
connect connected consider considering consistent contain continue convenient correct count couple create created creating curious current daily deal
dealing december decide decided deciding decision definitely depend describe despite detail detailed determine develop developed developing difference
difficult directly discover discuss discussed discussing double doubt early easier easily effective effectively effort enhance enjoy enjoyable enjoyed
enjoying ensuring essential eventually everyday evolve exact example excellent exciting expect expected experienced experimenting explain explained
explore exploring express extra face factor factors fair familiar famous fantastic fascinated fascinating favorite favourite february felt figure
figured final finally fine finish finished finishing fit fits fix follow followed following forget forgot forward friday fridays friendly fully fun
funny gather gathering general generate getting gone grab grateful guess handle handling happen happened happening hear heard hit hold hoping hour
hours huge identify imagine impact implement importance important impressed improve improved improvement improving incorporate incorporating increase
incredible individual individuals inspire inspired inspiring intend intense involve involved issue issues january join joined joining july june key
kinds late lately lead leads leave leaving level levels limit limited list live lived local lovely lower luck made main maintain maintaining major
manage managed managing march matter meaning meant meet meeting mention mentioned mentioning met mid moment moments monday mondays month monthly
months motivated move moved moving multiple myself near nearby necessary nice nicely night normal noticed november number numbers obviously occasion
october ongoing opportunities opportunity outside overall pair paragraph participate participated past perform period personal personally pick picked
planned popular possibly potential practical prefer preferred prepare prepared preparing pretty previous prior progress prompt properly provided put
quality question questions random range reach ready realistic realized really reason reasons received recent recommended reduce refer regarding
regular regularly relate related relax relevant remember remind reminded reminds reply required respond response rest result results return rewrite
right routine safe safely satisfied saturday saturdays save saw select selection sense sentence september serve served serving setting setup several
share sharing short shown significant simple simply single sit situation size slightly slow small smoothly solid solve sound speak speaking specific
spend standard stop stopped stopping strong struggle struggling stuck successful suggested suitable summarize sunday sundays super supposed surprised
switch table tackle takes tend term terms thing thinking thought thursday thursdays topic topics touch translate tuesday tuesdays type types typical
understand understanding unfortunately unique upcoming useful usual usually value variety view wake wednesday wednesdays weekend weekends weekly went
wide willing wonderful working works worried worry worth wrong yeah yesterday younger
`;

export const talkWords: ReadonlySet<string> = wordSet(words);
