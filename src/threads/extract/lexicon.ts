import { formWords, stopWords, talkWords } from "../../text/words/stop-words.ts";
import { FOLDED } from "./characters.ts";

/**
 * Everyday words of the languages that are written most: a sentence of these alone tells less than one with a word that is not among them. Of scripts
 * without spaces, pairs of characters.
 */
const english = `
able accept accident account achieve act action active activity add address adult advance advantage adventure advice afternoon age agency agent air airport alarm album alike alive allow alone amazing
angle angry animal announce annual answer apartment app appear apple application apply approach area argue argument arm army arrange arrive art article artist aside asleep aspect assume attach attack attempt
attend attention attitude audience author autumn available average avoid award aware baby background backup bad bag bake ball band bank bar bare base basic basis basket bath battery beach bear beat beautiful beauty
bed bedroom beer begin behave behavior belief bell belong bench benefit bike bill bird birth bite bitter black blame blank block blood blow blue board boat body bone book border boring borrow boss bother bottle bottom
bowl box boy brain branch brand bread breakfast breath bridge brief bright bring broad brother brown browser brush budget bug build building burn bus business busy butter button buy cable cake calendar calm camera camp
candle capital car card care career careful carry case cash cat catch category cause ceiling cell center central century chain chair challenge chance change channel chapter character charge chart cheap check cheese chest chicken
chief child children choice church circle citizen city claim class classic clean clear click client climb clock close closed clothes cloud club coach coat code coffee cold collect collection college color colour column
combine comfort command comment commit committee common communicate community company compare compete complain complete complex component compute computer concern concert condition conference confirm conflict confuse confusing
connect connection consider contact contain content contest context continue contract contrast contribute control convenient conversation cook cool copy corner correct cost count counter country couple courage course court cousin cover cow crash
crazy cream create creative credit crew crime crop cross crowd crowded cry culture cup cure curious current curtain curve custom customer cut cycle daily damage dance danger dark dash data database date daughter dead deal
dear death debate debug decade deep default define degree delay delete deliver delivery demand demo department depend deploy describe description desert design desk detail detect develop developer development device diary die diet
difference different difficult difficulty dig digital dinner direct direction director dirt dirty disagree disappear disaster discount discover dish display distance distant divide doctor document dog dollar domain door dot double doubt
downtown draft drag drama draw drawer drawing dream dress drink drive driver drop dry dull dust duty ear early earn earth ease east easy eat edge edit edition editor education effect effective effort egg elect element
else email embarrass emergency emotion employ employee empty enable encourage end enemy energy engine engineer english enjoy enough enter entire entrance entry environment equal equipment error escape especially essay essential establish estimate
evening event evidence exact exam example excellent except excite exciting excuse exercise exist exit expand expect expected expense expensive experience experiment expert explain explore export express extend extra eye face fact factor factory fail
fair fairly faith fall false familiar family famous fan fancy farm farmer fashion fast fat father fault fear feature fee feed feedback feel feeling fence festival few field fight figure file fill film filter final finance
find fine finger finish finished fire firm fish fit fix flag flash flat flight float floor flow flower fly focus folder folk follow food foot force foreign forest forever forget form format formal former fortune forward frame free
freedom freeze frequent fresh friend friendly front fruit fuel full fun function fund funny furniture future gain game gap garage garden gas gate gather general generate gentle gift girl glad glass goal gold golf good goods
government grade gradual grand grandfather grandmother grant grass graph gray green grey greet ground group grow growth guard guess guest guide guilty guitar guy habit hair half hall hand handle hang happen happy hard hardly
hardware harm hate head headline health healthy hear heart heat heavy height hide high highlight hill hint hire history hit hobby hold hole holiday home honest honey hook hope horse hospital host hot hotel house housing huge
human hungry hunt hurry hurt husband ice icon idea ideal ignore ill image imagine immediate impact import importance important impress improve improvement include income increase indeed independent index indicate individual industry influence inform
information initial injury input insect inside insist inspect install instance instead institute instruction instrument insurance intelligent intend interest interesting interface internal international internet interview introduce introduction invite iron island issue item
jacket job join joke journal journey joy judge juice jump junior jury justice key keyboard kick kid kill king kiss kitchen knee knife knock knowledge label labor lack lady lake lamp land language laptop large last laugh launch
law lawyer lay layer layout lazy lead leader leaf leak lean learn leather lecture left leg legal lend length lesson letter level library license lie life lift light like limit line link lip list listen literature little live load loan
local location lock log logic lonely long look loose lose loss lost loud love lovely low luck lucky lunch machine magazine mail main major make male man manage manager map march mark market marriage marry master match
material math matter meal meaning measure meat media medical medicine medium meet meeting member memory mental mention menu merge mess message metal method middle mild milk mind minor mirror miss mistake mix mixed mobile mode
model modern modify module moment money monitor month monthly mood moon morning mother motion motor mountain mouse mouth move movement movie museum music narrow nation national native natural nature near nearby nearly neat necessary
neck need negative neighbor neighbour nerve net network neutral news newspaper night noise none noon normal north nose note notebook notice novel number nurse object observe obvious occasion occur ocean offer office officer official offline
oil okay old online open opening operate operation opinion opportunity oppose option orange order ordinary organization organize origin original outcome outline output outside oven overall overview owner pack package page pain paint painting pair
pale panel panic pants paper paragraph parallel parent park parking part particular partner party pass passage passenger past path patient pattern pause pay payment peace pen pencil people percent perfect perform performance period permanent permission
permit person personal phase phone photo phrase physical piano pick picture piece pile pilot pin pink pipe pipeline place plain plan plane planet plant plastic plate platform play player pleasant please pleasure plenty plot plug pocket poem
poet point police polite political pool poor pop popular population port position positive possible post pot potato potential pound power practical practice praise prepare presence present presentation press pressure pretty prevent preview previous price pride
primary print printer prior private prize problem procedure process produce product production profession professional professor profile profit program progress project promise promote prompt proof proper property proposal propose protect proud prove provide public publish
pull punch purchase pure purple purpose push puzzle quality quantity query question queue quick quiet quit quite quote race radio rain raise random range rank rare rate raw reach react read reader reading ready real reality realize
reason reasonable recall receive recent recipe recommend record recover red reduce refer reference reflect refresh refuse region register regular reject relate relation relationship relax release relevant relief religion remain remark remember remind remote
remove rent repair repeat replace reply report represent request require research reserve resource respect respond response responsible rest restaurant restore result retire return reveal review revise reward rich ride ring rise risk river road
rock role roll roof room root rope rough round route routine row rule run runner rush sad safe safety sail salad salary sale salt sample sand sandwich satisfied satisfy sauce save scale scan scared scene schedule scheme school science score
screen script sea search season seat second secret secretary section sector secure security seed select self sell send senior sense sentence separate series serious serve server service session set setting settings setup several severe shade
shadow shake shape share shared sharp sheet shelf shell shift shine ship shirt shock shoe shoot shop shopping shore short shot shoulder shout show shower shut shy sick side sight sign signal silence silent silly silver similar
simple sing singer single sink sister site situation size sketch skill skin skip sky sleep slice slide slight slightly slip slow small smart smell smile smoke smooth snack snow social society sock soft software soil soldier solid solution
solve somewhat son song sort sound soup source south space speak special specific speech speed spell spend spirit split sport spot spray spread spring square stable staff stage stair stamp stand standard star start state
statement station status stay steady steal steel step stick still stock stomach stone stop storage store storm story straight strange stranger strategy stream street strength stress stretch strike string strip strong structure struggle student studio
study stuff stupid style subject submit succeed success sudden suffer sugar suggest suggestion suit summary summer sun supply support suppose sure surface surprise survey survive sweet swim switch symbol sync system table tail talent talk
tall tank tap target task taste tax tea teach teacher team tear technical technique technology telephone television temperature template temporary tend term test text thick thin thread threat throat throw ticket tie tight tin tiny
tip tire tired title toe tone tongue tool tooth top topic total touch tough tour tourist towel tower town toy track trade traffic train training transfer transition translate transport trap travel tree trend trial trick trip trouble truck
true trust truth tube turn type typical ugly uncle understand unit university update upgrade upload upper upset urban use useful user usual vacation valid valley value variety various vast vegetable vehicle version video view village
virtual visit visitor visual voice volume vote wait wake walk wall warm warn warning wash waste watch water wave weak wear weather web website wedding weekend weekly weight welcome west wet wheel white wide wife wild win wind window wine wing
winner winter wire wise woman women wonder wood word wording worker world worry worse worst worth write writer writing wrong yard yellow young youth zero zone
`;

