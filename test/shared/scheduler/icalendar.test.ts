import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Calendar,
  type CalendarEvent,
  calendarText,
  uidOf,
} from '../../../shared/scheduler/icalendar/calendar.ts';
import { assertLines, type ReadCalendar, readByIcalJs, readByPython } from '../../support/icalendar.ts';

const event: CalendarEvent = {
  uid: 'book_01kaj2n5w5fq8b4m0g3v7x9rtc@service.example',
  sequence: 3,
  stamped_at: '2026-11-26T06:00:00.500Z',
  start: '2027-01-15T01:00:00.000Z',
  end: '2027-01-15T01:40:00.000Z',
  status: 'CONFIRMED',
  summary: '初回相談; 山田, 花子 \\ "東京"',
  description: '一行目\r\n二行目\u2028三行目',
  location: null,
  invites: {
    organizer: { name: '株式会社 "山田"; 商事', address: 'no-reply@service.example' },
    attendees: [{ name: 'A\r\nATTENDEE:mailto:x@example.com', address: "o'hara+tag@example.com" }],
  },
};

describe('an invitation', () => {
  const text = calendarText({ method: 'REQUEST', events: [event] });

  it('is written line by line as RFC 5545 says', () => {
    assert.equal(
      text.replaceAll('\r\n ', ''),
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Business Operations Service//Scheduler//EN',
        'CALSCALE:GREGORIAN',
        'METHOD:REQUEST',
        'BEGIN:VEVENT',
        'UID:book_01kaj2n5w5fq8b4m0g3v7x9rtc@service.example',
        'SEQUENCE:3',
        'DTSTAMP:20261126T060000Z',
        'DTSTART:20270115T010000Z',
        'DTEND:20270115T014000Z',
        'STATUS:CONFIRMED',
        'SUMMARY:初回相談\\; 山田\\, 花子 \\\\ "東京"',
        'DESCRIPTION:一行目\\n二行目\\n三行目',
        `ORGANIZER;CN="株式会社 '山田'; 商事":mailto:no-reply@service.example`,
        `ATTENDEE;CN="A ATTENDEE:mailto:x@example.com";ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:o'hara+tag@example.com`,
        'TRANSP:OPAQUE',
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    );
    assertLines(text);
  });

  it('names one host of the service, whatever its address is', () => {
    assert.equal(uidOf('book_1', 'https://service.example:8443/app'), 'book_1@service.example');
  });
});

const HARD = ['\r', '\n', '\r\n', '\u2028', '"', ';', ',', ':', '^', '𠮷', '\ud800'];

/** Calendars of texts that are hard to write. */
function calendarsWith(hard: readonly string[], allowed: RegExp): Calendar[] {
  const parts = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...hard) }, fc.string({ unit: 'binary' }));
  const text = fc
    .array(parts, { maxLength: 60 })
    .map((all) => all.join('').replace(/./gsu, (one) => (allowed.test(one) ? one : '')));
  const instant = fc
    .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString());
  const person = fc.record({ name: text, address: fc.emailAddress() });
  const anyEvent: fc.Arbitrary<CalendarEvent> = fc.record({
    uid: fc.uuid(),
    sequence: fc.nat(),
    stamped_at: instant,
    start: instant,
    end: instant,
    status: fc.constantFrom('CONFIRMED', 'TENTATIVE', 'CANCELLED'),
    summary: text,
    description: fc.option(text),
    location: fc.option(text),
    invites: fc.record({ organizer: person, attendees: fc.array(person, { maxLength: 4 }) }),
  });
  const calendar: fc.Arbitrary<Calendar> = fc.record({
    method: fc.constantFrom('REQUEST', 'CANCEL', 'PUBLISH'),
    name: text,
    events: fc.array(anyEvent, { minLength: 1, maxLength: 3 }),
  });
  return fc.sample(calendar, { numRuns: 200, seed: 20261126 });
}

describe('other programs read the same from what any texts were written into', () => {
  it('ical.js', () => {
    for (const calendar of calendarsWith([...HARD, '\\', '\\n'], /./su)) {
      const text = calendarText(calendar);
      assertLines(text);
      assert.deepEqual(readByIcalJs(text), asRead(calendar));
    }
  });

  it('icalendar of Python, which takes an escaped backslash before an n for a line end', () => {
    const calendars = calendarsWith(HARD, /[^\\]/su);
    assert.deepEqual(readByPython(calendars.map(calendarText)), calendars.map(asRead));
  });
});

/** What a reader should find in a calendar. */
function asRead({ method, events }: Calendar): ReadCalendar {
  const line = (text: string) =>
    text
      .replace(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/gu, '\n')
      .replaceAll('\t', ' ')
      .replace(/[^\n\P{Cc}]|\p{Cs}/gu, '');
  const second = (instant: string) => `${instant.slice(0, 19)}.000Z`;
  return {
    method,
    events: events.map(({ uid, sequence, start, end, status, summary, description, location, invites }) => ({
      uid,
      sequence,
      start: second(start),
      end: second(end),
      status,
      summary: line(summary),
      description: description === null ? null : line(description),
      location: location === null ? null : line(location),
      organizer: `mailto:${invites!.organizer.address.replaceAll('%', '%25').replaceAll('#', '%23')}`,
      attendees: invites!.attendees.map(
        ({ address }) => `mailto:${address.replaceAll('%', '%25').replaceAll('#', '%23')}`,
      ),
    })),
  };
}
