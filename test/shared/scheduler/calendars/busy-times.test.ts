import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnreadableFile } from '../../../../shared/platform/readers/failure.ts';
import { read } from '../../../../shared/scheduler/calendars/reading/read.ts';
import type { CalendarQuestion } from '../../../../shared/scheduler/calendars/reading/types.ts';

const question: CalendarQuestion = {
  form: 'icalendar',
  from: Date.parse('2026-11-25T00:00:00Z'),
  to: Date.parse('2028-12-24T00:00:00Z'),
  time_zone: null,
  owner_time_zone: 'Asia/Tokyo',
  owner_addresses: ['hanako@example.co.jp'],
  most_events: 10_000,
};

function calendar(lines: string): Buffer {
  return Buffer.from(['BEGIN:VCALENDAR', ...lines.trim().split(/\n\s*/), 'END:VCALENDAR', ''].join('\r\n'));
}

function event(lines: string, uid = 'one@example.com'): string {
  return `BEGIN:VEVENT\nUID:${uid}\n${lines.trim()}\nEND:VEVENT\n`;
}

/** The busy times of a text as `start/end` in UTC without seconds, in the order of time. */
function times(lines: string, changed: Partial<CalendarQuestion> = {}): string[] {
  const { busy } = read({ ...question, ...changed }, calendar(lines));
  const text = (at: number) => new Date(at).toISOString().replace(/:00\.000Z$/, 'Z');
  return busy.map(({ start, end }) => `${text(start)}/${text(end)}`).toSorted();
}

const TEN_TO_ELEVEN = 'DTSTART;TZID=Asia/Tokyo:20261201T100000\nDTEND;TZID=Asia/Tokyo:20261201T110000';
const SPAN = '2026-12-01T01:00Z/2026-12-01T02:00Z';

describe('who is busy', () => {
  it('with an event, in whatever form its times are', () => {
    assert.deepEqual(times(event(TEN_TO_ELEVEN)), [SPAN]);
    assert.deepEqual(times(event('DTSTART:20261201T010000Z\nDURATION:PT1H')), [SPAN]);
    assert.deepEqual(times(event('DTSTART:20261201T100000\nDTEND:20261201T110000')), [SPAN]);
    assert.deepEqual(times(event(`${TEN_TO_ELEVEN}\nSTATUS:TENTATIVE`)), [SPAN]);
  });

  const free = {
    transparent: 'TRANSP:TRANSPARENT',
    cancelled: 'STATUS:CANCELLED',
    'declined by the owner': 'ATTENDEE;PARTSTAT=DECLINED:mailto:Hanako@example.co.jp',
    'where somebody works': 'X-MICROSOFT-CDO-BUSYSTATUS:WORKINGELSEWHERE',
  };
  for (const [name, line] of Object.entries(free)) {
    it(`not with one that is ${name}`, () => assert.deepEqual(times(event(`${TEN_TO_ELEVEN}\n${line}`)), []));
  }

  it('with one that somebody else declined', () => {
    const declined = 'ATTENDEE;PARTSTAT=DECLINED:mailto:taro@example.co.jp';
    assert.deepEqual(times(event(`${TEN_TO_ELEVEN}\n${declined}`)), [SPAN]);
  });

  it('with a day that ends on itself, as some programs write it', () => {
    const day = event('DTSTART;VALUE=DATE:20261201\nDTEND;VALUE=DATE:20261201');
    assert.deepEqual(times(day), ['2026-11-30T15:00Z/2026-12-01T15:00Z']);
  });

  it('not with one that takes no time, is a task, or lies outside of what is asked about', () => {
    assert.deepEqual(times(event('DTSTART:20261201T010000Z')), []);
    assert.deepEqual(
      times('BEGIN:VTODO\nUID:a\nDTSTART:20261201T010000Z\nDUE:20261202T010000Z\nEND:VTODO'),
      [],
    );
    assert.deepEqual(times(event('DTSTART:20261124T230000Z\nDTEND:20261125T000000Z')), []);
    assert.deepEqual(times(event('DTSTART:20281224T000000Z\nDURATION:PT1H')), []);
    assert.equal(times(event('DTSTART:20261124T230000Z\nDTEND:20261125T000100Z')).length, 1);
  });

  it('tells title, UID and what the calendar calls itself', () => {
    const lines = `X-WR-CALNAME:山田の予定\nX-WR-TIMEZONE:Europe/Paris\n${event(`${TEN_TO_ELEVEN}\nSUMMARY:a\\, b`)}`;
    const found = read(question, calendar(lines));
    assert.deepEqual([found.name, found.time_zone], ['山田の予定', 'Europe/Paris']);
    const [busy] = found.busy;
    assert.deepEqual([busy!.title, busy!.uid, busy!.all_day], ['a, b', 'one@example.com', false]);
  });
});

