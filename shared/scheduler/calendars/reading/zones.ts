import ICAL from 'ical.js';
import { zoneNamed } from './zone-names.ts';

/** A zone of Node's database, for the arithmetic of ical.js. */
class NamedZone extends ICAL.Timezone {
  override utcOffset(time: ICAL.Time): number {
    const { year, month, day, hour, minute, second } = time;
    const shown = Date.UTC(year, month - 1, day, hour, minute, second);
    // Not its offset: of a time that a change of the clock skips, that would be the one after the change.
    return (shown - zonedOf(time, this.tzid).epochMilliseconds) / 1000;
  }
}

/** What a TZID means; null for what nobody knows, whose times are read as floating ones. */
export type Zones = (tzid: string) => ICAL.Timezone | null;

/** Zones of Node's database where it has one of that name, else those that the calendars define (VTIMEZONE). */
export function zonesOf(calendars: readonly ICAL.Component[]): Zones {
  const found = new Map<string, ICAL.Timezone | null>();
  const find = (tzid: string): ICAL.Timezone | null => {
    const name = zoneNamed(tzid);
    if (name) return new NamedZone({ tzid: name });
    return calendars.map((each) => each.getTimeZoneByID(tzid)).find(Boolean) ?? null;
  };
  return (tzid) => {
    if (!found.has(tzid)) found.set(tzid, find(tzid));
    return found.get(tzid)!;
  };
}

/** A calendar that takes its zones from elsewhere. */
export class ZonedCalendar extends ICAL.Component {
  readonly #zones: Zones;

  constructor(tree: unknown[], zones: Zones) {
    super(tree);
    this.#zones = zones;
  }

  override getTimeZoneByID(tzid: string): ICAL.Timezone {
    // Its type leaves out the null that it answers for what it does not know.
    return this.#zones(tzid) as ICAL.Timezone;
  }
}

/** The instant of a time in milliseconds. One without a zone, as all-day ones, is of the zone `floating`. */
export function instantOf(time: ICAL.Time, floating: string): number {
  const has_none = time.isDate || time.zone === ICAL.Timezone.localTimezone;
  return has_none ? zonedOf(time, floating).epochMilliseconds : time.toUnixTime() * 1000;
}

function zonedOf(time: ICAL.Time, zone: string): Temporal.ZonedDateTime {
  const { year, month, day, hour, minute, second } = time;
  return Temporal.PlainDateTime.from({ year, month, day, hour, minute, second }).toZonedDateTime(zone);
}

/** What the clocks of a time's zone show at an instant. A time without a zone is of the zone `floating`. */
export function wallTimeIn({ zone, isDate }: ICAL.Time, instant: number, floating: string): ICAL.Time {
  const in_utc = clockTime(Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('UTC'));
  if (zone instanceof NamedZone || isDate || zone === ICAL.Timezone.localTimezone) {
    const name = zone instanceof NamedZone && !isDate ? zone.tzid : floating;
    return clockTime(Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name));
  }
  in_utc.zone = ICAL.Timezone.utcTimezone;
  return in_utc.convertToZone(zone!);
}

function clockTime({ year, month, day, hour, minute, second }: Temporal.ZonedDateTime): ICAL.Time {
  return new ICAL.Time(
    { year, month, day, hour, minute, second, isDate: false },
    ICAL.Timezone.localTimezone,
  );
}
