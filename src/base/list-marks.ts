/**
 * The mark that begins an item of a list, as a part of a pattern: of Markdown, and the bullets that people type in other scripts. Those of Japanese and
 * Korean need no space behind them; a dash does.
 */
export const listMark = String.raw`(?:[-*+–—ー]\s+|\d{1,9}[.)]\s+|[•·‣・･●○■□◆◇▪※]\s*)`;
