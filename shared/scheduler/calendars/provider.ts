import type { Database } from '../../db/database.ts';
import type { OutsideServices } from '../../platform/outside/open.ts';
import { reasonsOfScheduler } from '../failure-reasons.ts';
import type { ListedCalendar, ProviderName } from './record.ts';

/** What a provider is handed to speak for a connection. Its secret is read where it is needed, never passed around. */
export type Opening = {
  database: Database;
  services: OutsideServices;
  organization_id: string;
  connection_id: string;
  clock: () => Date;
  signal?: AbortSignal;
};

/** What to read of a calendar. Without a token all of it is read, else what changed since the token was given. */
export type ReadAsked = {
  calendar_id: string;
  sync_token: string | null;
  /** Events that end after `from` and begin before `to`; each instance of those that repeat. */
  from: Date;
  to: Date;
  /** The zone of all-day and floating times where neither event nor calendar has one. */
  owner_time_zone: string;
};

/** A time at which the owner is busy. Instants; of an all-day event the midnights of its zone. */
export type BusySpan = { start: Date; end: Date; all_day: boolean; title: string | null };

/**
 * What is now true of one event, by a key that stays the same as long as the event is the same. `busy` is null for one that
 * was deleted, or does not occupy its owner. `uid` is the iCalendar UID, by which our own events are told.
 */
export type EventChange = { key: string; uid: string | null; busy: BusySpan | null };

export type ReadPage = {
  changes: readonly EventChange[];
  /** On the last page alone: what asks for the changes after it. Null where the provider has none. */
  next_sync_token: string | null;
  /** The zone of the calendar, where the page says it. */
  time_zone?: string | null;
};

/** `all`: what the pages do not name is not there any more. `changes`: it stays as it was. */
export type Reading = { holds: 'all' | 'changes'; pages: AsyncIterable<ReadPage> };

/** A booking or session as an entry in the calendar of one of its hosts. */
export type Entry = {
  /** The iCalendar UID: that of the mails about it. */
  uid: string;
  /** Lower-case letters a to v and digits, always the same for a booking and host. */
  key: string;
  title: string;
  description: string;
  location: string | null;
  start: Date;
  end: Date;
  wants_meeting_link: boolean;
};

/** An entry as it was written. `etag` is what the next change is bound to, where the provider has one. */
export type WrittenEntry = { etag: string | null; meeting_link: string | null };

/** Where the provider tells of changes, and until when. */
export type Channel = { id: string; resource_id: string; expires_at: Date };

/** What a connection can do. Errors of each call: `CalendarFailure`. */
export type OpenCalendars = {
  /** The calendars of the account, the primary one among them. */
  calendars(): Promise<readonly ListedCalendar[]>;
  /** Fails with `gone` where the token is no longer known: the caller reads all of it. */
  read(asked: ReadAsked): Promise<Reading>;
  /** Entries of ours; absent for what is only read. */
  entries?: {
    /** Writes an entry, whatever state it is in: made, changed, or revived where it had been deleted. */
    put(calendar_id: string, entry: Entry, before: WrittenEntry | null): Promise<WrittenEntry>;
    /** Removes an entry; one that is not there any more is removed. */
    remove(calendar_id: string, key: string, before: WrittenEntry | null): Promise<void>;
  };
  /** When the owner is busy in some calendars, asked live; absent where the provider has no such question. */
  busy?(
    calendar_ids: readonly string[],
    from: Date,
    to: Date,
  ): Promise<readonly { start: Date; end: Date }[]>;
  /** Has changes of a calendar told to an address; absent where the provider does not tell. */
  channels?: {
    open(calendar_id: string, channel: { id: string; token: string; address: string }): Promise<Channel>;
    close(channel: Pick<Channel, 'id' | 'resource_id'>): Promise<void>;
  };
  /** Gives the access back, where the provider knows such a thing. */
  revoke(): Promise<void>;
};

/** A kind of calendar elsewhere. */
export type CalendarProvider = {
  name: ProviderName;
  /** Whether it takes entries: then its primary calendar is the write target of a new connection. */
  writes: boolean;
  /** Whether it tells of changes as they happen. */
  tells: boolean;
  open(opening: Opening): OpenCalendars;
};

/**
 * Why a call to a provider came to nothing. `reauth_required`: its owner has to connect again. `gone`: the calendar or the
 * token of changes is not known any more. `rate`, `unavailable`: later it may work. `forbidden`: it is not allowed.
 * `broken`: what was answered cannot be used.
 */
export type CalendarFailureReason =
  | 'reauth_required'
  | 'gone'
  | 'rate'
  | 'unavailable'
  | 'forbidden'
  | 'broken';

/** A call to a provider that came to nothing. Its message names no account, address or text of an event. */
export class CalendarFailure extends Error {
  override name = 'CalendarFailure';
  readonly reason: CalendarFailureReason;
  /** A word for what exactly, shown as `status_reason`: `too_large`, `invalid_grant`, ... */
  readonly word: string;
  /** Milliseconds after which the provider asks to be called again, where it says so. */
  readonly retry_after: number | null;

  constructor(reason: CalendarFailureReason, word: string, retry_after: number | null = null) {
    super(reasonsOfScheduler.calendar_failed(reason, word).en);
    this.reason = reason;
    this.word = word;
    this.retry_after = retry_after;
  }
}
