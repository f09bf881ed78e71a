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

export const commonWords = `${english} ${european} ${others}`;
