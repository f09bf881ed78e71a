// German, Chinese, Japanese and Arabic messages for the planted threads, in the same form as the English ones.
export const german = {
  filler: {
    user: [
      "Kannst du dir bitte noch einmal {part} ansehen, wenn du Zeit hast?",
      "Ich bin die nächsten {n} Minuten in einer Besprechung, mach ruhig weiter.",
      "Das sieht gut aus, {name} hat am Telefon dasselbe gesagt.",
      "Guten Morgen, bist du gestern noch dazu gekommen?",
      "Ich habe mir {file} angesehen und finde nichts Auffälliges.",
      "Danke, das hilft mir sehr. Womit soll ich weitermachen?",
      "Lass uns das nächste Woche in Ruhe besprechen, es eilt nicht.",
      "Hier regnet es schon wieder, hoffentlich wird das Wochenende besser.",
    ],
    assistant: [
      "Gerne, ich sehe mir {part} an und melde mich, sobald ich etwas gefunden habe.",
      "Ich habe {file} gelesen und bisher nichts Ungewöhnliches entdeckt.",
      "Die Tests laufen jetzt durch, ich habe sie zur Sicherheit {n} Mal gestartet.",
      "Es gibt mehrere Wege, das zu lösen, und jeder hat seine Vor- und Nachteile.",
      "Sag einfach Bescheid, wenn ich dir sonst noch irgendwie helfen kann.",
      "Ich schlage vor, dass wir zuerst {part} prüfen und danach weitersehen.",
    ],
    tool: ["$ make\ncc -O2 -o build/main{n} main.c\nFertig nach {n} Sekunden."],
    names: ["Karin", "Jürgen", "Heike", "Stefan", "Ute", "Matthias"],
    parts: [
      "die Anmeldung",
      "den Import",
      "die Übersicht",
      "den Bericht",
      "die Suche",
      "den Kalender",
      "die Anleitung",
    ],
    files: ["src/anmeldung.ts", "lib/bericht.py", "docs/anleitung.md"],
  },
  facts: [
    ["user", "decision", "Wir haben uns für {w1} entschieden, {w2} ist damit vom Tisch."],
    ["user", "plain", "Der Schlüssel für den {W1}keller liegt bei Frau {W2}."],
    ["assistant", "cause", "Die Ursache war der {W1}dienst, weil er die {W2}datei doppelt geöffnet hat."],
    ["user", "preference", "Ich mag keine {W1}, bitte immer {W2} nehmen."],
    ["user", "deadline", "Der {W1}antrag muss bis zum 3. Mai bei der {W2}behörde sein."],
    ["user", "plain", "Mein Bruder {W1} arbeitet jetzt als Tischler in {W2}."],
  ],
};

export const chinese = {
  filler: {
    user: [
      "你好，请再帮我看一下{part}，谢谢。",
      "我接下来{n}分钟要开会，你先继续吧。",
      "看起来没问题，{name}也是这么说的。",
      "今天又下雨了，希望周末会好一点。",
      "这个不着急，有时间再看就行。",
    ],
    assistant: [
      "好的，我先看一下{part}，有结果就告诉您。",
      "我已经读完{file}，目前没有发现异常。",
      "测试都通过了，我又跑了{n}次。",
      "这个问题有几种做法，各有优缺点。",
      "如果还有其他需要，请随时告诉我。",
    ],
    tool: ["构建完成，用时{n}秒，警告{n}个。"],
    names: ["小王", "李明", "张伟", "陈静"],
    parts: ["登录页面", "导入功能", "报表", "搜索框", "日历", "说明文档"],
    files: ["src/login.ts", "docs/readme.md"],
  },
  facts: [
    ["user", "decision", "我们决定用{c1}，不再考虑{c2}。"],
    ["user", "plain", "{c1}仓库的钥匙在{c2}那里。"],
    ["assistant", "cause", "故障的原因是{c1}没有释放{c2}。"],
    ["user", "preference", "我更喜欢{c1}，不要给我发{c2}。"],
    ["user", "plain", "我妹妹{c1}搬到{c2}去了。"],
  ],
};

export const japanese = {
  filler: {
    user: [
      "{part}をもう一度見てもらえますか。",
      "これから{n}分ほど会議に入ります。",
      "ありがとうございます、とても助かりました。",
      "今日も雨ですね、週末は晴れるといいのですが。",
      "急ぎではないので、時間があるときにお願いします。",
    ],
    assistant: [
      "承知しました。{part}を確認して、わかり次第お知らせします。",
      "{file}を読みましたが、特に変わったところはありませんでした。",
      "テストはすべて通りました。念のため{n}回実行しています。",
      "いくつか方法がありますが、それぞれ長所と短所があります。",
    ],
    tool: ["ビルドが完了しました。所要時間は{n}秒です。"],
    names: ["田中さん", "鈴木さん", "佐藤さん"],
    parts: ["ログイン画面", "取り込み処理", "レポート", "検索欄", "カレンダー"],
    files: ["src/login.ts", "docs/readme.md"],
  },
  facts: [
    ["user", "decision", "今回は{c1}を採用して、{c2}は見送ることに決めました。"],
    ["user", "plain", "{c1}の鍵は{c2}さんが持っています。"],
    ["assistant", "cause", "原因は{c1}が{c2}を閉じていなかったことです。"],
    ["user", "preference", "私は{c1}が苦手なので、{c2}にしてください。"],
  ],
};

export const arabic = {
  filler: {
    user: [
      "هل يمكنك أن تنظر إلى {part} مرة أخرى من فضلك؟",
      "سأكون في اجتماع لمدة {n} دقيقة، يمكنك المتابعة.",
      "شكرا جزيلا، هذا يساعدني كثيرا.",
      "الطقس ماطر اليوم أيضا، أرجو أن يتحسن في نهاية الأسبوع.",
      "لا داعي للعجلة، انظر إليه عندما يكون لديك وقت.",
    ],
    assistant: [
      "بالتأكيد، سأنظر إلى {part} وأخبرك بما أجده.",
      "قرأت {file} ولم أجد شيئا غير عادي حتى الآن.",
      "نجحت الاختبارات كلها، وقد شغلتها {n} مرات.",
      "هناك عدة طرق لحل هذه المسألة، ولكل منها مزايا وعيوب.",
    ],
    tool: ["اكتمل البناء خلال {n} ثانية."],
    names: ["أحمد", "ليلى", "سمير"],
    parts: ["صفحة الدخول", "التقرير", "مربع البحث", "التقويم"],
    files: ["src/login.ts", "docs/readme.md"],
  },
  facts: [
    ["user", "decision", "قررنا استخدام {a1} بدلا من {a2}."],
    ["user", "plain", "مفتاح مستودع {a1} عند السيد {a2}."],
    ["assistant", "cause", "سبب العطل هو أن {a1} لم يغلق {a2}."],
    ["user", "preference", "أفضل {a1} ولا أحب {a2}."],
  ],
};