const european = `
arbeit auto bahn bank baum beispiel bericht bild blatt brief bruder buch büro computer datei daten dorf ding ecke ende essen fall familie farbe fenster film firma flasche form foto frau freund freundin garten gebäude geld geschichte gesicht gespräch
glas gruppe hand haus heft herr hilfe hund idee jahr junge kaffee karte katze kind kinder kirche kopf kosten kraft küche land leben lehrer leute licht liste loch luft mädchen mann markt meinung mensch menschen mutter nachricht nacht name natur
ordnung ort papier park plan platz preis problem programm projekt punkt raum regel reise rolle sache satz schule schwester seite sohn sonne spiel sprache stadt stelle straße stück stuhl stunde tag tasche team teil telefon text tier tisch tochter tür
übersicht uhr unternehmen urlaub vater verein vorschlag wagen wald wand wasser weg welt werk wert wetter woche wohnung wort zahl zeile zeit zeitung zettel ziel zimmer zug zukunft alt jung groß klein lang kurz neu schön schlecht schnell langsam
hoch tief warm kalt leer voll offen richtig falsch einfach schwer leicht wichtig fertig möglich nächste nächsten letzte letzten erste ersten zweite anderen andere ganze ganzen eigene gemeinsam zusammen allein draußen drinnen oben unten links rechts
sagen sagt gesagt sehen sieht gesehen ansehen angesehen finden finde findet gefunden geben gibt gegeben nehmen nimmt kommen kommt gekommen lassen lass bringen brauchen braucht denken glaube glauben wissen weiß kennen lesen gelesen schreiben geschrieben
sprechen besprechen warten hören gehört zeigen öffnen schließen stellen legen setzen helfen laufen fahren arbeiten spielen lernen prüfen bescheid ruhe ruhig zeit bisher sobald damit daran darüber wieder immer oft manchmal selten gestern
année ami amie argent banque bureau chambre chat chien chose classe couleur cours cuisine eau école enfant enfants exemple famille femme fenêtre fille film fin fois frère garçon groupe heure histoire homme idée image jardin jour jours journée lettre
lieu ligne liste livre lumière main maison mère mois moment monde mot nom nuit page papier parents parti partie pays père personne photo pièce place plan point porte prix problème projet question route rue semaine sœur soir table temps terre texte
titre travail vie ville voiture voix vue beau belle bon bonne court dernier dernière facile fort grand grande haut jeune joli long longue mauvais nouveau nouvelle petit petite plein premier première prochain prêt simple vieux vrai aller va faire
fait dire dit voir vu venir vient prendre pris mettre mis savoir sait pouvoir peut vouloir veut devoir donner trouver penser croire lire écrire parler passer rester reste rendre tenir comprendre attendre clair assez presque mieux moins donc alors
voici voilà quelques quelque autre autres même chaque
agua amigo amiga año años archivo arte barrio boda cabeza calle cama campo carta casa ciudad clase cocina coche color comida cosa cosas cuarto cuerpo cuenta día dinero ejemplo empresa escuela familia fiesta final forma foto fuerza gente grupo
guerra hermano hermana hija hijo historia hombre hora idea imagen jardín juego lado libro línea lista lugar luz madre mano manera mañana mesa mes momento muerte mujer mundo nombre noche número padre página país palabra papel parte paso pedido
película persona pie plan plaza precio problema proyecto pueblo puerta punto razón ropa sala salud semana señor señora sitio sol tarde tema tiempo tienda tierra tipo título trabajo valor vida viaje voz alto bajo bueno buena bonito claro corto
difícil fácil fuerte grande joven largo largo libre listo malo mejor mismo nuevo nueva otro otra pequeño primer primero segundo último viejo hacer hace hecho decir dice dicho ir va ido venir viene dar da dado saber sabe poder querer quiere
llegar poner pasar seguir sigue encontrar pensar creer leer leído escribir hablar llevar dejar quedar queda parecer parece sentir resulta casi bastante menos siempre nunca así entonces
casa tempo coisa homem mulher vida mundo mão olho parte lugar trabalho semana noite palavra livro água cidade rua porta mesa bom boa novo nova velho grande pequeno melhor fazer dizer ver dar saber poder querer ficar achar falar
casa tempo cosa uomo donna vita mondo mano parte luogo lavoro settimana notte parola libro acqua città strada porta tavolo buono nuovo vecchio grande piccolo migliore fare dire vedere dare sapere potere volere trovare parlare
`;