describe('the zone of a time', () => {
  const all_day = event('DTSTART;VALUE=DATE:20261201\nDTEND;VALUE=DATE:20261203');

  it("without one is the calendar's, else the one it names, else its owner's", () => {
    assert.deepEqual(times(all_day), ['2026-11-30T15:00Z/2026-12-02T15:00Z']);
    assert.deepEqual(times(`X-WR-TIMEZONE:America/New_York\n${all_day}`), [
      '2026-12-01T05:00Z/2026-12-03T05:00Z',
    ]);
    assert.deepEqual(times(`X-WR-TIMEZONE:America/New_York\n${all_day}`, { time_zone: 'Europe/Paris' }), [
      '2026-11-30T23:00Z/2026-12-02T23:00Z',
    ]);
    assert.deepEqual(times(event('DTSTART;VALUE=DATE:20261201')), ['2026-11-30T15:00Z/2026-12-01T15:00Z']);
  });

  it('lasts a date over a change of the clock', () => {
    assert.deepEqual(times(event('DTSTART;VALUE=DATE:20270328'), { owner_time_zone: 'Europe/Paris' }), [
      '2027-03-27T23:00Z/2027-03-28T22:00Z',
    ]);
  });

  it('is the one of that name, whatever the text says about it', () => {
    const wrong = `
      BEGIN:VTIMEZONE\nTZID:Asia/Tokyo\nBEGIN:STANDARD\nDTSTART:19700101T000000
      TZOFFSETFROM:+0000\nTZOFFSETTO:+0000\nEND:STANDARD\nEND:VTIMEZONE\n`;
    assert.deepEqual(times(wrong + event(TEN_TO_ELEVEN)), [SPAN]);
    const prefixed = TEN_TO_ELEVEN.replaceAll('=Asia', '=/freeassociation.sourceforge.net/Asia');
    assert.deepEqual(times(event(prefixed)), [SPAN]);
  });

  it('is what the text defines, with its changes of the clock', () => {
    const defined = `
      BEGIN:VTIMEZONE\nTZID:Head Office
      BEGIN:STANDARD\nDTSTART:16010101T030000\nTZOFFSETFROM:+0200\nTZOFFSETTO:+0100
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\nEND:STANDARD
      BEGIN:DAYLIGHT\nDTSTART:16010101T020000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200
      RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\nEND:DAYLIGHT\nEND:VTIMEZONE\n`;
    const at = (date: string) => event(`DTSTART;TZID=Head Office:${date}T100000\nDURATION:PT1H`, date);
    assert.deepEqual(times(defined + at('20270115') + at('20270715')), [
      '2027-01-15T09:00Z/2027-01-15T10:00Z',
      '2027-07-15T08:00Z/2027-07-15T09:00Z',
    ]);
  });

  it('that nobody knows is read as none', () => {
    assert.deepEqual(times(event(TEN_TO_ELEVEN.replaceAll('Asia/Tokyo', 'Nowhere'))), [SPAN]);
  });

  it('that a change of the clock skips is later by it, and a repeated one is the first', () => {
    const paris = (time: string) => event(`DTSTART;TZID=Europe/Paris:${time}\nDURATION:PT30M`);
    assert.deepEqual(times(paris('20270328T023000')), ['2027-03-28T01:30Z/2027-03-28T02:00Z']);
    assert.deepEqual(times(paris('20271031T023000')), ['2027-10-31T00:30Z/2027-10-31T01:00Z']);
  });
});

