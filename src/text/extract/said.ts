import { once } from "../../base/lines.ts";
import { pushAll } from "../../base/lists.ts";
import type { KeptLine } from "./noise.ts";
import { correction, isException, sentencesOf } from "./sentences.ts";

const turn =
  /^(?:\*\*)?(User|Human|You|Assistant|AI|Agent|System|Tool|사용자|어시스턴트|ユーザー|アシスタント|用户|助手)(?:\*\*)?\s*[:：](?:\*\*)?\s*/iu;
const userTurn = /^(?:\*\*)?(?:User|Human|You|사용자|ユーザー|用户)/iu;

/** A quick test for lines on which a speaker's turn may start. */
const mayBeTurn = /^[*AHSTUY사어ユア用助].{1,15}[:：]/iu;

export function isTurn(text: string): boolean {
  return mayBeTurn.test(text) && turn.test(text);
}

/** Who starts a turn on this line; `undefined` if the previous turn continues. */
export function speakerOf(text: string): "person" | "other" | undefined {
  if (!isTurn(text)) return undefined;
  return userTurn.test(text) ? "person" : "other";
}

export function withoutSpeaker(text: string): string {
  return isTurn(text) ? text.replace(turn, "") : text;
}

/** A standing instruction to the agent, a preference, or a fact about the user. */
export type SaidKind = "instruction" | "preference" | "fact";

/** Longer sentences are pasted or say more than one thing. In characters. */
const longestSaid = 400;
const shortestSaid = 5;

/**
 * Classifies a sentence of the user by its wording; `undefined` if in doubt, and for questions, tasks, quotations, list
 * items and temporary states.
 */
export function kindOfSaid(sentence: string): SaidKind | undefined {
  if (sentence.length > longestSaid || sentence.length < shortestSaid || /[?？]/.test(sentence)) return undefined;
  if (correction.test(sentence.toLowerCase())) return notSaid().test(sentence) ? undefined : "fact";
  const kind = kindByWords(sentence);
  return kind !== undefined && notSaid().test(sentence) ? undefined : kind;
}

/** All patterns expect lower case, because case-insensitive ones take a hundred times as long to compile. */
function kindByWords(sentence: string): SaidKind | undefined {
  const said = sentence.toLowerCase().replace(leadIn, "");
  const some = (patterns: readonly RegExp[]): boolean => patterns.some((one) => one.test(said));
  if (!noOrder.test(said) && (isOrder(said) || reminder.test(said) || some(instruction())))
    return passingOrder.test(said) ? undefined : "instruction";
  if (some(preference())) return asksAlong.test(said) || passingChoice.test(said) ? undefined : "preference";
  if (!some(fact()) || some([asksAlong, wishes, passing])) return undefined;
  return incomplete().test(sentence.slice(-said.length)) ? undefined : "fact";
}

const pattern = ({ raw }: TemplateStringsArray, ...values: readonly string[]): RegExp =>
  new RegExp(
    raw.reduce((all, part, at) => `${all}${values[at - 1] ?? ""}${part}`),
    "u",
  );