const others = `
время дело день жизнь рука работа слово место вопрос дом вода город друг друзья человек люди ребёнок дети женщина мужчина мир год неделя месяц утро вечер ночь стол дверь окно книга письмо список раздел план сад таблица текст страница файл машина
дорога деньги школа сторона голова глаз голос сила вид конец начало часть пример проблема идея группа хороший новый старый большой маленький первый второй последний другой весь можно нужно надо есть быть стать сказать говорить знать думать
видеть смотреть хотеть делать идти прийти дать взять найти читать написать ждать помочь понять работать немного довольно почти лучше хуже сейчас потом сегодня завтра вчера всегда часто ещё снова вместе конечно конечно вот
وقت يوم عمل بيت ماء مدينة صديق رجل امرأة طفل عالم سنة أسبوع شهر صباح مساء ليل طاولة باب نافذة كتاب رسالة قائمة خطة حديقة صفحة ملف سيارة طريق مال مدرسة جزء مثال مشكلة فكرة مجموعة جديد قديم كبير صغير أول ثاني آخر يمكن يمكنك أريد قال
يقول عرف يعرف رأى نظر ذهب جاء أعطى أخذ وجد قرأت كتب انتظر ساعد فهم قليلا كثيرا تقريبا أفضل اليوم غدا أمس الآن مرة أخرى بالتأكيد حتى عندما هناك عدة طرق شيئا شيء لديك
时间 工作 公司 朋友 家里 学校 城市 孩子 问题 东西 地方 事情 生活 世界 名字 电话 手机 电脑 文件 页面 报告 报表 计划 项目 会议 邮件 消息 内容 部分 方法 做法 结果 情况 意思 意见 想法 建议 要求 服务 系统 数据 测试 通过 完成 功能 版本 更新 代码 运行 用户 产品 市场
中国 大家 别人 自己 先生 小姐 老师 学生 看到 看起 起来 出来 回来 下来 告诉 希望 需要 继续 开始 结束 准备 帮助 学习 使用 处理 检查 查看 目前 接下 下来 随时 其他 非常 比较 特别 一样 一点 有点 不错 很好 没问 问题 有时 时间 也是 这么 说的 如果 还有 周末 下雨 天气 优点 缺点
時間 仕事 会社 友達 家族 学校 子供 問題 場所 生活 世界 名前 電話 画面 処理 報告 計画 会議 内容 部分 方法 結果 状況 意見 提案 機能 版本 更新 実行 利用 今週 来週 毎日 最近 本当 大丈 丈夫 大変 必要 可能 場合 最後 最初 全部 一緒 特に
시간 회사 친구 가족 학교 문제 생활 세계 전화 화면 처리 보고 계획 회의 내용 부분 방법 결과 의견 제안 기능 실행 사용 이번 다음 지난 매일 최근 정말 필요 가능 경우 마지 막에 처음 전부 같이 어떻 어떤 그래 래서 그리 리고 하지 지만 습니 니다 어요 아요 해요 세요 네요 거예 예요 에요 있어 없어 합니 됩니 입니 했습 았습 었습 에서 으로 에게 부터 이는 하는 되는 있는 없는 대로 보다 처럼
`;

