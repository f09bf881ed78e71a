import { formWords, stopWords, talkWords } from "../../text/words/stop-words.ts";
import { FOLDED } from "./characters.ts";

/**
 * Everyday words of the most common languages: a sentence made up of these alone says less than one with other words. For scripts without spaces,
 * pairs of characters.
 */
const english = `
accept accident account act action active activity adult advance advantage adventure age agency agent air airport alarm album alike alive alone angle angry animal announce annual apartment app appear apple application
approach area argue argument arm army arrive art article artist aside asleep assume attach attack attempt attention attitude audience author autumn average award baby background backup bag bake ball band bank bar bare
base basis basket bath battery beach bear beat beauty bed bedroom beer behave behavior belief bell belong bench bike bill bird birth bite bitter black blank block blood blow blue board boat body bone book border boring
borrow boss bother bottle bottom bowl box boy brain branch brand bread breakfast breath bridge brief bright broad brother brown browser brush building burn bus business butter button cable cake calendar camera camp
candle capital card career case cash cat catch category ceiling cell center central century chain chair chance channel chapter character charge chart cheese chest chicken chief child children choice church circle citizen
city claim class classic click client climb clock clothes cloud club coach coat code cold collect collection college color colour column comfort command commit committee communicate community company compete complain
component compute computer concert condition conference conflict confuse confusing connection content contest contract contrast contribute control conversation cook copy corner counter country courage court cousin cow
crash crazy cream creative credit crew crime crop cross crowd crowded cry culture cup cure curtain curve custom customer cut cycle damage dance danger dark dash data database daughter dead dear death debate debug decade
deep default define degree delay delete deliver delivery demand demo department deploy description desert design desk detect developer development device diary diet difficulty dig digital dinner direct direction director
dirt disagree disappear disaster discount dish display distance distant divide doctor document dog dollar domain door dot downtown draft drag drama draw drawer drawing dream dress drink drive driver dry dull dust duty
ear earn earth ease east eat edge edit edition editor education effect egg elect element email embarrass emergency emotion employ employee encourage enemy energy engine engineer english enter entire entrance environment
equal equipment escape essay establish estimate event evidence exam except excite excuse exercise exist exit expand expense experiment expert export extend eye fact factory fairly faith fall false family fan fancy farm
farmer fashion fat father fault fear feature fee feed feedback fence festival field fight file fill film filter finance finger fire firm fish flag flash flat flight float floor flow flower fly focus folder folk food foot
force foreign forest forever form format formal former fortune frame freedom freeze frequent fresh friend front fruit fuel function fund furniture future gain game gap garage garden gas gate gentle gift girl glass goal
gold golf goods government grade gradual grand grandfather grandmother grant grass graph gray green grey greet ground group grow growth guard guest guide guilty guitar guy habit hair hall hand hang hardly hardware harm
hate head headline health healthy heart heat height hide highlight hill hint hire history hobby hole holiday home honest honey hook horse hospital host hot hotel house housing human hungry hunt hurry hurt husband ice
icon ignore ill image immediate import impress income independent index indicate industry influence inform initial injury input insect inside insist inspect install instance institute instruction instrument insurance
intelligent interest interface internal international internet interview introduce introduction invite iron island jacket job joke journal journey joy judge juice jump junior jury justice keyboard kick kid kill king kiss
kitchen knee knife knock knowledge label labor lack lady lake lamp land language laptop laugh law lawyer lay layer layout lazy leader leaf leak lean leather lecture leg legal lend length letter library license lie life
lift line link lip listen literature load loan location lock logic lonely loose loss loud lucky machine magazine mail male manager map mark market marriage marry master match material math meal meat media medical
medicine medium member memory mental menu mess metal method middle mild milk minor mirror miss mistake mix mixed mobile mode model modern modify module money monitor mood moon mother motion motor mountain mouse mouth
movement movie museum music narrow nation national native natural nature neat neck negative neighbor neighbour nerve net network neutral news newspaper noise north nose novel nurse object observe obvious occur ocean
office officer official offline oil online opening operate operation opinion oppose orange ordinary organization organize origin original outline output oven overview pack package page pain paint painting pale panel
panic pants paper parallel parent park parking partner party passage passenger path patient pattern pause payment peace pen pencil performance permanent permission permit person phase phone photo phrase physical piano
picture piece pile pilot pin pink pipe pipeline plain plane planet plant plastic plate platform play player pleasant pleasure plenty plot plug pocket poem poet police polite political pool poor pop population port
position positive post pot potato pound power practice praise presence present presentation press pressure prevent preview price pride primary print printer private prize procedure process produce product production
profession professional professor profile profit program project promise promote proof proper property proposal protect proud prove public publish pull punch purchase pure purple purpose push puzzle quantity query queue
quiet quit quote race radio rain raise rank rare rate raw react reader reality realize reasonable recall recipe record recover red reference reflect refresh refuse region register relation relationship relief religion
remark remote rent repair repeat represent research reserve resource respect restaurant restore retire reveal revise reward rich ride ring rise risk river road rock role roof room rope round route row runner rush sad
safety sail salad salary sale salt sample sand sandwich satisfy sauce scale scan scared scene scheme school science score screen script sea search season seat secret secretary section sector secure security seed self
sell senior separate series serious server service settings severe shade shadow shake shape shared sharp sheet shelf shell shift shine shirt shock shoe shoot shop shopping shore shot shoulder shout shower shut shy sick
side sight sign signal silence silent silly silver sing singer sink sister site sketch skill skin skip sky sleep slice slide slight slip smart smell smile smoke smooth snack snow social society sock soft software soil
soldier solution somewhat song soup source south space special speech speed spell spirit sport spot spray spread spring square stable staff stage stair stamp stand star state statement station steady steal steel stick
stock stomach stone storage store storm story straight strange stranger strategy stream street strength stress stretch strike string strip structure student studio study stupid style subject submit succeed success sudden
suffer sugar suit summer supply suppose surface surprise survey survive sweet swim symbol sync system tail talent tall tank tap target taste tax tea teach teacher tear technical technique technology telephone television
temperature template temporary text thick thin thread threat throat throw ticket tie tight tin tiny tire tired title toe tone tongue tool tooth tough tour tourist towel tower town toy track trade traffic train training
transfer transition transport trap travel tree trend trial trick trip trouble truck trust truth tube ugly uncle unit university upgrade upload upper upset urban vacation valid valley vast vegetable vehicle version video
village virtual visit visitor visual voice volume vote walk wall warm warn warning wash waste watch water wave wear web website wedding weight west wet wheel white wife wild win wind window wine wing winner winter wire
wise woman women wood word wording worker world worst writer yard yellow young youth zone
`;

