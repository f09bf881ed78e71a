import type { Answer } from "../api.ts";

export type TreeNode = Answer<"tree.list">["months"][number];

/** A node with its addenda. */
export interface CalendarNode {
  readonly node: TreeNode;
  /** How many addenda it has. */
  readonly late: number;
}

/** All nodes by level and period. */
export interface Nodes {
  readonly daily: ReadonlyMap<string, CalendarNode>;
  readonly weekly: ReadonlyMap<string, CalendarNode>;
  readonly monthly: ReadonlyMap<string, CalendarNode>;
}

export function nodesIn({ months }: Answer<"tree.list">): Nodes {
  const found = { daily: new Map<string, CalendarNode>(), weekly: new Map(), monthly: new Map() };
  const visit = (node: TreeNode): void => {
    const level = found[node.level as keyof typeof found] as Map<string, CalendarNode> | undefined;
    const known = level?.get(node.period);
    if (known === undefined) level?.set(node.period, { node, late: node.late > 0 ? 1 : 0 });
    else level?.set(node.period, { node: node.late > 0 ? known.node : node, late: known.late + 1 });
    for (const child of node.children) visit(child);
  };
  for (const month of months) visit(month);
  return found;
}

export interface Week {
  /** `2026-W11` */
  readonly period: string;
  /** Monday to Sunday; `undefined` outside the month, and before the first and after the last day. */
  readonly days: readonly (string | undefined)[];
}

export interface Month {
  /** `2026-03` */
  readonly period: string;
  readonly weeks: readonly Week[];
}

const day = 86_400_000;

export function timeOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

export function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function addDays(date: string, count: number): string {
  return dateOf(timeOf(date) + count * day);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((timeOf(to) - timeOf(from)) / day);
}

/** Monday is 0. */
function weekdayOf(date: string): number {
  return (new Date(timeOf(date)).getUTCDay() + 6) % 7;
}

/** The ISO week of a day. */
export function weekOf(date: string): string {
  const thursday = addDays(date, 3 - weekdayOf(date));
  const year = thursday.slice(0, 4);
  const week = 1 + Math.floor(daysBetween(`${year}-01-01`, thursday) / 7);
  return `${year}-W${String(week).padStart(2, "0")}`;
}

/** The months from one day to another, newest first, each with its weeks. */
export function monthsBetween(first: string, last: string): readonly Month[] {
  const months: Month[] = [];
  for (
    let start = `${first.slice(0, 7)}-01`;
    start <= last;
    start = addDays(`${start.slice(0, 7)}-28`, 4).slice(0, 7) + "-01"
  )
    months.unshift({ period: start.slice(0, 7), weeks: weeksOf(start, first, last) });
  return months;
}

function weeksOf(start: string, first: string, last: string): readonly Week[] {
  const month = start.slice(0, 7);
  const isShown = (date: string): boolean => date.startsWith(month) && first <= date && date <= last;
  const weeks: Week[] = [];
  for (let monday = addDays(start, -weekdayOf(start)); monday.slice(0, 7) <= month; monday = addDays(monday, 7)) {
    const days = Array.from({ length: 7 }, (_, at) => addDays(monday, at));
    if (days.some(isShown))
      weeks.push({ period: weekOf(monday), days: days.map((date) => (isShown(date) ? date : undefined)) });
  }
  return weeks;
}

/** The bytes from which a day is darker: a quarter, half and three quarters of the days are smaller. */
export function shadesOf(nodes: Nodes): readonly number[] {
  const sizes = Array.from(nodes.daily.values(), ({ node }) => node.bytes).toSorted((a, b) => a - b);
  return [0.25, 0.5, 0.75].map((part) => sizes[Math.floor(sizes.length * part)] ?? 0);
}

export function shadeOf(bytes: number, shades: readonly number[]): number {
  return 1 + shades.filter((size) => bytes >= size).length;
}

const monthNames = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });

export function monthName(period: string): string {
  return monthNames.format(timeOf(`${period}-01`));
}
