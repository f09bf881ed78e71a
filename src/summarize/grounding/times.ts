import type { Reading } from "./items.ts";

const clock = /(?<![\p{L}\p{N}_:.])(\d{1,2}):([0-5]\d)(?::[0-5]\d)?\s{0,1}([ap]\.?m\b\.?)?(?![\p{N}:])/giu;
const hour = /(?<![\p{L}\p{N}_:.,])(\d{1,2})\s?([ap]\.?m)\b\.?/giu;
const eastAsian =
  /(午前|午後|上午|下午|晚上|早上|오전|오후)?\s?(?<!\d)(\d{1,2})\s?[時点點시](?!間|间|간)(?:\s?(\d{1,2})\s?[分분]|(半|반))?/gu;

const days: ReadonlyMap<string, number> = new Map(
  [
    "monday mon montag lundi lunes 月曜 月曜日 周一 星期一 月曜 월요일 понедельник",
    "tuesday tue tues dienstag mardi martes 火曜 火曜日 周二 星期二 화요일 вторник",
    "wednesday wed mittwoch mercredi miércoles 水曜 水曜日 周三 星期三 수요일 среда среду",
    "thursday thu thurs donnerstag jeudi jueves 木曜 木曜日 周四 星期四 목요일 четверг",
    "friday fri freitag vendredi viernes 金曜 金曜日 周五 星期五 금요일 пятница пятницу",
    "saturday sat samstag sonnabend samedi sábado 土曜 土曜日 周六 星期六 토요일 суббота субботу",
    "sunday sun sonntag dimanche domingo 日曜 日曜日 周日 星期日 星期天 周天 일요일 воскресенье",
  ].flatMap((names, at) => names.split(" ").map((name): [string, number] => [name, at + 1])),
);
const longNames = [...days.keys()].filter((name) => /^\p{Ll}{4,}$/u.test(name) && name !== "tues").join("|");
const weekday = new RegExp(`(?<![\\p{L}\\p{N}_])(${longNames})s?(?![\\p{L}\\p{N}_])`, "giu");
const eastAsianDay = /[月火水木金土日]曜日?|(?:周|星期)[一二三四五六日天]|[월화수목금토일]요일/gu;

/** The times of day and the weekdays of a line. Keys: `t14:30`; one that may be in the afternoon has both; `d1` is Monday. */
export function readTimes(reading: Reading): void {
  reading.take(clock, ([shown, h, m, half]) => timeItem(shown, Number(h), Number(m), half));
  reading.take(hour, ([shown, h, half]) => timeItem(shown, Number(h), 0, half));
  reading.take(eastAsian, ([shown, half, h, m, thirty]) =>
    timeItem(shown, Number(h), m === undefined ? (thirty === undefined ? 0 : 30) : Number(m), half),
  );
  const day = ([shown, name]: RegExpExecArray) =>
    ({ kind: "weekday", shown, keys: [`d${days.get((name ?? shown).toLowerCase()) ?? 0}`] }) as const;
  reading.take(weekday, day);
  reading.take(eastAsianDay, day);
}

function timeItem(shown: string, h: number, m: number, half: string | undefined) {
  if (h > 24 || m > 59) return null;
  const told = half === undefined ? "" : /^(?:p|午後|下午|晚上|오후)/iu.test(half) ? "after" : "before";
  const later = h < 12 ? h + 12 : h;
  const hours = told === "after" ? [later] : told === "before" ? [h % 12, h] : h < 13 ? [h, later] : [h];
  return {
    kind: "time",
    shown: shown.trim(),
    keys: hours.map((one) => `t${one}:${String(m).padStart(2, "0")}`),
  } as const;
}