describe('an event that repeats', () => {
  const daily = `${TEN_TO_ELEVEN}\nRRULE:FREQ=DAILY;COUNT=4`;
  const days = (...numbers: number[]) =>
    numbers.map((day) => `2026-12-0${day}T01:00Z/2026-12-0${day}T02:00Z`);

  it('has each of its instances', () => assert.deepEqual(times(event(daily)), days(1, 2, 3, 4)));

  it('keeps its time on the clock', () => {
    const weekly = 'DTSTART;TZID=Europe/Paris:20270326T100000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=2';
    assert.deepEqual(times(event(weekly)), [
      '2027-03-26T09:00Z/2027-03-26T10:00Z',
      '2027-04-02T08:00Z/2027-04-02T09:00Z',
    ]);
  });

  it('ends with the instant or date that its rule names', () => {
    const until = (end: string) => times(event(`${TEN_TO_ELEVEN}\nRRULE:FREQ=DAILY;UNTIL=${end}`));
    assert.deepEqual(until('20261203T010000Z'), days(1, 2, 3));
    assert.deepEqual(until('20261203T005959Z'), days(1, 2));
    assert.deepEqual(until('20261203'), days(1, 2, 3));
    const floating = TEN_TO_ELEVEN.replaceAll(';TZID=Asia/Tokyo', '');
    assert.deepEqual(times(event(`${floating}\nRRULE:FREQ=DAILY;UNTIL=20261203T005959Z`)), days(1, 2));
  });

  it('leaves out what is excluded, in any zone, and adds dates', () => {
    assert.deepEqual(times(event(`${daily}\nEXDATE:20261202T010000Z,20261130T010000Z`)), days(1, 3, 4));
    assert.deepEqual(times(event(`${daily}\nEXDATE;VALUE=DATE:20261203`)), days(1, 2, 4));
    assert.deepEqual(times(event(`${daily}\nRDATE:20261206T010000Z,20261201T010000Z`)), days(1, 2, 3, 4, 6));
  });

  it('has changed instances where they were moved to, and not where they were', () => {
    const moved = event('RECURRENCE-ID:20261202T010000Z\nDTSTART:20261210T030000Z\nDURATION:PT2H');
    assert.deepEqual(times(event(daily) + moved), [...days(1, 3, 4), '2026-12-10T03:00Z/2026-12-10T05:00Z']);
    const cancelled = event(
      'RECURRENCE-ID;TZID=Asia/Tokyo:20261203T100000\nDTSTART:20261203T010000Z\nDURATION:PT1H\nSTATUS:CANCELLED',
    );
    assert.deepEqual(times(cancelled + event(daily)), days(1, 2, 4));
    assert.deepEqual(times(moved), ['2026-12-10T03:00Z/2026-12-10T05:00Z']);
  });

  it('goes on changed where an instance says so', () => {
    const later = event(
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20261203T010000Z\nDTSTART:20261203T050000Z\nDURATION:PT30M',
    );
    assert.deepEqual(times(event(daily) + later), [
      ...days(1, 2),
      '2026-12-03T05:00Z/2026-12-03T05:30Z',
      '2026-12-04T05:00Z/2026-12-04T05:30Z',
    ]);
  });

  it('is found where it began long ago', () => {
    const old = 'DTSTART:19700101T010000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY';
    assert.equal(times(event(old)).length, 760);
    assert.deepEqual(times(event(`${old};UNTIL=20200101T000000Z`)), []);
  });

  it('gives each instance a key that stays', () => {
    const keys = (lines: string) => read(question, calendar(lines)).busy.map(({ key }) => key);
    const all = keys(event(daily));
    assert.equal(new Set(all).size, 4);
    assert.deepEqual(keys(event(`${daily}\nEXDATE:20261202T010000Z`)), all.toSpliced(1, 1));
    const moved = event('RECURRENCE-ID:20261202T010000Z\nDTSTART:20261210T030000Z\nDURATION:PT2H');
    assert.deepEqual(keys(event(daily) + moved).toSorted(), all.toSorted());
    assert.equal(new Set(keys(event(TEN_TO_ELEVEN) + event(TEN_TO_ELEVEN))).size, 2);
  });
});

describe('what is refused', () => {
  const word = (expected: string) => (error: unknown) =>
    error instanceof UnreadableFile && error.word === expected;

  for (const text of ['', '<html></html>', 'BEGIN:VCALENDAR\nBEGIN:VEVENT', 'BEGIN:VCARD\nEND:VCARD']) {
    it(`is what is not a calendar: ${JSON.stringify(text)}`, () => {
      assert.throws(() => read(question, Buffer.from(text)), word('not_a_calendar'));
    });
  }

  it('is one with an event that cannot be read, since its owner may be busy', () => {
    const broken = event('DTSTART:20261201T010000Z\nDURATION:PT1H\nRRULE:FREQ=NEVER');
    assert.throws(() => read(question, calendar(broken)), word('broken_event'));
  });

  for (const rule of [
    'FREQ=SECONDLY',
    'FREQ=MINUTELY;COUNT=1000000',
    'FREQ=DAILY;BYHOUR=1,2;BYMINUTE=1,2,3,4,5,6,7',
  ]) {
    it(`is one with more times than are taken: ${rule}`, () => {
      const often = event(`DTSTART:20261201T010000Z\nDURATION:PT1S\nRRULE:${rule}`);
      assert.throws(() => read(question, calendar(often)), word('too_many_events'));
    });
  }

  it('is not a rule that nothing fits: its first time stands', () => {
    const never = 'DTSTART:20261201T010000Z\nDURATION:PT1H\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30';
    assert.deepEqual(times(event(never)), [SPAN]);
  });
});
