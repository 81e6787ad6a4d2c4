import ICAL from 'ical.js';
import { startsByRule } from './rules.ts';
import { instantOf } from './zones.ts';

/** An event with the instances of it that were changed (RECURRENCE-ID), all of one UID. */
export type Series = { masters: ICAL.Component[]; overrides: ICAL.Component[] };

/** An instance of an event. `recurrence` tells it from the others of its event; empty for one that does not repeat. */
export type Instance = {
  event: ICAL.Component;
  recurrence: string;
  start: number;
  end: number;
  all_day: boolean;
};

export type Window = { from: number; to: number; floating: string };

/** An override that holds for the instances after it too (RANGE=THISANDFUTURE), with how far it moves them. */
type Onwards = { from: number; event: ICAL.Component; moved: number };

/**
 * The instances of a series that reach into the window (RFC 5545, 3.8.5). An override stands for the instance it names,
 * wherever it was moved to.
 */
export function* instancesOf({ masters, overrides }: Series, window: Window): Generator<Instance> {
  const replaced = new Set<string>();
  const onwards: Onwards[] = [];
  for (const event of overrides) {
    const recurrence = timeOf(event, 'recurrence-id')!;
    const start = timeOf(event, 'dtstart');
    if (!start) continue;
    replaced.add(keyOf(recurrence, window.floating));
    const range = event.getFirstProperty('recurrence-id')!.getFirstParameter('range');
    if (range?.toUpperCase() === 'THISANDFUTURE') onwards.push(onwardsOf(event, recurrence, start, window));
    yield* within(instanceAt(event, start, keyOf(recurrence, window.floating), window), window);
  }
  for (const master of masters) {
    const repeats = master.hasProperty('rrule') || master.hasProperty('rdate');
    const excluded = new Set([...replaced, ...keysOf(master, 'exdate', window.floating)]);
    const moved = onwards.map((each) => lengthOf(each.event, window) + Math.abs(each.moved));
    const reach = Math.max(lengthOf(master, window), ...moved);
    for (const start of startsOf(master, reach, window)) {
      const key = keyOf(start, window.floating);
      if (excluded.has(key) || excluded.has(dateOf(start))) continue;
      const instance = instanceAt(master, start, repeats ? key : '', window);
      yield* within(movedBy(onwards, instance, window), window);
    }
  }
}

/**
 * Each start of an event once that is in the window, or `reach` milliseconds before it. The first one is always among them.
 */
function* startsOf(event: ICAL.Component, reach: number, window: Window): Generator<ICAL.Time> {
  const { from, to, floating } = window;
  const first = timeOf(event, 'dtstart');
  if (!first) return;
  const seen = new Set<string>();
  const rules = event.getAllProperties('rrule').map((each) => each.getFirstValue() as ICAL.Recur);
  const by_rules = rules.flatMap((rule) => startsByRule(rule, first, { from: from - reach, to, floating }));
  for (const time of [first, ...by_rules, ...timesOf(event, 'rdate')]) {
    const key = keyOf(time, floating);
    if (!seen.has(key)) yield time;
    seen.add(key);
  }
}

function instanceAt(event: ICAL.Component, start: ICAL.Time, recurrence: string, window: Window): Instance {
  const begins = instantOf(start, window.floating);
  const end = endOf(event, start, begins, window.floating);
  return { event, recurrence, start: begins, end, all_day: start.isDate };
}

/**
 * A date lasts whole days, by the calendar, one at least: some programs write a day that ends on itself. What has an end lasts as
 * long in each instance.
 */
function endOf(event: ICAL.Component, start: ICAL.Time, begins: number, floating: string): number {
  const first = timeOf(event, 'dtstart')!;
  const end = timeOf(event, 'dtend');
  const duration = event.getFirstPropertyValue('duration') as ICAL.Duration | null;
  if (start.isDate) {
    const seconds = end ? end.toUnixTime() - first.toUnixTime() : (duration?.toSeconds() ?? 86_400);
    return instantOf(later(start, Math.max(1, Math.ceil(seconds / 86_400))), floating);
  }
  if (end) return begins + instantOf(end, floating) - instantOf(first, floating);
  if (!duration) return begins;
  // Days of a duration are dates, its hours are elapsed time (RFC 5545, 3.3.6).
  const days = duration.weeks * 7 + duration.days;
  const seconds = (duration.hours * 60 + duration.minutes) * 60 + duration.seconds;
  if (duration.isNegative) return begins;
  return instantOf(later(start, days), floating) + seconds * 1000;
}

function later(time: ICAL.Time, days: number): ICAL.Time {
  const moved = time.clone();
  moved.adjust(days, 0, 0, 0);
  return moved;
}

function onwardsOf(
  event: ICAL.Component,
  recurrence: ICAL.Time,
  start: ICAL.Time,
  { floating }: Window,
): Onwards {
  const from = instantOf(recurrence, floating);
  return { from, event, moved: instantOf(start, floating) - from };
}

function movedBy(onwards: readonly Onwards[], instance: Instance, window: Window): Instance {
  const latest = onwards.filter(({ from }) => from <= instance.start).toSorted((a, b) => b.from - a.from)[0];
  if (!latest) return instance;
  const { event, moved } = latest;
  const start = instance.start + moved;
  const all_day = timeOf(event, 'dtstart')!.isDate;
  return { event, recurrence: instance.recurrence, start, end: start + lengthOf(event, window), all_day };
}

/** Milliseconds that an event lasts the first time. */
function lengthOf(event: ICAL.Component, { floating }: Window): number {
  const first = timeOf(event, 'dtstart');
  if (!first) return 0;
  const begins = instantOf(first, floating);
  return Math.max(0, endOf(event, first, begins, floating) - begins);
}

function* within(instance: Instance, { from, to }: Window): Generator<Instance> {
  const { start, end } = instance;
  if (start < end && end > from && start < to) yield instance;
}

function timeOf(event: ICAL.Component, property: string): ICAL.Time | null {
  const value = event.getFirstPropertyValue(property);
  return value instanceof ICAL.Time ? value : null;
}

/** All times of a property; of a period its start. */
function timesOf(event: ICAL.Component, property: string): ICAL.Time[] {
  const values = event.getAllProperties(property).flatMap((each) => each.getValues() as unknown[]);
  return values.flatMap((value) => {
    if (value instanceof ICAL.Period) return [value.start];
    return value instanceof ICAL.Time ? [value] : [];
  });
}

function keysOf(event: ICAL.Component, property: string, floating: string): string[] {
  return timesOf(event, property).map((time) => keyOf(time, floating));
}

/** Names an instance by its start, the same in whatever zone it was written. */
function keyOf(time: ICAL.Time, floating: string): string {
  return time.isDate ? dateOf(time) : new Date(instantOf(time, floating)).toISOString();
}

function dateOf({ year, month, day }: ICAL.Time): string {
  return new Temporal.PlainDate(year, month, day).toString();
}