const european = `
arbeit auto bahn baum beispiel bericht bild blatt bruder buch büro datei daten dorf ding ecke ende essen familie farbe fenster firma flasche foto frau freund freundin garten gebäude geld geschichte gesicht gespräch glas
gruppe haus heft herr hilfe hund idee jahr junge kaffee karte katze kinder kirche kopf kosten kraft küche leben lehrer leute licht liste loch luft mädchen mann markt meinung mensch menschen mutter nachricht nacht natur
ordnung ort papier platz preis programm projekt punkt raum regel reise rolle sache satz schule schwester seite sohn sonne spiel sprache stadt stelle straße stück stuhl stunde tag tasche teil telefon tier tisch tochter
tür übersicht uhr unternehmen urlaub vater verein vorschlag wagen wald wand wasser weg welt werk wert wetter woche wohnung wort zahl zeile zeit zeitung zettel ziel zimmer zug zukunft alt jung groß klein lang neu schön
schlecht schnell langsam hoch tief kalt leer voll offen richtig falsch einfach schwer leicht wichtig fertig möglich nächste nächsten letzte letzten erste ersten zweite anderen andere ganze ganzen eigene gemeinsam
zusammen allein draußen drinnen oben unten links rechts sagen sagt gesagt sehen sieht gesehen ansehen angesehen finden finde findet geben gibt gegeben nehmen nimmt kommen kommt gekommen lassen lass bringen brauchen
braucht denken glaube glauben wissen weiß kennen lesen gelesen schreiben geschrieben sprechen besprechen warten hören zeigen öffnen schließen stellen legen setzen helfen laufen fahren arbeiten spielen lernen prüfen
bescheid ruhe ruhig bisher sobald damit daran darüber oft manchmal selten gestern année ami amie argent banque bureau chambre chien classe couleur cours cuisine eau école enfant enfants exemple famille femme fenêtre
fille fin fois frère garçon groupe heure histoire homme idée jardin jour journée lettre lieu ligne livre lumière maison mère monde mot nom nuit parents parti partie pays père personne pièce porte prix problème projet rue
semaine sœur soir temps terre texte titre travail vie ville voiture voix vue beau belle bon bonne dernier dernière facile fort grande haut jeune joli longue mauvais nouveau nouvelle petit petite plein premier première
prochain prêt vieux vrai aller va faire fait dire dit vu venir vient prendre pris mettre savoir sait pouvoir peut vouloir veut devoir donner trouver penser croire lire écrire parler passer rester reste rendre tenir
comprendre attendre clair assez presque mieux moins donc alors quelques quelque autre autres même chaque agua amigo amiga año archivo arte barrio boda cabeza calle cama campo carta casa ciudad clase cocina coche comida
cosa cosas cuarto cuerpo cuenta día dinero ejemplo empresa escuela familia fiesta forma fuerza gente grupo guerra hermano hermana hija hijo historia hombre hora imagen jardín juego lado libro línea lista lugar luz madre
mano manera mesa momento muerte mujer mundo nombre noche número padre página país palabra papel parte paso pedido película persona pie plaza precio problema proyecto pueblo puerta punto ropa sala salud semana señor
señora sitio sol tarde tema tiempo tienda tierra tipo título trabajo valor vida viaje voz alto bajo bueno buena bonito claro corto difícil fácil fuerte joven largo libre listo malo mejor mismo nuevo nueva otro otra
pequeño primer primero segundo último viejo hacer hecho decir dice dicho ir ido viene dar dado saber sabe poder querer quiere llegar poner pasar seguir sigue encontrar pensar creer leído escribir hablar llevar dejar
quedar queda parecer parece sentir resulta casi bastante menos entonces tempo coisa homem mulher mão olho trabalho noite palavra livro água cidade rua porta bom boa novo nova velho pequeno melhor fazer dizer ficar achar
falar uomo donna vita mondo luogo lavoro settimana notte parola acqua città strada tavolo buono nuovo vecchio piccolo migliore fare vedere dare sapere potere volere trovare parlare
`;

