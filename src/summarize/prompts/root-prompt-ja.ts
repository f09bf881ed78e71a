import type { RootTexts } from "./prompt.ts";

export const rootPromptJa: RootTexts = {
  task: "AI エージェントがセッションの初めに毎回読む、メモリの先頭ページ ROOT.md の 3 つのセクションを書いてください。原文は月・週・日ごとに残された記録です。全トピックの索引はプログラムが別に書きます。物語のような文章ではなく、キーワードを密に書いてください。",
  headings:
    "次の見出しを、ここにあるとおりの表記と順序で使います。`## Active Context` は必須です。ほかのセクションは、書くことがなければ省きます：",
  sections: {
    "Active Context": "いま進行中のこと、次にすること、最も重要なこと。およそ直近 7 日間。",
    "Recent Patterns": "特定の日に縛られず、複数のトピックに通じる気づき。",
    "Historical Summary":
      "過ぎたことを期間ごとに短く：`- 2026-01: …` または `- 2026-01~02: …`。古いものほど短くします。",
  },
  item: "見出しの下にはリスト項目だけを書きます。1 項目は 1 行、220 文字までです：`- トピック: 内容`。トピックは原文の名前で呼びます。項目の後ろに行番号や出典を付けないでください。",
  budget: "{tokens} トークン、{lines} 行以内に収めます。削るときは Historical Summary から削ります。",
  types: {
    user: "`user`（本人について分かっていること）：必ず残しますが、その行はプログラムが書きます。自分では書かず、Historical Summary にも移さないでください。",
    feedback:
      "`feedback`（仕事の進め方についての要望）：rule、why、how-to-apply とともに必ず残しますが、その行もプログラムが書きます。自分では書かず、Historical Summary にも移さないでください。",
    project: "`project`：完了したものは Historical Summary に圧縮し、進行中のものは Active Context に残します。",
    reference: "`reference`：URL または参照先と、それを説明する 1 行だけを残し、周囲の内容は省きます。",
  },
};
