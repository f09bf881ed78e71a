const english = `
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

/** Of German, French, Spanish and others: the commonest alone. */
const others = `
der die das und oder nicht mit von für auf ist ein eine wie wir ich sie es zu im den dem des was wo wann wer warum welche welcher le la les l un une des du et ou avec pour dans est que qui quand
où comment pourquoi quel quelle je nous vous el los las una y con por para es en del de qué cuándo dónde cómo quién cuál mi
и в не на что это как с по из за для от мы вы где когда кто почему
`;

/** The words of a list with spaces or line ends between them. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/[ \n]+/).filter((word) => word !== ""));
}

/** English function words, and the commonest of others, that are left out where two texts are compared by their words. */
export const plainFunctionWords: ReadonlySet<string> = wordSet(`
a about after again all also always am an and any are as at be because been before being but by can could did do does don't doesn't for from had has have he her
his how i i'd i'll i'm i've if in instead into is it it's its just me more my no not never now of on or our out please really she should so some such than that the their
them then there they this to too up us very was we were what when where which while who why will with would you your der die das und oder mit von für auf
ist ein eine le la les un une des et ou avec pour dans est el los las con por para es 그리고 및 또는
`);

const spaced = wordSet(`${english} ${korean} ${others}`);

/** Whether a word with spaces around it says little about what is looked for. `IT` and `US` are names. */
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

/** What a letter of a run is a part of. `letter`: of a function word of one letter, which may as well be one of a longer word: `会` of `会议`. */
export type FunctionLetter = "no" | "letter" | "word";

/** For each letter of a run whether it stands in a function word. In a run of two letters, which somebody wrote as a word, no single one does. */
export function functionLetters(
  letters: readonly string[],
  language: "japanese" | "chinese",
): readonly FunctionLetter[] {
  const marked: FunctionLetter[] = letters.map(() => "no");
  const fewest = letters.length < 3 ? 2 : 1;
  // Letters beyond the first plane count as one, so that places are the same.
  const text = letters.map((letter) => (letter.length === 1 ? letter : "\uFFFD")).join("");
  for (const { 0: found, index } of text.matchAll(language === "japanese" ? ofJapanese : ofChinese))
    if (found.length >= fewest) marked.fill(found.length > 1 ? "word" : "letter", index, index + found.length);
  return marked;
}
