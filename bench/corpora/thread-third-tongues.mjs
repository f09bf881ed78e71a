// The ten languages of the third conversation: facts made of everyday words (`{a}`, `{b}`, `{c}`), and filler with its own names and numbers. The words
// of a fact also occur one by one in the filler; only together do they state the fact.
const list = (text) => text.split("|");

export const english = {
  a: list(
    "copper|woollen|crooked|striped|wooden|rusty|velvet|narrow|broken|silver|painted|heavy|folded|amber|hollow|checked",
  ),
  b: list(
    "kettle|ladder|blanket|suitcase|lantern|mirror|piano|bucket|armchair|scarf|compass|typewriter|clock|basket|easel|drum",
  ),
  c: list(
    "boathouse|attic|cellar|chapel|bakery|orchard|stable|library|workshop|lighthouse|greenhouse|barn|tower|museum|mill|harbour",
  ),
  facts: [
    ["user", "my sister keeps the {a} {b} in the {c}", "{a} {b} in the {c}"],
    ["user", "we go with the {a} {b} for the {c}, the other idea is off the table", "{a} {b} for the {c}"],
    ["user", "I can't bear the {a} {b} near the {c}, it gives me a headache", "{a} {b} near the {c}"],
    ["user", "nobody is to move the {a} {b} out of the {c} while I am away", "{a} {b} out of the {c}"],
    ["user", "please never put the {a} {b} into the {c} again", "{a} {b} into the {c}"],
    ["assistant", "It turned out that the {a} {b} blocked the door of the {c}.", "{a} {b} blocked the door of the {c}"],
    ["assistant", "Settled: the {a} {b} goes to the {c} once the rain stops.", "{a} {b} goes to the {c}"],
    ["user", "The {a} {b} has to leave the {c} by the end of next week.", "{a} {b} has to leave the {c}"],
    ["user", "ever since the flood we carry the {a} {b} up from the {c} each evening", "{a} {b} up from the {c}"],
    ["user", "if anyone asks: the {a} {b} comes from the {c}, not from a shop", "{a} {b} comes from the {c}"],
    ["user", "Tell the children that the {a} {b} behind the {c} is theirs.", "{a} {b} behind the {c} is theirs"],
    ["user", "turns out I forgot the {a} {b} at the {c}, so we do without", "{a} {b} at the {c}"],
    ["user", "my son is afraid of the {a} {b} under the {c}", "{a} {b} under the {c}"],
    [
      "assistant",
      "Noted, the {a} {b} stays with the keeper of the {c} until you return.",
      "{a} {b} stays with the keeper of the {c}",
    ],
    [
      "assistant",
      "The draught comes from the {a} {b}, which does not fit the window of the {c}.",
      "{a} {b}, which does not fit the window of the {c}",
    ],
    ["user", "My neighbour traded his {a} {b} for a day in the {c}.", "{a} {b} for a day in the {c}"],
  ],
  user: list(
    "can you run {file} again with {n} workers?|thanks, and now the same for {name}|what does line {n} of {file} do?|hm, show me {file} once more|ok go on|How many people live in {name}?|could you make that shorter, about {n} words|and what about the {b} thing?|Write a few lines on {name} for the page about every {c}.|looks fine so far",
  ),
  assistant: list(
    "Sure! Here is the next version of {file}, with {n} lines changed.|{name} was founded in 1{n} and has {n} thousand inhabitants.|The painter {name} showed a {b} in {name} in 1{n}, which critics compared with the work of {name}.|You could also try a {a} {b}; many people find that it helps.|I will open {file} next and look at the {n} tests.|Here are {n} tips for a visit to {name}: walk early, drink water and see the {c}.|**{name}**: known for its {c}, about {n} km from {name}.|Running the suite for {file} now, this takes {n} seconds.|Let me know if the {b} should be {a}!|1. Open the {c} page. 2. Press the {a} button. 3. Wait {n} seconds.",
  ),
};

