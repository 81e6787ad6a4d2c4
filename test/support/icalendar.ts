import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import ICAL from 'ical.js';

/** An event as another program reads it, instants in ISO 8601. */
export type ReadEvent = {
  uid: string;
  sequence: number;
  start: string;
  end: string;
  status: string;
  summary: string;
  description: string | null;
  location: string | null;
  /** `mailto:` and the address; null where nobody invites. */
  organizer: string | null;
  attendees: string[];
};

export type ReadCalendar = { method: string | null; events: ReadEvent[] };

/** The text's lines, unfolded by nobody: each ends in CRLF and has 75 octets at most, and whole characters. */
export function assertLines(text: string): void {
  assert.ok(text.endsWith('\r\n'));
  const lines = text.slice(0, -2).split('\r\n');
  for (const line of lines) {
    assert.ok(Buffer.byteLength(line) <= 75, `${Buffer.byteLength(line)} octets: ${line}`);
    assert.match(line, /^[^\p{Cc}\p{Cs}]*$/u);
  }
}

/** A calendar as ical.js reads it. No time of it may be a floating one. */
export function readByIcalJs(text: string): ReadCalendar {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const events = calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    for (const name of ['dtstart', 'dtend', 'dtstamp']) {
      const time = component.getFirstPropertyValue(name) as ICAL.Time;
      assert.equal(time.zone?.tzid, 'UTC', `${name} is not in UTC`);
    }
    const told = (name: string) => (component.getFirstPropertyValue(name) as string | null) ?? null;
    return {
      uid: event.uid,
      sequence: event.sequence,
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      status: String(told('status')),
      summary: event.summary,
      description: told('description'),
      location: told('location'),
      organizer: told('organizer'),
      attendees: event.attendees.map((attendee) => String(attendee.getFirstValue())),
    };
  });
  return { method: calendar.getFirstPropertyValue('method') as string | null, events };
}

/** The system's Python: its icalendar comes with the system. */
const PYTHON = '/usr/bin/python3';

const PROGRAM = `
import json, sys
from datetime import timezone
from icalendar import Calendar

def instant(event, name):
    value = event[name].dt
    assert value.tzinfo is not None and value.utcoffset().total_seconds() == 0, name
    return value.astimezone(timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.000Z')

def listed(value):
    return [] if value is None else [str(one) for one in (value if isinstance(value, list) else [value])]

def told(event, name):
    return None if event.get(name) is None else str(event[name])

def read(text):
    calendar = Calendar.from_ical(text)
    assert calendar.to_ical() is not None
    events = []
    for event in calendar.walk('VEVENT'):
        assert event.errors == [], event.errors
        instant(event, 'DTSTAMP')
        events.append({
            'uid': told(event, 'UID'), 'sequence': int(event['SEQUENCE']),
            'start': instant(event, 'DTSTART'), 'end': instant(event, 'DTEND'),
            'status': told(event, 'STATUS'), 'summary': told(event, 'SUMMARY'),
            'description': told(event, 'DESCRIPTION'), 'location': told(event, 'LOCATION'),
            'organizer': told(event, 'ORGANIZER'), 'attendees': listed(event.get('ATTENDEE')),
        })
    return {'method': told(calendar, 'METHOD'), 'events': events}

json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
`;

/** Calendars as Python's icalendar reads them, in one run of it. */
export function readByPython(texts: readonly string[]): ReadCalendar[] {
  const input = JSON.stringify(texts);
  return JSON.parse(execFileSync(PYTHON, ['-c', PROGRAM], { input, encoding: 'utf8', maxBuffer: 64 << 20 }));
}
