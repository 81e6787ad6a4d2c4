import { contentLines, instantValue, mailtoValue, quotedParameter, textValue } from './content-lines.ts';

/** Somebody by name and address. */
export type Participant = { name: string; address: string };

/** An event as iCalendar tells it. Instants are ISO 8601. */
export type CalendarEvent = {
  /** The same for every text about this event. */
  uid: string;
  /** Rises with each text that changes what an earlier one said (RFC 5545 3.8.7.4). */
  sequence: number;
  /** When this was written; for published events when the event was last changed. */
  stamped_at: string;
  start: string;
  end: string;
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
  summary: string;
  description: string | null;
  location: string | null;
  /** Absent in what is published: RFC 5546 3.2.1 knows no attendees there, and an organizer stands for them. */
  invites?: { organizer: Participant; attendees: readonly Participant[] };
};

/**
 * `REQUEST` invites and changes, `CANCEL` takes back (RFC 5546 3.2.2, 3.2.5); `PUBLISH` asks nothing of its readers.
 */
export type Method = 'REQUEST' | 'CANCEL' | 'PUBLISH';

export type Calendar = {
  method: Method;
  /** What programs call the calendar, where they follow one. */
  name?: string;
  events: readonly CalendarEvent[];
};

const PRODUCT = '-//Business Operations Service//Scheduler//EN';

/** Half a day's changes are seen by programs that ask as often as this; RFC 7986 5.7, and its name before that. */
const REFRESH = 'PT15M';

/** A calendar as RFC 5545 writes it: times in UTC, so that no reader needs a table of time zones. */
export function calendarText({ method, name, events }: Calendar): string {
  return contentLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${PRODUCT}`,
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    ...(name === undefined ? [] : namingLines(name)),
    ...events.flatMap(eventLines),
    'END:VCALENDAR',
  ]);
}

function namingLines(name: string): string[] {
  return [
    `NAME:${textValue(name)}`,
    `X-WR-CALNAME:${textValue(name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
  ];
}

function eventLines(event: CalendarEvent): string[] {
  const { description, location, invites } = event;
  return [
    'BEGIN:VEVENT',
    `UID:${textValue(event.uid)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:${instantValue(event.stamped_at)}`,
    `DTSTART:${instantValue(event.start)}`,
    `DTEND:${instantValue(event.end)}`,
    `STATUS:${event.status}`,
    `SUMMARY:${textValue(event.summary)}`,
    ...(description === null ? [] : [`DESCRIPTION:${textValue(description)}`]),
    ...(location === null ? [] : [`LOCATION:${textValue(location)}`]),
    ...(invites ? [organizerLine(invites.organizer), ...invites.attendees.map(attendeeLine)] : []),
    'TRANSP:OPAQUE',
    'END:VEVENT',
  ];
}

function organizerLine({ name, address }: Participant): string {
  return `ORGANIZER;CN=${quotedParameter(name)}:${mailtoValue(address)}`;
}

/** Who booked or hosts has said yes by it, and nobody waits for an answer. */
function attendeeLine({ name, address }: Participant): string {
  const said = 'ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE';
  return `ATTENDEE;CN=${quotedParameter(name)};${said}:${mailtoValue(address)}`;
}

/** The name of a booking or a session in every calendar, now and after each change. */
export function uidOf(record_id: string, base_url: string): string {
  return `${record_id}@${new URL(base_url).hostname}`;
}