const commonWords = `${english} ${european} ${others}`;

/**
 * What the kind of a word says of a sentence. Numbers, one byte a word is looked up for every word of a thread; 0 is a word that is not listed.
 */
export const FUNCTION_WORD = 1;
export const GENERAL = 2;
export const PLEASANTRY = 3;
export const ASKING = 4;
export const OFFERING = 5;
export const UNIT = 6;
/** A word of every day. */
export const COMMON = 7;
/** `I`, `our`: who speaks tells of himself; `you`, `your`: he tells others what to do. */
export const OWN = 16;
export const YOURS = 17;
/** What advice and encyclopedias are made of. */
export const GENERIC = 18;
/** `it`, `she`, `this`: at the beginning of a sentence it says that the one before is needed. */
const REFERRING = 19;
/** From here on, up to `LAST_CUE`: what makes a sentence worth keeping, one bit a kind. */
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

/** Words and, of scripts without spaces, pairs of characters, by what they say. Many languages, since a thread may be in any. */
export const lexicon: readonly (readonly [kind: number, words: string])[] = [
  [
    OWN,
    `i my mine me we our ours us ich mein meine meinen meinem meiner mir mich wir unser unsere unseren unserem uns je mon ma mes moi nous notre nos yo mi mis nosotros nuestro nuestra nuestros eu meu minha nós nosso nossa
     io mio mia noi nostro ik mijn wij ons я мой моя моё мои мне меня мы наш наша наше наши нам أنا نحن لدي لدينا عندي عندنا אני אנחנו שלי שלנו मैं मेरा मेरी हम हमारा 我的 我们 咱们 我家 我妈 我爸 私は 私の 僕は 僕の うち 우리 제가 저는 나는 내가 ฉั`,
  ],
  [
    YOURS,
    `you your yours yourself du dein deine deinen deinem dir dich ihnen ihrem euch vous votre vos tu toi ton tes usted ustedes tú você vocês seu sua voi vostro jij jouw u uw вы вам вас ваш ваша ваши ты твой тебя أنت لك لكم אתה את שלך आप आपका 你的 您的 你可 您可 あなた 당신 คุ`,
  ],
  [
    GENERIC,
    `consider ensure typically often usually generally various including include includes such offers offer provides provide popular option options features featuring depending may might help helps helpful important remember tips essential
     various several ideal additionally however overall furthermore moreover recommended highly known designed allows allowing potential potentially individuals experience experiences enhance explore
     üblicherweise normalerweise beispielsweise häufig généralement souvent notamment normalmente generalmente обычно например عادة 通常 一般 例如 包括 建议 一般的 例えば おすす 일반 예를`,
  ],
  [
    REFERRING,
    `it its he she they them his her their this that these those such both er es diese dieser dieses deren dessen il elle ils elles cela ça él ella ellos ellas esto eso esos esas ele ela eles elas isso isto
     он она они это эти этот эта его её их هو هي هم هذا هذه ذلك تلك זה זו הוא היא הם הן यह वह वे इस 这是 这样 这些 这个 那是 那样 那些 那个 他的 她的 它的 他们 她们 它们 これ それ その この あれ 彼は 彼女 이것 그것 그는 이는 그녀`,
  ],
  [
    PLEASANTRY,
    `hi hello hey thanks thank thx cheers welcome sorry congratulations congrats bye goodbye morning evening ok okay yep yeah nope sure great awesome cool nice perfect lol haha hmm
     wonderful fantastic excellent absolutely certainly glad happy appreciate
     hallo danke bitte gern gerne guten tschüss moin servus super prima klasse genau alles
     bonjour salut merci bienvenue désolé bravo parfait hola gracias buenos buenas perdón perfecto vale olá obrigado obrigada desculpe ciao grazie prego perfetto bedankt hoi dank
     привет спасибо здравствуйте пожалуйста хорошо отлично привіт дякую cześć dziękuję dzięki merhaba teşekkürler tamam selam
     مرحبا شكرا شكرًا أهلا السلام حسنا تمام رائع שלום תודה בסדר नमस्ते धन्यवाद
     你好 您好 谢谢 多谢 抱歉 再见 好的 不客 客气 辛苦 哈哈 ありが こんに おはよ すみま お疲れ 了解 承知 なるほ 안녕 감사 고마 반갑 네네 บค`,
  ],
  [
    ASKING,
    `what which how why where when who whom whose was wie warum wieso wo wann wer welche welcher welches quoi quel quelle comment pourquoi où quand qué cómo dónde cuándo cuál quién
     что как почему где когда кто какой ماذا كيف لماذا أين متى هل 什么 怎么 为何 哪里 哪个 吗？ ですか ますか どうや なぜ どこ いつ ไห`,
  ],
  [
    OFFERING,
    `here hier voici voilà aquí ecco вот let shall help suggestion suggestions recommend tips feel hope assist worries problem anything whenever`,
  ],
  [
    UNIT,
    `ms s sec secs seconds min mins minutes h hr hrs hours days weeks months years kb mb gb tb kib mib gib bytes rows users requests items percent pct eur euro euros usd dollars chf gbp yen km m cm mm kg g mg l ml px rpm rps qps mhz ghz kw kwh mw
     sekunden minuten stunden tage tagen wochen monate monaten jahre jahren prozent zeilen secondes minutes heures jours semaines mois ans lignes segundos minutos horas días semanas meses años
     секунд минут часов дней недель рублей ثانية دقيقة ساعة يوم أيام 毫秒 分钟 小时 万元 公里 公斤 時間 週間 万円 人民 시간 개월 만원`,
  ],
  [
    DECISION,
    `decide decided decides decision decisions agree agreed agreement chose chosen choose settled approved approve approval rejected reject ruled picked opted adopt adopted conclude concluded confirmed signed
     entschieden entscheiden entscheidung beschlossen beschluss vereinbart geeinigt abgemacht gewählt festgelegt genehmigt abgelehnt einigten
     décidé décidons décision choisi convenu approuvé décider adopté decidido decidimos decisión acordado acordamos elegido aprobado decidir decidiu decisão escolhido deciso decisione scelto concordato besloten besluit gekozen afgesproken
     решили решил решение договорились выбрали утвердили вирішили zdecydowaliśmy ustaliliśmy karar kararlaştırdık
     قررنا قرر القرار اتفقنا اخترنا قررت تقرر החלטנו החלטה הוחלט निर्णय फैसला
     决定 決定 确定 選定 选定 商定 敲定 采用 採用 定为 選択 合意 결정 정했 합의 채택 선택 ดส`,
  ],
  [
    OBLIGATION,
    `must never always only require requires required requirement mandatory forbidden prohibited banned cannot allowed limit limited rule policy
     muss müssen darf dürfen nie niemals immer nur verboten pflicht vorschrift erlaubt erforderlich
     doit doivent jamais toujours interdit obligatoire seulement exige debe deben nunca siempre prohibido obligatorio solamente exige deve devem sempre proibido obrigatório mai vietato moet nooit altijd verboden
     должен должны нельзя никогда всегда обязательно запрещено повинні musi nigdy zawsze asla zorunlu
     يجب لا‌يجوز ممنوع دائما دائمًا أبدا أبدًا فقط يلزم חייב אסור תמיד אף
     必须 必須 不得 不能 禁止 只能 一律 务必 不可 不许 べき なけれ 絶対 厳禁 반드시 금지 항상 절대 ต้`,
  ],
  [
    PREFERENCE,
    `prefer prefers preferred preference rather likes hates dislikes favorite favourite allergic loves avoids wants insists vegetarian vegan
     bevorzugt bevorzuge lieber mag hasst lieblings allergisch liebt
     préfère préfèrent aime déteste favori prefiere prefiero odia favorito gusta alérgico prefere preferisce liever
     предпочитает предпочитаю любит ненавидит tercih
     يفضل أفضل تفضل يحب يكره المفضل מעדיף מעדיפה אוהב שונא
     喜欢 偏好 讨厌 更愿 最爱 不爱 过敏 好き 嫌い 好む 苦手 선호 좋아 싫어 ชอ`,
  ],
  [
    CAUSE,
    `because cause caused causes reason due therefore culprit root blame explains why
     weil wegen ursache grund deshalb daher denn schuld lag verursacht
     car parce cause raison puisque provoqué porque causa razón debido culpa causado perché motivo omdat oorzaak
     потому причина из-за поэтому вызвано ponieważ przyczyna çünkü neden
     لأن بسبب السبب لذلك נגרם בגלל כי הסיבה क्योंकि कारण
     因为 原因 由于 导致 起因 根源 ので ため 原因 理由 때문 원인 이유 าะ`,
  ],
  [
    DUE,
    `deadline due until expires expire scheduled launch release milestone monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december quarter noon midnight
     frist termin bis stichtag montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember spätestens
     échéance délai lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août septembre octobre novembre décembre
     plazo fecha lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre prazo scadenza
     срок дедлайн понедельник вторник среду четверг пятницу января февраля марта апреля мая июня июля августа сентября октября ноября декабря
     موعد الموعد الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر מועד עד
     截止 期限 到期 星期 周一 周二 周三 周四 周五 上线 締切 締め 期日 曜日 마감 기한 요일`,
  ],
  [
    CHANGE,
    `instead changed switched moved renamed replaced migrated dropped removed became longer anymore correction corrected reverted rolled upgraded deprecated split merged postponed cancelled canceled
     statt stattdessen geändert gewechselt umbenannt ersetzt umgezogen verschoben abgesagt doch
     remplacé changé renommé déplacé reporté annulé cambiado cambiamos reemplazado movido renombrado pospuesto cancelado substituído cambiato sostituito vervangen
     заменили вместо переименовали перенесли изменили отменили
     بدلا بدلًا غيرنا استبدل نقل أصبح تأجل ألغي במקום שונה הוחלף
     改为 改成 换成 替换 改用 迁移 推迟 取消 不再 变更 変更 移行 代わ 延期 中止 변경 교체 대신 연기 취소`,
  ],
  [
    NAMING,
    `called named name stands means owner owns responsible belongs lives located born married works birthday address contact maintains manages leads keeps stored stores runs listens hosted points
     heißt genannt zuständig verantwortlich gehört wohnt liegt arbeitet geburtstag adresse leitet betreut läuft steht
     appelle nommé responsable habite travaille appartient adresse anniversaire llama llamado responsable vive trabaja pertenece dirección cumpleaños chama mora heet woont
     называется зовут отвечает живёт работает принадлежит
     اسمه اسمها يسمى مسؤول مسؤولة يعيش تعيش يعمل تعمل عنوان נקרא אחראי גר
     叫做 名叫 名为 负责 住在 位于 属于 生日 地址 担当 住所 名前 誕生 住ん 置い 담당 이름 주소 생일 산다 ชื`,
  ],
  [
    OUTCOME,
    `fixed broke broken failed fails failure crashed error bug resolved solved found discovered learned shipped deployed released bought sold paid costs cost budget measured dropped rose lost won
     behoben kaputt fehler gescheitert gefunden gelöst gekauft verkauft kostet bezahlt gemessen budget
     corrigé cassé échoué résolu trouvé acheté vendu coûte budget arreglado falló resuelto encontrado comprado vendido cuesta presupuesto
     исправили сломалось нашли купили стоит бюджет ошибка
     أصلحنا فشل وجدنا اشترى اشترينا يكلف الميزانية خطأ תוקן נכשל נמצא עולה
     修复 失败 发现 解决 购买 预算 花费 错误 成本 修正 失敗 発見 解決 購入 予算 費用 수정 실패 발견 해결 예산 비용 ซื`,
  ],
  [
    GENERAL,
    `actually let me look looking check checking think thinking take keep going sounds works work done doing try trying update updates status question questions message messages moment minute second bit thing things today
     tomorrow later soon again back maybe probably perhaps guess quick quickly coffee lunch weekend weather everyone team meeting call talk chat discuss discussion follow ping notes note
     schaue schauen mal eben kurz moment später gleich heute morgen machen mache gehen geht wieder vielleicht bestimmt frage fragen
     regarde voir peut-être demain aujourd'hui encore toujours mirar ver quizás mañana hoy luego pronto todavía
     看看 一下 稍后 今天 明天 现在 我们 这个 那个 可以 没有 还是 已经 就是 一些 知道 觉得 可能 应该 时候
     今日 明日 確認 少し 後で 思い ます です した ちょ オレンジ 오늘 내일 확인 조금 나중`,
  ],
  [
    FUNCTION_WORD,
    `the a an and or but if of to in on at by for from with about into over under as is are was were be been being am do does did have has had having will would can could should may might not no so than then that this these those there here it its he she they we you i my your our their his her them him us me also just too very more most some any all each
     der die das und oder aber wenn von zu im in an am auf aus bei mit für über unter als ist sind war waren sein werden wird wurde hat haben hatte hatten kann können soll sollte nicht kein keine so dann dass dies diese dieser dieses es er sie wir ihr ich mein dein unser euer auch noch schon sehr mehr man sich uns euch ihn ihm ihnen den dem des ein eine einer einem einen zum zur vom ja nein
     le la les un une des et ou mais si de du à au aux en dans par pour sur avec sans ce cet cette ces il elle nous vous ils elles je tu on se son sa ses mon ma mes notre nos votre vos leur leurs est sont était étaient être a ont avait avoir ne pas plus que qui dont y aussi très
     el los las lo un una unos unas y o pero si de del a al en por para con sin sobre este esta estos estas eso esa ese él ella nosotros ustedes ellos ellas yo tú se su sus mi mis nuestro nuestra es son era eran ser fue está están estaba ha han había no más que quien también muy ya
     o os as um uma e ou mas do da dos das no na nos nas por para com sem não mais que il lo gli i uno e ma di del della dei delle nel nella con per non più che è sono era het een en of maar van in op met voor niet dat die is zijn was
     и а но или если в во на с со к по из за у о от до для не ни что как это этот эта эти он она они мы вы я ты его её их был была было были есть будет уже ещё очень так же бы то
     و أو لكن إذا من إلى في على عن مع هذا هذه ذلك تلك هو هي هم نحن أنا أنت كان كانت يكون لا لم لن ما أن إن قد التي الذي كل بعد
     של את על עם אל זה זו הוא היא הם אנחנו אני אתה לא כן או אם גם כל יש היה ו ה`,
  ],
];