const others = `
время дело день жизнь рука работа слово место вопрос дом вода город друг друзья человек люди ребёнок дети женщина мужчина мир год неделя месяц утро вечер ночь стол дверь окно книга письмо список раздел план сад таблица
текст страница файл машина дорога деньги школа сторона голова глаз голос сила вид конец начало часть пример проблема идея группа хороший новый старый большой маленький первый второй последний другой весь можно нужно надо
быть стать сказать говорить знать думать видеть смотреть хотеть делать идти прийти дать взять найти читать написать ждать помочь понять работать немного довольно почти лучше хуже сейчас потом сегодня завтра вчера часто
снова вместе конечно وقت عمل بيت ماء مدينة صديق رجل امرأة طفل عالم سنة أسبوع شهر صباح مساء ليل طاولة باب نافذة كتاب رسالة قائمة خطة حديقة صفحة ملف سيارة طريق مال مدرسة جزء مثال مشكلة فكرة مجموعة جديد قديم كبير صغير أول
ثاني آخر يمكن يمكنك أريد قال يقول عرف يعرف رأى نظر ذهب جاء أعطى أخذ وجد قرأت كتب انتظر ساعد فهم قليلا كثيرا تقريبا اليوم غدا أمس الآن مرة أخرى بالتأكيد حتى عندما هناك عدة طرق شيئا شيء لديك 时间 工作 公司 朋友 家里 学校 城市 孩子 东西 地方
事情 生活 世界 名字 电话 手机 电脑 文件 页面 报表 计划 项目 会议 邮件 消息 部分 做法 情况 意思 意见 想法 要求 服务 系统 数据 测试 功能 版本 更新 代码 运行 用户 产品 市场 中国 别人 先生 小姐 老师 学生 看到 看起 起来 出来 回来 下来 告诉 希望 准备 学习 处理 检查 查看 接下 随时 特别 一样 一点 有点 不错 很好 没问 有时 也是 这么 说的 还有 周末 下雨 天气 优点 缺点 仕事
会社 友達 家族 子供 場所 電話 画面 処理 計画 会議 状況 意見 提案 機能 実行 大丈 丈夫 特に 회사 친구 가족 학교 생활 세계 전화 화면 처리 보고 계획 회의 부분 의견 제안 기능 실행 매일 최근 정말 마지 막에 처음 전부 같이 어떻 그래 래서 그리 리고 지만 습니 니다 어요 아요 해요 세요 네요 거예 예요 에요 있어 없어 합니 됩니 입니 했습 았습 었습 되는 대로 보다 처럼
`;