const german = {
  a: list("kupferne|wollene|schiefe|gestreifte|hölzerne|rostige|samtene|schmale|alte|silberne"),
  b: list("Laterne|Leiter|Decke|Truhe|Uhr|Vase|Trommel|Waage|Bank|Kiste"),
  c: list("Bootshaus|Keller|Kapelle|Scheune|Mühle|Werkstatt|Bücherei|Turm|Hafen|Gewächshaus"),
  facts: [
    ["user", "meine Schwester verwahrt die {a} {b} beim {c}", "{a} {b} beim {c}"],
    ["user", "wir nehmen die {a} {b} fürs {c}, der andere Plan ist vom Tisch", "{a} {b} fürs {c}"],
    ["assistant", "Es lag daran, dass die {a} {b} den Eingang zum {c} versperrte.", "{a} {b} den Eingang zum {c}"],
  ],
  user: list(
    "kannst du {file} nochmal laufen lassen?|und wie viele Einwohner hat {name}?|danke, weiter so|was macht Zeile {n}?",
  ),
  assistant: list(
    "Gerne, hier ist die neue Fassung von {file} mit {n} Zeilen.|{name} wurde 1{n} gegründet und hat {n} Tausend Einwohner.|Man könnte auch eine {b} nehmen, das hilft vielen.",
  ),
};
const spanish = {
  a: list("oxidada|torcida|pintada|pesada|estrecha|hueca|plegada|rota|rayada|antigua"),
  b: list("escalera|maleta|manta|lámpara|campana|brújula|silla|cesta|caja|bufanda"),
  c: list("molino|sótano|faro|establo|huerto|taller|puerto|granero|museo|desván"),
  facts: [
    ["user", "mi hermana guarda la {b} {a} cerca del {c}", "{b} {a} cerca del {c}"],
    ["user", "nos quedamos con la {b} {a} para el {c} y lo demás se descarta", "{b} {a} para el {c}"],
    ["assistant", "Resultó que la {b} {a} tapaba la entrada del {c}.", "{b} {a} tapaba la entrada del {c}"],
  ],
  user: list(
    "¿puedes ejecutar {file} otra vez?|¿cuántos habitantes tiene {name}?|gracias, sigue|¿qué hace la línea {n}?",
  ),
  assistant: list(
    "Claro, aquí está {file} con {n} líneas nuevas.|{name} se fundó en 1{n} y tiene {n} mil habitantes.|También podrías probar con una {b}, a muchos les ayuda.",
  ),
};
const russian = {
  a: list("медный|кривой|полосатый|ржавый|узкий|тяжёлый|складной|расписной|старый|пустой"),
  b: list("чайник|сундук|фонарь|компас|шарф|стул|барабан|ящик|колокол|зонт"),
  c: list("маяка|амбара|музея|подвала|сарая|порта|сада|чердака|моста|склада"),
  facts: [
    ["user", "сестра держит {a} {b} возле {c}", "{a} {b} возле {c}"],
    ["user", "берём {a} {b} для {c}, другой вариант отпадает", "{a} {b} для {c}"],
    ["assistant", "Оказалось, что {a} {b} загораживал дверь {c}.", "{a} {b} загораживал дверь {c}"],
  ],
  user: list("запусти {file} ещё раз?|сколько жителей в {name}?|спасибо, дальше|что делает строка {n}?"),
  assistant: list(
    "Конечно, вот новая версия {file}, изменено {n} строк.|Город {name} основан в 1{n} году, в нём {n} тысяч жителей.|Можно ещё попробовать {b}, многим помогает.",
  ),
};
const chinese = {
  a: list("铜的|羊毛|歪斜|条纹|木制|生锈|天鹅绒|细长|折叠|银色"),
  b: list("水壶|梯子|毛毯|皮箱|灯笼|镜子|围巾|罗盘|藤椅|鼓"),
  c: list("船屋|阁楼|地窖|面包房|果园|马厩|灯塔|温室|磨坊|码头"),
  facts: [
    ["user", "姐姐把{a}{b}收在{c}那边", "{a}{b}收在{c}"],
    ["user", "{c}就用{a}{b}了，另一个方案不要了", "{c}就用{a}{b}"],
    ["assistant", "后来才知道是{a}{b}挡住了{c}的门。", "{a}{b}挡住了{c}"],
  ],
  user: list("再跑一遍{file}好吗？|{name}有多少人口？|谢谢，继续吧|第{n}行是做什么的？"),
  assistant: list("好的，这是新的{file}，改了{n}行。|{name}建于1{n}年，人口约{n}万。|也可以试试{b}，很多人觉得有用。"),
};
const japanese = {
  a: list("銅の|毛糸の|縞の|木の|錆びた|細い|銀の|古い|重い|丸い"),
  b: list("やかん|はしご|毛布|鞄|提灯|鏡|太鼓|羅針盤|椅子|籠"),
  c: list("舟小屋|屋根裏|地下室|果樹園|馬小屋|図書室|灯台|温室|水車小屋|港"),
  facts: [
    ["user", "姉は{a}{b}を{c}にしまっています", "{a}{b}を{c}に"],
    ["user", "{c}には{a}{b}を使うことにして、もう一つの案はやめます", "{c}には{a}{b}を使う"],
    ["assistant", "{a}{b}が{c}の入口をふさいでいました。", "{a}{b}が{c}の入口"],
  ],
  user: list(
    "{file}をもう一度動かしてもらえますか？|{name}の人口はどのくらいですか？|ありがとう、続けてください|{n}行目は何ですか？",
  ),
  assistant: list(
    "はい、{file}の新しい版です。{n}行変わりました。|{name}は1{n}年にでき、人口は約{n}万人です。|{b}を試してみるのもよいでしょう。",
  ),
};
const korean = {
  a: list("구리|털실|삐뚤어진|줄무늬|나무|녹슨|벨벳|좁은|접이식|은색"),
  b: list("주전자|사다리|담요|가방|등불|거울|목도리|나침반|의자|바구니"),
  c: list("창고|다락방|지하실|빵집|과수원|마구간|등대|온실|방앗간|항구"),
  facts: [
    ["user", "언니가 {a} {b} 하나를 {c} 옆에 보관해요", "{a} {b} 하나를 {c}"],
    ["user", "{c} 쪽에는 {a} {b} 쓰고 다른 안은 버립시다", "{c} 쪽에는 {a} {b}"],
    ["assistant", "알고 보니 {a} {b} 때문에 {c} 문이 막혀 있었습니다.", "{a} {b} 때문에 {c}"],
  ],
  user: list("{file} 다시 돌려 줄래요?|{name} 인구가 몇이에요?|고마워요 계속해 주세요|{n}번째 줄은 뭐예요?"),
  assistant: list(
    "네, {file} 새 버전입니다. {n}줄 바꿨습니다.|{name} 도시는 1{n}년에 세워졌고 인구는 {n}만 명입니다.|{b} 같은 것도 써 볼 수 있어요.",
  ),
};
const arabic = {
  a: list("النحاسي|الصوفي|المعوج|المخطط|الخشبي|الصدئ|المخملي|الضيق|القديم|الفضي"),
  b: list("الإبريق|السلم|الفانوس|الصندوق|الكرسي|الطبل|الوشاح|الجرس|الدلو|المقعد"),
  c: list("الميناء|القبو|المخبز|البستان|الإسطبل|المكتبة|الورشة|المنارة|المتحف|الطاحونة"),
  facts: [
    ["user", "أختي تحفظ {b} {a} قرب {c}", "{b} {a} قرب {c}"],
    ["user", "سنأخذ {b} {a} من أجل {c} ونترك الفكرة الأخرى", "{b} {a} من أجل {c}"],
    ["assistant", "تبين أن {b} {a} كان يسد باب {c}.", "{b} {a} كان يسد باب {c}"],
  ],
  user: list("هل تشغل {file} مرة أخرى؟|كم عدد سكان {name}؟|شكرا، تابع|ماذا يفعل السطر {n}؟"),
  assistant: list(
    "بالتأكيد، هذه نسخة {file} الجديدة وفيها {n} سطرا.|تأسست {name} عام 1{n} وعدد سكانها {n} ألفا.|يمكن أيضا تجربة {b} فهو مفيد لكثيرين.",
  ),
};
const hebrew = {
  a: list("הנחושת|הצמר|העקום|המפוספס|העץ|החלוד|הקטיפה|הצר|הישן|הכסוף"),
  b: list("הקומקום|הסולם|הפנס|הארגז|הכיסא|התוף|הצעיף|הפעמון|הדלי|הספסל"),
  c: list("הנמל|המרתף|המאפייה|הבוסתן|האורווה|הספרייה|הסדנה|המגדלור|המוזיאון|הטחנה"),
  facts: [
    ["user", "אחותי שומרת את {b} {a} ליד {c}", "{b} {a} ליד {c}"],
    ["user", "ניקח את {b} {a} עבור {c} והרעיון השני יורד", "{b} {a} עבור {c}"],
    ["assistant", "התברר כי {b} {a} חסם את דלת {c}.", "{b} {a} חסם את דלת {c}"],
  ],
  user: list("אפשר להריץ שוב את {file}?|כמה תושבים יש ב {name}?|תודה, תמשיך|מה עושה שורה {n}?"),
  assistant: list(
    "בטח, הנה גרסה חדשה של {file} עם {n} שורות.|{name} נוסדה בשנת 1{n} ויש בה {n} אלף תושבים.|אפשר לנסות גם את {b}, זה עוזר להרבה אנשים.",
  ),
};
const thai = {
  a: list("ทองแดง|ขนสัตว์|เบี้ยว|ลายทาง|ไม้|ขึ้นสนิม|กำมะหยี่|แคบ|พับได้|สีเงิน"),
  b: list("กาน้ำ|บันได|ผ้าห่ม|กระเป๋า|โคมไฟ|กระจก|ผ้าพันคอ|เข็มทิศ|เก้าอี้|ตะกร้า"),
  c: list("โรงเรือ|ห้องใต้หลังคา|ห้องใต้ดิน|ร้านขนมปัง|สวนผลไม้|คอกม้า|ประภาคาร|เรือนกระจก|โรงสี|ท่าเรือ"),
  facts: [
    ["user", "พี่สาวเก็บ{b}{a}ไว้ที่{c}", "{b}{a}ไว้ที่{c}"],
    ["user", "เราจะใช้{b}{a}กับ{c} ส่วนอีกแบบไม่เอาแล้ว", "{b}{a}กับ{c}"],
    ["assistant", "ปรากฏว่า{b}{a}ขวางประตู{c}", "{b}{a}ขวางประตู{c}"],
  ],
  user: list("ช่วยรัน {file} อีกทีได้ไหม|{name} มีประชากรเท่าไร|ขอบคุณ ไปต่อเลย|บรรทัด {n} ทำอะไร"),
  assistant: list(
    "ได้เลย นี่คือ {file} ฉบับใหม่ แก้ไป {n} บรรทัด|{name} ก่อตั้งในปี 1{n} มีประชากร {n} หมื่นคน|ลองใช้{b}ก็ได้ หลายคนบอกว่าช่วยได้",
  ),
};

/** The languages and their shares. */
export const tongues = [
  [english, 0.46],
  [german, 0.08],
  [spanish, 0.07],
  [russian, 0.07],
  [chinese, 0.07],
  [japanese, 0.05],
  [korean, 0.05],
  [arabic, 0.05],
  [hebrew, 0.05],
  [thai, 0.05],
];