const BITS = 14;
const MASK = 2 ** BITS - 1;
/** The kind in the lowest five bits, and the rest of the hash: one look for each word of a thread. */
const KIND_BITS = 31;
const ENTRIES = new Int32Array(2 ** BITS);

/** The hash of a word begins with its first unit and goes on with `hash * PRIME ^ unit`, all folded. */
export const PRIME = 0x01_00_01_93;

/** The hash of two characters of a script without spaces. */
export function hashOfPair(one: number, other: number): number {
  return (Math.imul(one, PRIME) ^ other) | 0;
}

/** What is said of the word with this hash in the lists; 0 when it is in none. */
export function kindOfWord(hash: number): number {
  const mixed = mix(hash);
  let at = mixed & MASK;
  for (let entry = ENTRIES[at] as number; entry !== 0; entry = ENTRIES[at] as number) {
    if (((entry ^ mixed) & ~KIND_BITS) === 0) return entry & KIND_BITS;
    at = (at + 1) & MASK;
  }
  return 0;
}

/** Words that differ in their last letter alone differ in few bits of the hash: here in all. */
function mix(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return mixed ^ (mixed >>> 13);
}

/** The hash of a whole word, as the pass over a text makes it. */
function hashOfWord(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    hash = (Math.imul(hash, PRIME) ^ ((FOLDED[code] as number) || code)) | 0;
  }
  return hash;
}

function learn(word: string, kind: number): void {
  const hash = hashOfWord(word);
  if (kindOfWord(hash) !== 0) return;
  const mixed = mix(hash);
  let at = mixed & MASK;
  while (ENTRIES[at] !== 0) at = (at + 1) & MASK;
  ENTRIES[at] = (mixed & ~KIND_BITS) | kind;
}

for (const [kind, words] of lexicon) for (const word of words.split(/\s+/u)) if (word !== "") learn(word, kind);
for (const word of stopWords) learn(word, FUNCTION_WORD);
for (const word of [...talkWords, ...formWords]) learn(word, GENERAL);
for (const word of commonWords.split(/\s+/u)) if (word !== "") learn(word, COMMON);
