/** What is asked of a calendar's text. Instants are milliseconds since 1970. */
export type CalendarQuestion = {
  /** `icalendar`: one text. `multistatus`: what a CalDAV server answers, with a text in each resource (RFC 4791). */
  form: 'icalendar' | 'multistatus';
  /** Times that end after `from` and begin before `to`. */
  from: number;
  to: number;
  /** The zone of the calendar where it is known; it wins over the one that the text names. */
  time_zone: string | null;
  /** The zone of all-day and floating times where the calendar has none. */
  owner_time_zone: string;
  /** E-mail addresses of the owner in lower case: what the owner declined is not busy. */
  owner_addresses: readonly string[];
  /** More times than these are refused: `too_many_events`. */
  most_events: number;
};

/** A time at which the owner is busy. `key` is the same as long as event and instance are the same, once a resource. */
export type BusyTime = {
  /** The resource of a multistatus; empty for a single text. */
  resource: string;
  key: string;
  uid: string | null;
  start: number;
  end: number;
  all_day: boolean;
  title: string | null;
};

export type ReadCalendar = {
  /** What the text calls itself; null for a multistatus. */
  name: string | null;
  /** The zone that the text names. */
  time_zone: string | null;
  busy: readonly BusyTime[];
  /** Of a multistatus, the resources of which it says what they hold. */
  resources: readonly string[];
};
