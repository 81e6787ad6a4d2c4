import { createHash } from 'node:crypto';
import ICAL from 'ical.js';
import { UnreadableFile } from '../../../platform/readers/failure.ts';
import { isBusy } from './busy.ts';
import { type Instance, instancesOf, type Series } from './expand.ts';
import { calendarTextsOf } from './multistatus.ts';
import { splitCalendar } from './split.ts';
import type { BusyTime, CalendarQuestion, ReadCalendar } from './types.ts';
import { zoneNamed } from './zone-names.ts';
import { ZonedCalendar, type Zones, zonesOf } from './zones.ts';

/**
 * Reads the busy times of a calendar, in the process of a reader. Refuses what is not one: `not_a_calendar`, `broken_event`
 * (a part of it cannot be read, so nobody knows when its owner is busy), `too_many_events`.
 */
export function read(question: CalendarQuestion, content: Buffer): ReadCalendar {
  const text = new TextDecoder().decode(content);
  if (question.form === 'icalendar') {
    return { ...readText(text, '', question, question.most_events), resources: [] };
  }
  const busy: BusyTime[] = [];
  const { texts, resources } = calendarTextsOf(text);
  for (const { resource, text: calendar } of texts) {
    const left = question.most_events - busy.length;
    busy.push(...readText(calendar, resource, question, left).busy);
  }
  return { name: null, time_zone: null, busy, resources };
}

function readText(
  text: string,
  resource: string,
  question: CalendarQuestion,
  most: number,
): Omit<ReadCalendar, 'resources'> {
  const { frame, series } = splitCalendar(text, question.from);
  const around = parse(frame).map((each) => new ICAL.Component(each));
  const zones = zonesOf(around);
  const said = textOf(around, 'x-wr-timezone');
  const time_zone = said === null ? null : zoneNamed(said);
  const floating = question.time_zone ?? time_zone ?? question.owner_time_zone;
  const busy: BusyTime[] = [];
  const taken = new Set<string>();
  try {
    for (const [uid, events] of series) {
      for (const instance of instancesOf(seriesOf(events, uid, zones), { ...question, floating })) {
        if (!isBusy(instance.event, question.owner_addresses)) continue;
        if (busy.length >= most) throw new UnreadableFile('too_many_events');
        busy.push({ ...spanOf(instance), resource, uid, key: keyOf(uid, instance, taken) });
      }
    }
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile('broken_event');
  }
  return { name: textOf(around, 'x-wr-calname')?.slice(0, 200) ?? null, time_zone, busy };
}

type Tree = [string, unknown[], unknown[]];

function parse(text: string, refusal = 'not_a_calendar'): Tree[] {
  try {
    const parsed = ICAL.parse(text) as unknown[];
    const several = (Array.isArray(parsed[0]) ? parsed : [parsed]) as Tree[];
    if (several.length > 0 && several.every(([name]) => name === 'vcalendar')) return several;
  } catch {
    // ical.js says what is wrong with words of the text: the reason is enough.
  }
  throw new UnreadableFile(refusal);
}

function textOf(calendars: readonly ICAL.Component[], property: string): string | null {
  const value = calendars.map((each) => each.getFirstPropertyValue(property)).find(Boolean);
  return value ? String(value) : null;
}

/** Events without a UID are no series: an override among them changes nothing but itself. */
function seriesOf(texts: readonly string[], uid: string | null, zones: Zones): Series {
  const series: Series = { masters: [], overrides: [] };
  for (const text of texts) {
    const [tree] = parse(`BEGIN:VCALENDAR\r\n${text}\r\nEND:VCALENDAR`, 'broken_event');
    const [event] = new ZonedCalendar(tree!, zones).getAllSubcomponents('vevent');
    const is_override = uid !== null && event!.hasProperty('recurrence-id');
    series[is_override ? 'overrides' : 'masters'].push(event!);
  }
  return series;
}

function spanOf({
  event,
  start,
  end,
  all_day,
}: Instance): Pick<BusyTime, 'start' | 'end' | 'all_day' | 'title'> {
  const summary = event.getFirstPropertyValue('summary');
  return { start, end, all_day, title: summary === null ? null : titleOf(String(summary)) };
}

/** A title of up to 500 letters that the database can store. */
function titleOf(summary: string): string | null {
  return summary.slice(0, 500).replaceAll('\0', '').toWellFormed() || null;
}

/** UIDs may be as long as anybody wants: keys have the hash. Two events of one UID, which must not be, are both kept. */
function keyOf(uid: string | null, { recurrence, start }: Instance, taken: Set<string>): string {
  const event = createHash('sha256')
    .update(uid ?? `without:${start}`)
    .digest('base64url')
    .slice(0, 22);
  const base = recurrence === '' ? event : `${event}/${recurrence}`;
  let key = base;
  for (let n = 2; taken.has(key); n++) key = `${base}/${n}`;
  taken.add(key);
  return key;
}