/** Sentence starts that rule out an order, except `I want you to always`. */
const noOrder =
  /^(?:i|we|my|our|it|he|she|they|the|this|that|there|these|what|how|why|when|is|are|was|do you|does|can|could|would|an?(?! partir\b))\b(?!(?:['’]d| would)? (?:want|need|like|expect) you to )/;

/** Questions, list items, quotations, templates and other text that is not a sentence. */
const notSaid = once(
  () =>
    /^\s*(?:[-*+>#|•–—"“„«「『'‘(<{[\\]|\d+[.)])|[:：;；,，]\s*$|[{}<>|=\\]|\[[^\]]*\]|\(\(|\p{Lu}{3,} \p{Lu}{3,}|https?:|(?:…|\.\.\.|\(cut\))\s*$|^[^"“”]*["“”][^"“”]*$/u,
);

/** Filler at the start of a sentence. */
const leadIn =
  /^(?:(?:oh|ah|well|actually|yeah|yes|yep|no|nope|okay|ok|also|and|so|but|anyway|hi|hello|hey|thanks|thank you|great|sure|wait|personally|honestly|btw|by the way|fyi|for context|for the record|for reference|for your information|just so you know|in fact|to be honest|as for me|as a side note|übrigens|ach|ja|nein|also|und|au fait|oui|non|et|por cierto|sí|y|aliás|sim|e|comunque|sì|кстати|да|и)(?:[,.!:;]| -| –| —)? )+/u;

/** A request to the agent in the same sentence. */
const asksAlong =
  /\b(?:(?:can|could|would|will|do|did|are|should|have) you|(?:can|could|should|do) (?:i|we)|what (?:is|are|do|does|would|should)|please|help me|tell me|give me|show me|any (?:tips|ideas|advice|suggestions|recommendations|other)|wondering|let me know|how (?:do|can|should|to)|you['’]?(?:ve|re)?|your)\b|(?:kannst|könntest|würdest) du|(?:können|könnten|würden) sie|peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|puedes|podrías|você (?:pode|poderia)|puoi|potresti|можешь|могли бы|(?:주세요|줘|줄래|할까|인가요|나요|까요)[.!]?$|(?:ください|ますか|ですか|でしょうか)|(?:吗|呢|请|帮我)/u;

/** A wish or a plan. */
const wishes = /\b(?:hope|hoping|thinking (?:of|about)|i (?:need|want|would like|think|guess)|i['’]d (?:like|love))\b/u;

const family =
  "son|daughter|child|children|kids?|baby|twins|brothers?|sisters?|siblings?|wife|husband|spouse|fianc[eé]e?|partner|girlfriend|boyfriend|mom|mum|mother|dad|father|parents|grandma|grandmother|grandpa|grandfather|grandparents|grandson|granddaughter|aunt|uncle|cousin|niece|nephew|in-laws|roommate|flatmate|dogs?|cats?|pupp(?:y|ies)|kittens?|rabbits?|parrot|hamster|horse|pets?|landlord|landlady|boss|neighbou?r";
const own = String.raw`name|surname|nickname|birthday|address|phone number|time ?zone|home ?town|native language|mother tongue|first language|pronouns|blood (?:type|group)|height|job|job title|profession|occupation|major|favou?rite [a-zß-ÿ -]{2,40}?|wedding anniversary|anniversary|car|house|apartment|flat|bike`;
const count = String.raw`(?:an?|one|two|three|four|five|six|seven|eight|\d+|both an?)`;
const day = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const often = String.raw`(?:(?:also|still|currently|usually|always|now|actually|originally|both|just|recently|finally|already|even|mostly|mainly|normally|typically|really|much|generally|definitely|strongly|absolutely|truly) )*`;

/** Imperatives addressed to the agent. */
const orders =
  "answer|respond|reply|write|speak|talk|use|call me|address me|refer to|keep(?! up)|give(?! up)|make|format|include|add|ask|tell|show|explain|run|check|commit|push|deploy|skip|avoid|stop|remember|treat|assume|put|prefer|start|begin|end|be|translate|summari[sz]e|cite|mention|test|follow|round|convert|save|store|document|let me|remind me|note|mark|sign|send|delete|change|touch|edit|force-push|merge|suggest|recommend|offer|apologi[sz]e|repeat|guess|invent|mock|import|install|create|rename|log|leave|wait|do|have|say(?! never)|open|close|book|buy|order|call|phone|schedule|set|choose|pick|plan|search|read|link|name|quote|fix|build|restart|pay|serve";
const never = String.raw`(?:always|never)`;
const please = "(?:please,? |kindly )?";

const fromNowOn =
  "(?:please,? )?(?:from now on|going forward|from here on(?: out)?|henceforth|in (?:the )?future|for future reference|from today on)[,:]? (?:please )?";
const order = once(() => pattern`^(?:${orders})\b`);
const anything = /(?:)/u;

/** Sentence starts that count if an order follows, and what the rest must contain. A single pattern for each would take milliseconds to compile. */
const beforeOrder = once((): readonly (readonly [start: RegExp, end: RegExp])[] => [
  [pattern`^${fromNowOn}(?:(?:always|never|only|don['’]t|just) )?`, anything],
  [
    pattern`^${please}(?:only |just |don['’]t |never |always )?`,
    /\b(?:from now on|going forward|in (?:the )?future|any ?more(?=[.!,]|$)|ever again|unless i (?:ask|say|tell))(?![a-zß-ÿ])/u,
  ],
  [pattern`^${please}${never} (?:(?:again|ever) )?`, anything],
  [pattern`^${please}(?:don['’]?t|do not) (?:ever )?`, /\b(?:again|ever)\b/u],
  [/^(?:whenever|every time|each time) (?:i|you|we)\b[^,]{2,80}, (?:please )?/u, anything],
]);

function isOrder(said: string): boolean {
  return beforeOrder().some(([start, end]) => {
    const before = start.exec(said)?.[0];
    if (before === undefined) return false;
    const rest = said.slice(before.length);
    return order().test(rest) && end.test(rest);
  });
}

/** Other forms of standing orders. */
const instruction = once((): readonly RegExp[] => [
  pattern`^${please}(?:always )?remember(?: that (?=i\b|my\b|we\b|our\b|i['’]m)|: |, that |(?=,? (?:i\b|my\b|we\b|i['’]m)) )|^${please}(?:keep in mind|bear in mind|don['’]?t forget|note for (?:the future|next time))(?: that|:) (?=i\b|my\b|we\b|our\b|i['’]m)`,
  pattern`^${fromNowOn}(?:(?:always|never|only|do not|don['’]t|just) )?you (?:should|must|always|never) `,
  pattern`^i(?:['’]d| would)? (?:want|need|like|expect) you to ${never} `,
  /^you (?:must|should|may|can|are to) (?:always|never|only|not) /u,
  /^(?:from now on,? )?(?:you (?:can|may)|it['’]s (?:ok|okay|fine) (?:to|if you)) (?!always ).*\b(?:again|from now on)(?=[.!,]|$)/u,
  pattern`^please (?:keep (?:(?:all|your|the|my) )*(?:answers?|responses?|repl(?:y|ies)|explanations?|messages?|summar(?:y|ies)|commits?|code|comments?) |use (?:[a-zß-ÿ-]+ ){1,4}(?:for all|for every|in all|in every|instead of|everywhere|whenever|when(?:ever)? you|by default)\b)`,
  /^(?:please,? |kindly )?stop (?:giving|using|writing|adding|sending|asking|saying|putting|including|calling|suggesting|starting|ending|apologi[sz]ing|repeating|summari[sz]ing) /u,
  /^(?:bitte )?(?:merke? dir|denke? (?:bitte )?(?:immer )?daran|vergiss (?:bitte )?nicht)\b|^(?:ab (?:jetzt|sofort|heute)|von (?:jetzt|nun) an|künftig|zukünftig|in zukunft)\b(?! \p{L}+ (?:ich|wir)\b)|^(?:bitte )?(?:antworte|schreibe?|nutze|verwende|benutze|nenne?|sprich|gib|zeige?|mache?|halte|frage?|lass|ändere?|lösche?|pushe?) (?:mir |mich |dich |bitte |die |den |das |auf )*(?:\p{L}+ )?(?:immer|nie(?:mals)?|nie wieder|nicht mehr|künftig|in zukunft|ab jetzt)\b/u,
  /^(?:[Bb]itte )?(?:[Nn]ie(?:mals)?(?: wieder)?|[Ii]mmer) (?!(?:ich|wir|noch|wieder|mehr)\b)(?:[^,]* )?\p{Ll}+(?:en|ern|eln)[.!]*$/u,
  /^(?:(?:s['’]il (?:te|vous) pla[iî]t|stp|svp),? )?(?:souviens-toi|souvenez-vous|rappelle-toi|retiens|retenez|n['’]oublie(?:z)? (?:pas|jamais)|garde en tête)(?: bien)? (?:que |qu['’]|de )|^(?:désormais|dorénavant|à partir (?:de maintenant|d['’]aujourd['’]hui)|à l['’]avenir)\b(?!,? (?:je|j['’]|nous)\b)|^ne (?:me |nous )?(?!fonctionne|marche|démarre|répond|sert|voit)\p{L}+ jamais\b|^n['’]utilise(?:z)? (?:jamais|plus)\b|^ne (?:me|nous) \p{L}+(?:s|ez|e) plus\b|^(?:réponds|répondez|écris|écrivez|utilise|utilisez|parle|parlez|donne|donnez|appelle|commence|fais|faites)(?:-\p{L}+)? (?:toujours|désormais)\b/u,
  /^(?:por favor,? )?(?:recuerda|recuerde|acuérdate|ten en cuenta|no olvides)(?: siempre)?(?: de)? que\b|^(?:a partir de ahora|de ahora en adelante|desde ahora|en el futuro|en adelante)\b(?!,? (?:yo|voy|vamos|quiero)\b)|^(?:por favor,? )?(?:nunca|jamás|siempre) (?:respondas|responde|escribas|escribe|uses|usa|utilices|utiliza|hagas|haz|borres|cambies|me|digas|llámame|contesta|contestes|pongas|subas|toques)\b|^(?:por favor,? )?(?:responde|escribe|usa|utiliza|contesta|háblame|llámame|respóndeme|contéstame) siempre\b|^no (?:vuelvas a|me \p{L}+[ae]s (?:más|nunca))\b/u,
  /^(?:por favor,? )?(?:lembre-se|lembra-te|lembra|não (?:se )?esqueç?as?)(?: sempre)?(?: de)? que\b|^(?:a partir de agora|de agora em diante|daqui em diante|no futuro|doravante)\b(?!,? (?:eu|vou|vamos|quero)\b)|^(?:por favor,? )?(?:nunca|jamais|sempre) (?:responda|responde|escreva|escreve|use|usa|utilize|faça|apague|mude|me|diga|altere|envie|coloque)\b|^(?:por favor,? )?(?:responda|responde|escreva|use|utilize|fale) sempre\b|^não (?:me )?(?:use|faça|escreva|responda|mande|envie|sugira|mostre|mencione|apague|mude|diga|proponha) .*\bmais[.!]*$/u,
  /^(?:per favore,? )?(?:ricorda(?:ti|tevi)?|tieni presente|tieni a mente|non dimenticare)(?: sempre)?(?: di)? che\b|^(?:d['’]ora in poi|da ora in poi|da adesso in poi|in futuro|da oggi in poi)\b(?!,? (?:io|vorrei|voglio)\b)|^(?:per favore,? )?non \p{L}+(?:are|ere|ire|armi|ermi|irmi) (?:mai|più)\b|^(?:per favore,? )?(?:rispondi|scrivi|usa|utilizza|chiamami|parla|parlami|rispondimi)(?: \p{L}+)? sempre\b/u,
  /^(?:пожалуйста,? )?(?:запомни(?:те)?|имей(?:те)? в виду|не забывай(?:те)?)(?:[,:]| что)|^(?:с этого момента|отныне|впредь|в дальнейшем)(?!,? (?:я|мы) )|^(?:пожалуйста,? )?(?:всегда|никогда(?: больше)? не) \p{L}+(?:й|и|(?<!ш)ь)(?:те|ся)?(?![\p{L}])|^больше (?:никогда )?не \p{L}+(?:й|и|(?<!ш)ь)(?:те)?(?![\p{L}])/u,
  /^(?:앞으로|이제부터|지금부터|다음부터)(?:는|도)? .*(?:줘|주세요|마|마세요|말아|답해|써|세요)[.!]?$|^(?:항상|언제나|늘|절대로?|반드시) (?!.*(?:건강|행복|감사|수고)).*(?:줘|주세요|마|마세요|말아|답해|세요|말 것|할 것)[.!]?$/u,
  /^(?:これから|今後|次から|以後)(?:は|も|、).*(?:ください|してね|ないで|こと|ように|使って|答えて|呼んで)[。!！]?$|^(?:必ず|常に|いつも|絶対に?|決して|二度と).*(?:ください|ないで(?:ね)?|こと|してね|答えて|使って)[。!！]?$/u,
  /^(?:请|請)?(?:你)?(?:要|一定要)?(?:记住|記住|记得|記得|别忘了)(?!我)|^(?:请|請)?(?:记住|記住)我|^(?:从现在(?:起|开始)|從現在(?:起|開始)|以后|以後|今后|今後|往后)[，,]?(?!我|你觉得)(?:请|請|都用|都要|用|不要|别|回答|叫我|每次)|^(?:请|請)?(?:永远|总是|始终|一直|務必|务必|每次都)(?:不要|别|用|要|使用|以|先)|^(?:请|請)?(?:不要再|别再|永远不要|千万不要|千万别)/u,
]);

/** Requests to remember something, anywhere in a Korean or Japanese sentence. */
const reminder = /기억해 ?(?:줘|주세요|둬|두세요)|잊지 ?(?:마|말아)|覚えておいて|覚えてください|覚えてて|忘れないで/u;

/** An order about the task at hand. */
const passingOrder =
  /\b(?:in|for|on|of|to|with) (?:this|these|the) (?:pr|pull request|commit|branch|file|essay|story|text|paragraph|article|email|letter|post|page|poem|song|script|scene|game|one|task|table|example|exercise|question|chapter|document|answer|list|following|above|below|next|first|second|last|video|project you)\b|\b(?:the following|above|below|this time|right now|for now|word count|quest|human-generated|the entire|the whole|today|tonight|tomorrow|the (?:player|user|character|reader|story|game|essay|article|audience|output|prompt|scene|narrator|protagonist))\b|\bremember (?:when|the time|how)\b|\bremember,? (?:i|we) (?:am|are)? ?(?:still )?[a-zß-ÿ]+ing\b|diesmal|gerade|heute|cette fois|aujourd['’]hui|esta vez|desta vez|questa volta|сейчас|сегодня|이번|오늘|今回|今日|这次|今天/u;

const preference = once((): readonly RegExp[] => [
  pattern`^i ${often}(?:prefer|hate|dislike|detest|loathe|can['’]?t stand|cannot stand)\b(?! to (?:say|admit|ask|bother|break))|^i(?:['’]d| would) (?:(?:always|generally|usually) (?:rather|prefer)\b|(?:rather|prefer(?: to)?) .* (?:than|over|instead of) )|^i (?:don['’]?t|do not) like (?:it when |being |when |to [a-zß-ÿ]+|[a-zß-ÿ]+ing\b)|^i like .* (?:better|more) than\b|^my preference is\b`,
  /^(?:ich (?:bevorzuge|hasse|verabscheue|mag (?:\p{L}+ ){1,6}(?:lieber|nicht)|mag kein|kann (?:\p{L}+ ){1,5}nicht (?:leiden|ausstehen|ertragen)|(?:hätte|habe|arbeite|esse|trinke|lese|reise|fahre) (?:es )?lieber)|mir (?:ist|sind) .* lieber|am liebsten \p{L}+ ich)\b/u,
  /^(?:je préfère|je préférerais|je déteste|j['’]aime mieux|je ne supporte pas|j['’]ai horreur|je n['’]aime pas)\b/u,
  /^(?:yo )?(?:prefiero|preferiría|odio|detesto|no soporto|no me gustan?|me gustan? más)\b/u,
  /^(?:eu )?(?:prefiro|preferiria|odeio|detesto|não suporto|não gosto d\p{L}+|gosto mais d\p{L}+)\b/u,
  /^(?:io )?(?:preferisco|preferirei|odio|detesto|non sopporto|non mi piac(?:e|ciono)|mi piac(?:e|ciono) di più)\b/u,
  /^я (?:предпочитаю|ненавижу|терпеть не могу|не переношу|не люблю|больше люблю)(?!\p{L})/u,
  /^(?:나는|저는|난|전|제가|내가) .*(?:더 좋아(?:해|합니다|해요)?|선호(?:해|합니다|해요|한다)|싫어(?:해|합니다|해요|한다|요)?)[.!]?$/u,
  /^(?:私|僕|俺|わたし)は.*(?:(?:より|ほうが|方が).*好き|を好み|が(?:大)?嫌い|が苦手)(?:です|だ|ます|なんです|な)?[。!！]?$/u,
  /^我(?:比较|個人|个人)?(?:更喜欢|更喜歡|偏好|偏爱|比较喜欢|讨厌|討厭|不喜欢|不喜歡|受不了|宁愿|寧願|最讨厌)/u,
]);

/** A choice between the options at hand. */
const passingChoice =
  /\b(?:prefer|rather|hate|dislike|like|stand)(?: to)?(?: [a-zß-ÿ]+)? (?:this|that|these|those|it|them|your|the (?:[a-zß-ÿ]+ )?(?:first|second|third|last|former|latter|one|other|idea|sound|way|option|version|title|answer|response))\b|\b(?:option|number|version) (?:\d|[a-d]\b)|\b(?:this|that) one\b|第[一二三]|这个|那个|それ|この|その|이게|그게|\b(?:diese[srnm]?|jene[srnm]?|celui|celle|ceci|cela|ça|este|esta|eso|esto|isso|isto|quest[oaie]|quell[oaie])\b/u;

const fact = once((): readonly RegExp[] => [
  pattern`^(?:i am|i['’]m|we are|we['’]re) ${often}(?:(?:(?:severely|highly|very|mildly) )?allergic to|intolerant|(?:a )?vegan\b|(?:a )?vegetarian\b|lactose|celiac|coeliac|diabetic|married|divorced|single\b|widowed|retired|self-employed|left-handed|right-handed|colou?r-?blind|dyslexic|pregnant|deaf|based (?:in|out of)|from (?!the (?:following|above))|born|fluent in|\d{1,3} years old|an? (?:[a-zß-ÿ-]+ ){0,3}(?:engineer|developer|programmer|teacher|student|nurse|doctor|lawyer|designer|writer|scientist|researcher|accountant|manager|analyst|consultant|freelancer|photographer|artist|musician|chef|baker|cook|farmer|gardener|beginner|veteran|pilot|driver|carpenter|electrician|plumber|architect|professor|librarian|journalist|translator|therapist|psychologist|pharmacist|dentist|mechanic|entrepreneur|(?:business )?owner|founder|contractor|parent|mother|father|mom|mum|dad|widow|widower|native|citizen|resident|runner|cyclist|swimmer|hiker|reader|collector|fan of|member of|graduate|morning person|night owl|homeowner|renter))\b`,
  pattern`^(?:i|we) ${often}(?:live (?:in|on|at|near|with|alone|by|just|about|a|\d)|work (?:as|at|for|from|in (?!progress)|part-time|full-time|remotely|night|nights|shifts|the)|teach |study (?:[a-zß-ÿ]+ )?at |speak (?:[a-zß-ÿ]|fluent|some|a little|three|two)|own an? |drive an? |commute |volunteer (?:at|with|for|as|every)|grew up |was born |was raised |were born |graduated (?:from|with|in)|collect |run an? (?:[a-zß-ÿ-]+ ){0,3}(?:business|company|shop|store|bakery|restaurant|blog|podcast|farm|studio|agency|startup|charity|clinic|caf[eé])|used to (?:live|work|play|be|have|own|teach)|suffer from |play (?:the )?(?:guitar|piano|violin|drums|cello|flute|clarinet|bass|ukulele|saxophone|trumpet|tennis|football|soccer|basketball|chess|golf|volleyball|hockey|badminton))`,
  pattern`^(?:(?:i|we) (?:${often}have|have ${often}got)|(?:i|we)['’]ve ${often}got) (?:${count} (?:[a-zß-ÿ\d'’-]+,? ){0,4}?(?:${family}|degree|camera|laptop|tank|tent|guitar|violin|telescope|garden|allerg(?:y|ies)|car|bike|motorcycle|boat|piano|guitar|aquarium|fish tank|greenhouse|driver['’]?s licen[cs]e)\b|(?:asthma|diabetes|adhd|dyslexia|celiac disease|arthritis|migraines|insomnia|hay fever|type [12] diabetes|high blood pressure|(?:[a-zß-ÿ-]+ )?allergies))`,
  pattern`^(?:i|we)(?:['’]ve| have)? ${often}(?:bought (?:an?|my|our|some|the|two|three|\d)|purchased (?:an?|my|our|some|two|three)|adopted (?:an?|our|two|my)|got (?:married|engaged|divorced|promoted|a (?:new )?(?:job|promotion|puppy|kitten|dog|cat|car|bike|tattoo))|inherited|moved (?:in with|into (?:an?|our|my)|to [a-zß-ÿ]+|from [a-zß-ÿ]+|out of my|house|here)|retired|quit my job|graduated|signed up for|joined (?:an?|my|our|the local)|enrolled in|attended|volunteered|visited|switched (?:jobs|from)|became|hired|planted|started (?:taking|learning|working (?:at|for|as)|a (?:new )?(?:job|diet|garden|business|company|blog|podcast)|my (?:new )?(?:job|business|own)))\b`,
  pattern`^(?:i|we) (?!${often}(?:need|want|would|should|can|could|will|plan|think|hope|wish|guess|feel|see|was|were|had|did|am|are|have been|keep|know|remember|heard|believe|suggest|recommend)\b)${often}(?:(?:take|drive|ride|walk|cycle|bike) .*\bto (?:work|school|the office)\b|[a-zß-ÿ]+ (?:.* )?(?:every (?:day|morning|afternoon|evening|night|week|month|year|other day|weekday|weekend|summer|winter|${day})|on (?:${day}s|weekdays|weekends|weeknights)|(?:once|twice|[a-zß-ÿ]+ times|\d times) (?:a|per) (?:day|week|month|year)|for a living)\b)`,
  pattern`^(?:i|we)(?:['’]ve| have) (?:also |actually |now |only )?(?:been (?![a-zß-ÿ]+ing (?:for|since)\b)(?!thinking|trying|wondering|struggling|having|getting|looking|considering|meaning|wanting|hearing|seeing|feeling|experiencing|noticing|debating|told|asked)[a-zß-ÿ]+ing|lived|worked|had (?:my|an?|our|the)|owned|played|been (?:married|vegan|vegetarian|together|a [a-zß-ÿ ]{3,30}))\b.*\b(?:for (?:the (?:past|last) |about |over |almost |nearly |around |more than |at least )*(?:${count}|many|several|a few|a couple of|ten|nine|twelve|twenty) (?:years?|months?|decades?)|since (?:\d{4}|i was|college|high school|childhood|university|january|february|march|april|may|june|july|august|september|october|november|december|last))\b`,
  pattern`^(?:my|our) (?:(?:best|older|younger|elder|eldest|oldest|youngest|little|big|late|new|old|current|twin|only|late|[a-zß-ÿ]+-year-old|\d+-year-old|\d+-month-old|first|second|two|three) ){0,2}(?:(?:best )?friend [a-zß-ÿ][a-zß-ÿ]+|(?:${family}|${own})(?:['’]s (?:name|birthday|wedding))?)(?:,? [a-zß-ÿ][a-zß-ÿ'’-]+,?)? (?:is|are|was born|turns|turned|has|have|lives?|works?|loves?|hates?|likes?|plays?|goes|goes to|got married|moved|gave me|is called)\b`,
  /^(?:ich (?:bin (?:\d+ jahre alt|(?:\p{L}+ )?allergisch|(?:eine? )?vegetarier(?:in)?|(?:eine? )?veganer(?:in)?|verheiratet|geschieden|ledig|schwanger|rentner(?:in)?|linkshänder(?:in)?|(?:\p{L}+ ){0,4}(?:geboren|aufgewachsen|umgezogen)|von beruf|(?:nach|von) \p{L}+ (?:um)?gezogen|(?:eine? )?\p{L}*(?:lehrer|entwickler|ingenieur|arzt|ärztin|krankenschwester|student|informatiker|anwalt|anwältin|schreiner|koch|bäcker)(?:in)?)|wohne|lebe (?:in|auf|mit|allein|seit)|arbeite (?:als|bei|beim|in|im|für|seit|an der)|heiße|komme aus|studiere|spreche (?:\p{L}+ )*(?:deutsch|englisch|französisch|spanisch|italienisch)|habe (?:eine|einen|ein|zwei|drei|vier|\d+) (?:\p{L}+ ){0,2}(?:sohn|söhne|tochter|töchter|kind|kinder|bruder|brüder|schwester|schwestern|hund|hunde|katze|katzen|allergie|\p{L}*allergie|garten)|habe diabetes|habe .*(?:gekauft|geheiratet|geerbt|adoptiert)[.!]*$)|wir (?:sind (?:\p{L}+ ){0,5}(?:umgezogen|gezogen)|wohnen|haben .*(?:gekauft|geheiratet|adoptiert)[.!]*$|haben (?:zwei|drei|vier|\d+) (?:kinder|katzen|hunde))|(?:mein|meine|unser|unsere) (?:\p{L}+e[rs]? )?(?:name|frau|mann|sohn|tochter|bruder|schwester|mutter|vater|eltern|kinder|freundin|hund|katze|chef|chefin|vermieter(?:in)?|geburtstag|adresse|muttersprache|beruf|lieblings\p{L}+)(?: \p{L}\p{L}+)? (?:ist|sind|heißt|heißen|wohnt|wohnen|arbeitet|hat|wird|geht))(?![\p{L}])/u,
  /^(?:je m['’]appelle|j['’]habite|nous habitons|je vis (?:à|en|au|dans|avec|seul)|je travaille (?:comme|chez|à|dans|en|au|pour|de nuit)|je parle (?:français|anglais|couramment)|je viens de \p{L}\p{L}+|je suis (?:allergique|intolérante?|végétarien(?:ne)?|végane?|née?|mariée?|divorcée?|célibataire|retraitée?|diabétique|enceinte|gauchère?|(?:une? )?(?:professeure?|enseignante?|infirmi(?:er|ère)|médecin|ingénieure?|développeu(?:r|se)|étudiante?|avocate?|boulang(?:er|ère)))|j['’]ai \d+ ans|j['’]ai (?:une?|deux|trois|quatre|\d+) (?:\p{L}+ )?(?:fils|filles?|enfants?|frères?|sœurs?|soeurs?|chiens?|chats?|allergie|jardin)|(?:nous avons|j['’]ai) (?:déménagé|emménagé|acheté|adopté|hérité)|(?:mon|ma|mes|notre|nos) (?:nom|prénom|femme|mari|fils|fille|frère|sœur|mère|père|parents|enfants|chien|chat|patron|patronne|propriétaire|anniversaire|adresse|langue maternelle|métier|\p{L}+ préférée?s?)(?: \p{L}\p{L}+)? (?:est|sont|s['’]appelle|a|habite|travaille|vit))(?![\p{L}])/u,
  /^(?:(?:yo )?(?:me llamo|vivo (?:en|con|sol)|trabajo (?:como|en|de|para)|nací|tengo \d+ años|soy (?:alérgic[oa]|intolerante|vegetarian[oa]|vegan[oa]|diabétic[oa]|zurd[oa]|de \p{L}\p{L}+|casad[oa]|(?:un[oa]? )?(?:profesora?|maestr[oa]|enfermer[oa]|médic[oa]|ingenier[oa]|desarrolladora?|estudiante|abogad[oa]|cociner[oa]))|estoy casad[oa]|estoy embarazada|tengo (?:una?|dos|tres|cuatro|\d+) (?:hij[oa]s?|herman[oa]s?|perr[oa]s?|gat[oa]s?|niñ[oa]s|alergia|jardín)|hablo (?:español|inglés)|compré|me mudé|me casé|adopté)|nos mudamos|compramos|adoptamos|vivimos en|(?:mi|mis|nuestr[oa]s?) (?:nombre|esposa|mujer|marido|esposo|hij[oa]s?|herman[oa]s?|madre|padre|padres|mamá|papá|novi[oa]|perr[oa]|gat[oa]|jef[ea]|caser[oa]|cumpleaños|dirección|lengua materna|profesión|\p{L}+ favorit[oa]s?)(?: \p{L}\p{L}+)? (?:es|son|se llaman?|tiene|vive|trabaja|está))(?![\p{L}])/u,
  /^(?:(?:eu )?(?:me chamo|chamo-me|moro (?:em|no|na|com|sozinh)|vivo (?:em|no|na|com)|trabalho (?:como|em|no|na|para|de)|nasci|tenho \d+ anos|sou (?:alérgic[oa]|intolerante|vegetarian[oa]|vegan[oa]|diabétic[oa]|canhot[oa]|casad[oa]|divorciad[oa]|d[eoa] \p{L}\p{L}+|(?:uma? )?(?:professora?|enfermeir[oa]|médic[oa]|engenheir[oa]|desenvolvedora?|estudante|advogad[oa]|cozinheir[oa]))|tenho (?:uma?|dois|duas|três|quatro|\d+) (?:filh[oa]s?|irmãos?|irmãs?|cachorr[oa]s?|cã(?:o|es)|gat[oa]s?|alergia|jardim)|comprei|me mudei|mudei-me|adotei|falo (?:português|inglês))|nos mudamos|mudámo-nos|compramos|(?:o meu|a minha|meu|minha|meus|minhas|noss[oa]s?) (?:nome|esposa|mulher|marido|filh[oa]s?|irmã|irmão|mãe|pai|pais|namorad[oa]|cachorr[oa]|cão|gat[oa]|chefe|senhorio|aniversário|endereço|língua materna|profissão|\p{L}+ (?:favorit|preferid)[oa]s?)(?: \p{L}\p{L}+)? (?:é|são|se chama|chama-se|tem|mora|vive|trabalha|faz))(?![\p{L}])/u,
  /^(?:(?:io )?(?:mi chiamo|abito (?:a|in|con)|vivo (?:a|in|con|da sol)|lavoro (?:come|a|in|per|da|presso|nel)|sono (?:nat[oa]|allergic[oa]|intollerante|vegetarian[oa]|vegan[oa]|diabetic[oa]|mancin[oa]|sposat[oa]|divorziat[oa]|di \p{L}\p{L}+|(?:un['’]?a? ?)?(?:insegnante|infermier[ea]|medico|ingegnere|sviluppat(?:ore|rice)|studente(?:ssa)?|avvocat[oa]|cuoc[oa]))|ho \d+ anni|ho (?:un['’]?[oa]? ?|due |tre |quattro |\d+ )(?:figli[oae]?|fratell[oi]|sorell[ae]|can[ei]|gatt[oaie]|allergia|giardino)|ho comprato|ho adottato|mi sono (?:trasferit|sposat)[oa]|parlo (?:italiano|inglese))|ci siamo trasferiti|abbiamo (?:comprato|adottato|traslocato)|(?:il mio|la mia|i miei|le mie|mi[oa]|nostr[oa]) (?:nome|moglie|marito|figli[oa]|fratello|sorella|madre|padre|mamma|papà|genitori|fidanzat[oa]|cane|gatt[oa]|capo|compleanno|indirizzo|lingua madre|lavoro|\p{L}+ preferit[oaie])(?: \p{L}\p{L}+)? (?:è|sono|si chiama|ha|abita|vive|lavora))(?![\p{L}])/u,
  /^(?:меня зовут|мне \d+ (?:лет|год|года)|я (?:живу|работаю (?!над )|родил(?:ся|ась)|вегетариан(?:ец|ка)|веган|замужем|женат|переехала? |купила? |преподаю)|мы (?:живём|живем|переехали|купили)|у меня (?:есть )?(?:аллергия|диабет|(?:один|одна|двое|трое|два|две|три) (?:сын|дочь|дет|брат|сестр|кошк|кот|собак)\p{L}*|сын|дочь|кошка|собака)|(?:мой|моя|моё|мои) (?:имя|муж|жена|сын|дочь|брат|сестра|мама|папа|мать|отец|собака|кошка|начальник|день рождения|адрес|любим\p{L}+ \p{L}+)(?: \p{L}\p{L}+)? ?(?:—|–|-|зовут|живёт|живет|работает|учится|родил\p{L}+))(?![\p{L}])/u,
  /^(?:나는|저는|난|전|제가|내가|우리는?|저희는?) .*(?:에 (?:살아|삽니다|살고 있|산다)|에서 (?:일해|일하고 있|일합니다|태어|자랐)|알레르기가 있|(?:로|으로) 일(?:해|하고 있|합니다)|(?:로|으로) 이사 ?(?:했|왔|갔)|(?:을|를) (?:키우|길러|샀|입양)|채식주의자|(?:학생|교사|선생님|개발자|간호사|의사|엔지니어|디자이너|변호사|요리사)(?:입니다|이에요|예요|이야|야|다)|살(?:입니다|이에요|이야)|다니고 있|다닙니다|다녀요)[^,]{0,12}$|^(?:제|내|우리|저희) (?:이름|생일|직업|고향|주소|아내|남편|아들|딸|아이|아이들|동생|형|누나|언니|오빠|엄마|아빠|어머니|아버지|부모님|강아지|고양이|상사|집주인)(?:은|는|이|가|의) .*(?:다|요|야)[.!]?$/u,
  /^(?:私|僕|俺|わたし|うち)(?:は|たちは).*(?:に住んで(?:います|いる|る)|で働いて(?:います|いる|る)|に勤めて(?:います|いる)|アレルギー(?:です|があります|がある|だ)|(?:で|に)生まれ(?:ました|た)|(?:歳|才)(?:です|だ)|を飼って(?:います|いる|る)|引っ越し(?:ました|た)|を買(?:いました|った)|ベジタリアン(?:です|だ)|ヴィーガン(?:です|だ)|(?:学生|教師|医者|医師|看護師|エンジニア|開発者|デザイナー|弁護士|会社員|主婦)(?:です|だ))[。!！]?$|^(?:(?:私|僕|俺|わたし|うち)の)(?:名前|誕生日|職業|出身|住所|妻|夫|息子|娘|子供|弟|兄|姉|妹|母|父|両親|犬|猫|上司|大家|好きな[^は]{1,12})(?:は|の).*(?:です|だ|ます|ました|いる)[。!！]?$/u,
  /^(?:我(?:叫(?!你|他|她|它)|住在|来自|來自|出生(?:于|在)|今年\d+岁|对.{1,12}过敏|對.{1,12}過敏|搬到|搬家|结婚了|退休了|吃素|养了|養了|买了(?:一|新|辆|套|房|车)|是(?:一个|一名|一位|个|素食|学生|老师|医生|护士|工程师|程序员|律师|设计师|左撇子|[\p{Script=Han}]{2,4}人)|在.{1,20}(?:工作|上班|上学|读书|长大)|有(?:一|两|三|四|几)?(?:个|只|条)(?:儿子|女儿|孩子|哥哥|弟弟|姐姐|妹妹|猫|狗))|我们(?:搬到|搬家|住在|买了|结婚)|(?:我的|我)(?:名字|生日|职业|家乡|地址|妻子|老婆|丈夫|老公|儿子|女儿|孩子|妈妈|爸爸|父母|母亲|父亲|狗|猫|老板|房东|女朋友|男朋友|母语|血型|最喜欢的.{1,12})(?:是|叫|在|住|有|今年|对))/u,
]);

/** Temporary states, and remarks about the conversation. */
const passing =
  /^(?:my|our) [^.]*? (?:is|are) (?:[a-zß-ÿ]+ing\b|not [a-zß-ÿ]+ing\b|so |too |sick|ill\b|tired|upset|angry|mad|late\b|here\b|down\b|broken|sleepy|hungry|worried|sad|confused)|\b(?:an? (?:error|issue|problem|question|bug)|dataset|the (?:code|script|function|file|table|query|essay|prompt))\b|\bif (?:i|we)\b|\bas an ai\b|\b(?:has|have) always said\b|\b(?:says|said|told me) that\b|问题|質問|질문|有点|是说|是想|是不是|궁금/u;

/**
 * Sentences that need context (`a fan of it`, `we visited this place`), lack the name they need (`moved to Lyon`), or
 * are opinions.
 */
const incomplete = once(
  () =>
    /^[^,;–—]*?(?:\b(?:it|them|these|those|there|ones?|too|so much)\b(?!-)(?!['’])|\bthis\b(?! (?:past )?(?:year|month|week|weekend|spring|summer|fall|autumn|winter|semester|January|February|March|April|May|June|July|August|September|October|November|December)\b)|\b(?:of|like|with|at|to|in|for|do|did|about) that\b)|\bshould\b|\bthe idea\b|\b(?:speak|am from|['’]m from|moved (?:to|from)) (?!(?:an?|the|my|our|some|fluent|only|two|three|both|little)\b)\p{Ll}/u,
);

/** Before a colon: what comes after it is the user's own wish. */
const announced = once(() => pattern`^(?:${fromNowOn}|(?:please,? )?(?:always )?(?:remember|note) )$`);

/** Words about a text that is quoted, translated, corrected or given as an example. */
const aboutText =
  /\b(?:translat|rephras|paraphras|proofread|re-?writ|reword|grammar|spelling|quot(?:e|ing|ation)|(?:an?|one|for|this|following) (?:example|instance)|e\.g\.|sample|sentence|paragraph|phrase|saying|proverb|slogan|motto|lyrics?|how (?:do|would) (?:you|i|we) say|what does .* mean|it says|(?:sign|poster|label|manual|book|article|policy|docs|readme) says|übersetz|beispiel|zitat|zitier|satz\b|spruch|tradui|traduc|exemple|citation|phrase|ejemplo|cita\b|frase|traduz|tradução|exemplo|citação|esempio|citazione|traduzione)|перевед|перевод|пример|цитат|фраз|번역|예를|예시|인용|문장|翻訳|訳して|例えば|例文|引用|翻译|翻譯|例如|比如|句子/u;

/**
 * Whether a sentence may belong to a text that the user quotes, has translated or gives as an example, and not be their own wish. `around`: the rest of their turn.
 * In doubt, it may.
 */
export function mayBeQuoted(sentence: string, around: string): boolean {
  const [before, after] = sentence.split(/[:：]/u, 2);
  const isOwn = (start: string): boolean =>
    kindOfSaid(start) !== undefined || announced().test(`${start.trim().toLowerCase()} `);
  if (after !== undefined && !isOwn(before ?? "")) return true;
  return /\b(?:saying|proverb|slogan|motto)\b/iu.test(sentence) || aboutText.test(around.toLowerCase());
}

/** A sentence of the user with its lines. */
interface Told {
  readonly text: string;
  readonly kind: SaidKind;
  readonly number: number;
  readonly to: number;
}

/** A turn that assigns the agent a role or starts a story: the rest of the conversation is fiction. */
const fiction =
  /^\s*(?:you are (?:now |going to be )?(?:an?|the) |you['’]re (?:now )?an? |imagine (?:you|that you|i|we|a)\b)|\b(?:act as (?:an?|the|my|if)\b|pretend (?:to be|you|that|i)\b|role[- ]?play\w*|you will (?:act as|play)\b|in character\b|hypothetical (?:scenario|setting|world|story)|fictional|dungeon|i want you to (?:be|act|play|become)\b|from the perspective of|screenplay|fan ?fiction|short story|jailbreak|character sheet)|\b(?:write|tell|make|continue|generate|compose)\b[^.]{0,60}\b(?:story|poem|song|lyrics|scene|(?:movie|film|video|play) script|dialogue|monologue|joke|rap|diary|skit|novel|chapter)\b(?!\s+(?:points?|files?|cards?))|^\s*(?:du bist (?:ein|jetzt)|stell dir vor|tu es une?\b|imagine que|eres una?\b|você é uma?\b|sei un[ao']?\b|너는 |당신은|あなたは|你是|你现在是|扮演)/u;
/** A turn that contains a text to work on: its sentences belong to that text. */
const workOnText =
  /\b(?:re-?write|rephrase|paraphrase|proofread|translate|summari[sz]e|edit|correct|fix|improve|shorten|reword|revise|polish|write|draft|compose|generate|create|turn|convert)\b[^.?!]{0,80}\b(?:text|essay|paragraph|sentences?|e-?mail|letter|message|article|post|bio|cover letter|resume|cv|speech|statement|review|reply|response|caption|blog|report|paper|description|ad|advert\w*|tweet|summary|following|this|below|template|section|introduction|proposal|prompt)\b/u;
/** Longer turns of several lines are mostly pasted text. In characters. */
const longestTurn = 1_500;

/**
 * The instructions, preferences and facts that a user states in their own words: no quotations, pasted blocks, texts to
 * work on or fiction. An addition in the user's next turn becomes part of the statement.
 */
export function toldByUser(lines: readonly KeptLine[]): readonly Told[] {
  const turns = turnsOf(lines).map((turn) => ({ ...turn, told: turn.speaker === "person" ? toldIn(turn.own) : [] }));
  const last = turns.findLastIndex(({ told }) => told.length > 0);
  const all: Told[] = [];
  // Few conversations contain a statement, so turns after the last one are not checked.
  for (let index = 0; index <= last; index++) {
    const { speaker, own, told } = turns[index] as (typeof turns)[number];
    if (speaker !== "person") continue;
    const whole = textOf(own).toLowerCase();
    if (fiction.test(whole)) break;
    if (told.length === 0 || workOnText.test(whole) || (own.length > 1 && whole.length > longestTurn)) continue;
    const answer = answerTo(turns[index + 1], turns[index + 2]);
    const limited = answer === undefined ? -1 : told.findLastIndex(({ kind }) => kind !== "fact");
    pushAll(all, answer === undefined ? told : told.map((one, at) => (at === limited ? joinTold(one, answer) : one)));
    if (limited >= 0) index += 2;
  }
  return all;
}

/** Longer questions and answers are no longer about the wish itself. In characters. */
const longestQuestion = 80;
const longestAnswer = 200;
const agrees =
  /^(?:yes|yep|yeah|sure|ok|okay|right|correct|exactly|please|ja|genau|klar|oui|sí|si|claro|sim|sì|да|конечно|네|응|예|はい|うん|是|是的|对|好|好的)(?:,? please)?[.!。！]?$/iu;

/** What the user adds to a wish: an exception, or the answer to a brief question from the agent (`For all reports?`). */
function answerTo(asked: Turn | undefined, answered: Turn | undefined): Addition | undefined {
  if (asked?.speaker !== "other" || answered?.speaker !== "person") return undefined;
  const [question, text] = [textOf(asked.own), textOf(answered.own)];
  if (text === "" || text.length > longestAnswer || /[?？]$/u.test(text) || agrees.test(text)) return undefined;
  const isAsked = question.length <= longestQuestion && /[?？]$/u.test(question);
  if (!isAsked && !isException(text)) return undefined;
  return { text, to: answered.own.at(-1)?.to ?? 0 };
}

type Addition = Pick<Told, "text" | "to">;

function joinTold(told: Told, { text, to }: Addition): Told {
  return { ...told, text: `${told.text} … ${text}`, to };
}

function textOf(own: readonly KeptLine[]): string {
  return own
    .map(({ text }) => text)
    .join(" ")
    .replace(/\s+/gu, " ")
    .trim();
}

/** Starts a sentence that limits the one before it (`Only the trustees get feet.`); `sentencesOf` keeps exceptions together. */
const limits = once(
  () => /^(?:only|but|though|nur|aber|seulement|mais|s[oó]lo|pero|só|apenas|mas|soltanto|ma|только|но|ただ)(?!\p{L})/iu,
);

function toldIn(own: readonly KeptLine[]): Told[] {
  const told: Told[] = [];
  for (const { text, number, to } of joinedLines(own)) {
    if (/[:：]$/u.test(text.trimEnd().slice(-1)) || /^\s*(?:>|#)/u.test(text)) break;
    sentencesOf(text).forEach((sentence, at, sentences) => {
      const kind = kindOfSaid(sentence);
      const next = sentences[at + 1] ?? "";
      const whole = kind !== "fact" && limits().test(next) ? `${sentence} ${next}` : sentence;
      if (kind !== undefined) told.push({ text: whole.replace(/\s+/gu, " "), kind, number, to });
    });
  }
  return told;
}

interface Turn {
  readonly speaker: "person" | "other";
  readonly own: KeptLine[];
}

/** The lines of each turn, without speaker marks. */
function turnsOf(lines: readonly KeptLine[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const line of lines) {
    const speaker = speakerOf(line.text);
    if (speaker !== undefined) turns.push({ speaker, own: [] });
    turns.at(-1)?.own.push({ ...line, text: withoutSpeaker(line.text) });
  }
  return turns;
}

/** Joins a line that ends mid-sentence with the next. */
function joinedLines(lines: readonly KeptLine[]): readonly KeptLine[] {
  const joined: KeptLine[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (last?.to === line.number - 1 && /^\s*\p{Ll}/u.test(line.text) && !/[.!?。:]\s*$/u.test(last.text))
      joined[joined.length - 1] = { ...last, to: line.to, text: `${last.text.trim()} ${line.text.trim()}` };
    else joined.push(line);
  }
  return joined;
}