const commonWords = `${english} ${european} ${others}`;

/** Kinds of words, by what they say about a sentence; 0 is a word that is not listed. */
export const FUNCTION_WORD = 1;
export const GENERAL = 2;
export const PLEASANTRY = 3;
export const ASKING = 4;
export const OFFERING = 5;
export const UNIT = 6;
export const COMMON = 7;
/** `I`, `our`: speakers talk about themselves; `you`, `your`: they address someone. */
export const OWN = 16;
export const YOURS = 17;
/** Typical of advice and encyclopedias. */
export const GENERIC = 18;
/** `it`, `she`, `this`: a sentence that begins with one of these depends on the previous one. */
const REFERRING = 19;
/** From here to `LAST_CUE`: signs that a sentence is worth keeping, one bit per kind. */
export const FIRST_CUE = 8;
export const DECISION = 8;
export const OBLIGATION = 9;
export const PREFERENCE = 10;
export const CAUSE = 11;
const DUE = 12;
export const CHANGE = 13;
const NAMING = 14;
const OUTCOME = 15;
export const LAST_CUE = 15;

/** Words by meaning; for scripts without spaces, pairs of characters. Covers many languages, since a thread may be in any. */
const lexicon: Readonly<Record<number, string>> = {
  [OWN]: `i my mine me we our ours us ich mein meine meinen meinem meiner mir mich wir unser unsere unseren unserem uns je mon ma mes moi nous notre nos yo mi mis nosotros nuestro nuestra nuestros eu meu minha nós nosso nossa
     io mio mia noi nostro ik mijn wij ons я мой моя моё мои мне меня мы наш наша наше наши нам أنا نحن لدي لدينا عندي عندنا אני אנחנו שלי שלנו मैं मेरा मेरी हम हमारा 我的 我们 咱们 我家 我妈 我爸 私は 私の 僕は 僕の うち 우리 제가 저는 나는 내가 ฉั`,
  [YOURS]: `you your yours yourself du dein deine deinen deinem dir dich ihnen ihrem euch vous votre vos tu toi ton tes usted ustedes tú você vocês seu sua voi vostro jij jouw u uw вы вам вас ваш ваша ваши ты твой тебя أنت لك لكم אתה את שלך आप आपका 你的 您的 你可 您可 あなた 당신 คุ`,
  [GENERIC]: `consider ensure typically often usually generally various including include includes such offers offer provides provide popular option options features featuring depending may might help helps helpful important remember tips essential
     several ideal additionally however overall furthermore moreover recommended highly known designed allows allowing potential potentially individuals experience experiences enhance explore
     üblicherweise normalerweise beispielsweise häufig généralement souvent notamment normalmente generalmente обычно например عادة 通常 一般 例如 包括 建议 一般的 例えば おすす 일반 예를`,
  [REFERRING]: `it its he she they them his her their this that these those both er es diese dieser dieses deren dessen il elle ils elles cela ça él ella ellos ellas esto eso esos esas ele ela eles elas isso isto
     он она они это эти этот эта его её их هو هي هم هذا هذه ذلك تلك זה זו הוא היא הם הן यह वह वे इस 这是 这样 这些 这个 那是 那样 那些 那个 他的 她的 它的 他们 她们 它们 これ それ その この あれ 彼は 彼女 이것 그것 그는 이는 그녀`,
  [PLEASANTRY]: `hi hello hey thanks thank thx cheers welcome sorry congratulations congrats bye goodbye morning evening ok okay yep yeah nope sure great awesome cool nice perfect lol haha hmm
     wonderful fantastic excellent absolutely certainly glad happy appreciate
     hallo danke bitte gern gerne guten tschüss moin servus super prima klasse genau alles
     bonjour salut merci bienvenue désolé bravo parfait hola gracias buenos buenas perdón perfecto vale olá obrigado obrigada desculpe ciao grazie prego perfetto bedankt hoi dank
     привет спасибо здравствуйте пожалуйста хорошо отлично привіт дякую cześć dziękuję dzięki merhaba teşekkürler tamam selam
     مرحبا شكرا شكرًا أهلا السلام حسنا تمام رائع שלום תודה בסדר नमस्ते धन्यवाद
     你好 您好 谢谢 多谢 抱歉 再见 好的 不客 客气 辛苦 哈哈 ありが こんに おはよ すみま お疲れ 了解 承知 なるほ 안녕 감사 고마 반갑 네네 บค`,
  [ASKING]: `what which how why where when who whom whose was wie warum wieso wo wann wer welche welcher welches quoi quel quelle comment pourquoi où quand qué cómo dónde cuándo cuál quién
     что как почему где когда кто какой ماذا كيف لماذا أين متى هل 什么 怎么 为何 哪里 哪个 吗？ ですか ますか どうや なぜ どこ いつ ไห`,
  [OFFERING]: `here hier voici voilà aquí ecco вот let shall suggestion suggestions recommend feel hope assist worries problem anything whenever`,
  [UNIT]: `ms s sec secs seconds min mins minutes h hr hrs hours days weeks months years kb mb gb tb kib mib gib bytes rows users requests items percent pct eur euro euros usd dollars chf gbp yen km m cm mm kg g mg l ml px rpm rps qps mhz ghz kw kwh mw
     sekunden minuten stunden tage tagen wochen monate monaten jahre jahren prozent zeilen secondes heures jours semaines mois ans lignes segundos minutos horas días semanas meses años
     секунд минут часов дней недель рублей ثانية دقيقة ساعة يوم أيام 毫秒 分钟 小时 万元 公里 公斤 時間 週間 万円 人民 시간 개월 만원`,
  [DECISION]: `decide decided decides decision decisions agree agreed agreement chose chosen choose settled approved approve approval rejected reject ruled picked opted adopt adopted conclude concluded confirmed signed
     entschieden entscheiden entscheidung beschlossen beschluss vereinbart geeinigt abgemacht gewählt festgelegt genehmigt abgelehnt einigten
     décidé décidons décision choisi convenu approuvé décider adopté decidido decidimos decisión acordado acordamos elegido aprobado decidir decidiu decisão escolhido deciso decisione scelto concordato besloten besluit gekozen afgesproken
     решили решил решение договорились выбрали утвердили вирішили zdecydowaliśmy ustaliliśmy karar kararlaştırdık
     قررنا قرر القرار اتفقنا اخترنا قررت تقرر החלטנו החלטה הוחלט निर्णय फैसला
     决定 決定 确定 選定 选定 商定 敲定 采用 採用 定为 選択 合意 결정 정했 합의 채택 선택 ดส`,
  [OBLIGATION]: `must never always only require requires required requirement mandatory forbidden prohibited banned cannot allowed limit limited rule policy
     muss müssen darf dürfen nie niemals immer nur verboten pflicht vorschrift erlaubt erforderlich
     doit doivent jamais toujours interdit obligatoire seulement exige debe deben nunca siempre prohibido obligatorio solamente deve devem sempre proibido obrigatório mai vietato moet nooit altijd verboden
     должен должны нельзя никогда всегда обязательно запрещено повинні musi nigdy zawsze asla zorunlu
     يجب لا‌يجوز ممنوع دائما دائمًا أبدا أبدًا فقط يلزم חייב אסור תמיד אף
     必须 必須 不得 不能 禁止 只能 一律 务必 不可 不许 べき なけれ 絶対 厳禁 반드시 금지 항상 절대 ต้`,
  [PREFERENCE]: `prefer prefers preferred preference rather likes hates dislikes favorite favourite allergic loves avoids wants insists vegetarian vegan
     bevorzugt bevorzuge lieber mag hasst lieblings allergisch liebt
     préfère préfèrent aime déteste favori prefiere prefiero odia favorito gusta alérgico prefere preferisce liever
     предпочитает предпочитаю любит ненавидит tercih
     يفضل أفضل تفضل يحب يكره المفضل מעדיף מעדיפה אוהב שונא
     喜欢 偏好 讨厌 更愿 最爱 不爱 过敏 好き 嫌い 好む 苦手 선호 좋아 싫어 ชอ`,
  [CAUSE]: `because cause caused causes reason due therefore culprit root blame explains
     weil wegen ursache grund deshalb daher denn schuld lag verursacht
     car parce raison puisque provoqué porque causa razón debido culpa causado perché motivo omdat oorzaak
     потому причина из-за поэтому вызвано ponieważ przyczyna çünkü neden
     لأن بسبب السبب لذلك נגרם בגלל כי הסיבה क्योंकि कारण
     因为 原因 由于 导致 起因 根源 ので ため 理由 때문 원인 이유 าะ`,
  [DUE]: `deadline until expires expire scheduled launch release milestone monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december quarter noon midnight
     frist termin bis stichtag montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz juni juli oktober dezember spätestens
     échéance délai lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août septembre octobre novembre décembre
     plazo fecha lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre prazo scadenza
     срок дедлайн понедельник вторник среду четверг пятницу января февраля марта апреля мая июня июля августа сентября октября ноября декабря
     موعد الموعد الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر מועד עד
     截止 期限 到期 星期 周一 周二 周三 周四 周五 上线 締切 締め 期日 曜日 마감 기한 요일`,
  [CHANGE]: `instead changed switched moved renamed replaced migrated dropped removed became longer anymore correction corrected reverted rolled upgraded deprecated split merged postponed cancelled canceled
     statt stattdessen geändert gewechselt umbenannt ersetzt umgezogen verschoben abgesagt doch
     remplacé changé renommé déplacé reporté annulé cambiado cambiamos reemplazado movido renombrado pospuesto cancelado substituído cambiato sostituito vervangen
     заменили вместо переименовали перенесли изменили отменили
     بدلا بدلًا غيرنا استبدل نقل أصبح تأجل ألغي במקום שונה הוחלף
     改为 改成 换成 替换 改用 迁移 推迟 取消 不再 变更 変更 移行 代わ 延期 中止 변경 교체 대신 연기 취소`,
  [NAMING]: `called named name stands means owner owns responsible belongs lives located born married works birthday address contact maintains manages leads keeps stored stores runs listens hosted points
     heißt genannt zuständig verantwortlich gehört wohnt liegt arbeitet geburtstag adresse leitet betreut läuft steht
     appelle nommé responsable habite travaille appartient anniversaire llama llamado vive trabaja pertenece dirección cumpleaños chama mora heet woont
     называется зовут отвечает живёт работает принадлежит
     اسمه اسمها يسمى مسؤول مسؤولة يعيش تعيش يعمل تعمل عنوان נקרא אחראי גר
     叫做 名叫 名为 负责 住在 位于 属于 生日 地址 担当 住所 名前 誕生 住ん 置い 담당 이름 주소 생일 산다 ชื`,
  [OUTCOME]: `fixed broke broken failed fails failure crashed error bug resolved solved found discovered learned shipped deployed released bought sold paid costs cost budget measured rose lost won
     behoben kaputt fehler gescheitert gefunden gelöst gekauft verkauft kostet bezahlt gemessen
     corrigé cassé échoué résolu trouvé acheté vendu coûte arreglado falló resuelto encontrado comprado vendido cuesta presupuesto
     исправили сломалось нашли купили стоит бюджет ошибка
     أصلحنا فشل وجدنا اشترى اشترينا يكلف الميزانية خطأ תוקן נכשל נמצא עולה
     修复 失败 发现 解决 购买 预算 花费 错误 成本 修正 失敗 発見 解決 購入 予算 費用 수정 실패 발견 해결 예산 비용 ซื`,
  [GENERAL]: `actually look looking check checking think thinking take keep going sounds work done doing try trying update updates status question questions message messages moment minute second bit thing things today
     tomorrow later soon again back maybe probably perhaps guess quick quickly coffee lunch weekend weather everyone team meeting call talk chat discuss discussion follow ping notes note
     schaue schauen mal eben kurz später gleich heute morgen machen mache gehen geht wieder vielleicht bestimmt frage fragen
     regarde voir peut-être demain aujourd'hui encore mirar ver quizás mañana hoy luego pronto todavía
     看看 一下 稍后 今天 明天 现在 可以 没有 还是 已经 就是 一些 知道 觉得 可能 应该 时候
     今日 明日 確認 少し 後で 思い ます です した ちょ オレンジ 오늘 내일 확인 조금 나중`,
  [FUNCTION_WORD]: `wenn aus als war waren sein hat hatte hatten können soll sollte kein keine dann dies euer mehr man sich ihn ihm zum zur vom ja nein
     mais à au aux sans cet son sa ses leur leurs sont était étaient être ont avait avoir ne dont aussi très
     o sin estas esa ese era eran estaba ha han había quien
     os um uma e mas da dos na nas com sem não gli uno di della dei delle nel nella non più che è sono het een maar van op met voor niet dat zijn
     а или если во со к у о до ни был была было были есть будет уже ещё очень так же бы то
     و أو لكن إذا عن كان كانت يكون لم لن ما إن قد التي الذي كل بعد
     אל כן אם כל יש היה ו ה`,
};

/** The hash of a word starts with its first unit and continues with `hash * PRIME ^ unit`, all lowercased. */
export const PRIME = 0x01_00_01_93;

/** The hash of two characters of a script without spaces. */
export function hashOfPair(one: number, other: number): number {
  return (Math.imul(one, PRIME) ^ other) | 0;
}

const kinds = new Map<number, number>();

/** The kind of the word with this hash; 0 if it is in no list. */
export function kindOfWord(hash: number): number {
  return kinds.get(hash) ?? 0;
}

/** The hash of a whole word, as computed when reading a text. */
function hashOfWord(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    hash = hashOfPair(hash, (FOLDED[code] as number) || code);
  }
  return hash;
}

/** If a word is in several lists, the first one wins. No two words in the lexicon have the same hash. */
function learn(words: Iterable<string>, kind: number): void {
  for (const word of words) {
    const hash = hashOfWord(word);
    if (word !== "" && !kinds.has(hash)) kinds.set(hash, kind);
  }
}

for (const [kind, words] of Object.entries(lexicon)) learn(words.split(/\s+/u), Number(kind));
learn(stopWords, FUNCTION_WORD);
learn([...talkWords, ...formWords], GENERAL);
learn(commonWords.split(/\s+/u), COMMON);
