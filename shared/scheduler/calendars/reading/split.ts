import { UnreadableFile } from '../../../platform/readers/failure.ts';

/** A text cut into what stands around its events, and the events, those of one UID together. */
export type SplitCalendar = { frame: string; series: ReadonlyMap<string | null, string[]> };

const BEGIN = /^BEGIN:VEVENT[ \t]*\r?$/gim;
const END = /^END:VEVENT[ \t]*\r?$/gim;

/**
 * Cuts a text of iCalendar, so that no more than one event has to be in memory as a tree: a tree takes many times its text.
 * Events that ended before `from` (milliseconds) and do not repeat are left out. Refuses one without an end: `not_a_calendar`.
 */
export function splitCalendar(text: string, from: number): SplitCalendar {
  const around: string[] = [];
  const series = new Map<string | null, string[]>();
  const earliest = new Date(from - 2 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  let at = 0;
  for (;;) {
    const begin = next(BEGIN, text, at);
    around.push(text.slice(at, begin?.index ?? text.length));
    if (!begin) return { frame: around.join(''), series };
    const end = next(END, text, begin.index);
    if (!end) throw new UnreadableFile('not_a_calendar');
    const event = text.slice(begin.index, end.index + end[0].length);
    at = end.index + end[0].length;
    if (isOver(event, earliest)) continue;
    const uid = uidOf(event);
    const others = series.get(uid);
    if (others) others.push(event);
    else series.set(uid, [event]);
  }
}

function next(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Whether an event surely ended before a date, YYYYMMDD. One that is part of a series is not over with its own end. */
function isOver(event: string, earliest: string): boolean {
  if (/^(RRULE|RDATE|RECURRENCE-ID)/im.test(event)) return false;
  const end = /^DTEND[^:\r\n]*:(\d{8})/im.exec(event)?.[1];
  return end !== undefined && end < earliest;
}

function uidOf(event: string): string | null {
  const unfolded = event.replace(/\r?\n[ \t]/g, '');
  return /^UID(?:;[^:\r\n]*)?:([^\r\n]*)/im.exec(unfolded)?.[1]?.trim() || null;
}
