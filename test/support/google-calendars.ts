/** An event as the calendar API has them. */
export type GoogleEvent = { id: string; status: string } & Record<string, unknown>;

type Asked = { method: string; path: string; query: Record<string, string>; body: Record<string, unknown> };
type Said = { status: number; headers?: Record<string, string>; body?: object };

type Calendar = {
  id: string;
  summary: string;
  time_zone: string;
  primary: boolean;
  /** Deleted ones stay, as cancelled. */
  events: Map<string, GoogleEvent & { version: number }>;
};

export type GoogleCalendars = {
  /** Adds a calendar; the first one is the primary. */
  add(id: string, time_zone?: string): void;
  /** Adds an event, or changes one that has the ID. */
  put(calendar_id: string, event: GoogleEvent): void;
  /** Deletes an event, as its owner does. */
  remove(calendar_id: string, id: string): void;
  /** The events that are not deleted. */
  living(calendar_id: string): GoogleEvent[];
  /** From now on tokens of changes that were given before are no longer known. */
  forgetTokens(): void;
  channels: { id: string; token: string; address: string; resourceId: string; calendar_id: string }[];
  stopped: string[];
  /** Events of a page at the most. */
  page_size: number;
  /** The link that entries get which ask for a meeting. */
  meeting_link: string | null;
  answer(asked: Asked): Said;
};

const EVENTS = /^\/calendars\/([^/]+)\/events(?:\/([^/]+))?$/;
const MAKES_GONE = { status: 410, body: { error: { code: 410, errors: [{ reason: 'deleted' }] } } };
const NOT_FOUND = { status: 404, body: { error: { code: 404, errors: [{ reason: 'notFound' }] } } };

/**
 * Calendars of one account with the calls that are made of them: lists in pages, changes since a token, entries whose IDs
 * stay after they were deleted, free and busy times, channels.
 */
export function googleCalendars(): GoogleCalendars {
  const calendars = new Map<string, Calendar>();
  let version = 1;
  let oldest_token = 0;

  const own: GoogleCalendars = {
    channels: [],
    stopped: [],
    page_size: 250,
    meeting_link: 'https://meet.google.example/abc-defg-hij',
    add: (id, time_zone = 'Asia/Tokyo') => {
      const primary = calendars.size === 0;
      calendars.set(id, { id, summary: `Calendar ${id}`, time_zone, primary, events: new Map() });
    },
    put: (calendar_id, event) => {
      version += 1;
      calendars.get(calendar_id)!.events.set(event.id, { ...event, version });
    },
    remove: (calendar_id, id) => {
      const event = calendars.get(calendar_id)!.events.get(id)!;
      own.put(calendar_id, { ...event, status: 'cancelled' });
    },
    living: (calendar_id) =>
      [...calendars.get(calendar_id)!.events.values()].filter(({ status }) => status !== 'cancelled'),
    forgetTokens: () => {
      version += 1;
      oldest_token = version;
    },
    answer: (asked) => {
      const { method, path, body } = asked;
      if (path === '/users/me/calendarList') return { status: 200, body: { items: listed(calendars) } };
      if (path === '/freeBusy') return { status: 200, body: { calendars: busyIn(calendars, body) } };
      if (path === '/channels/stop') {
        own.stopped.push(body['id'] as string);
        return { status: 204 };
      }
      const watched = /^\/calendars\/([^/]+)\/events\/watch$/.exec(path);
      if (watched) return openChannel(own, watched[1]!, body);
      const [, calendar_id = '', id] = EVENTS.exec(path) ?? [];
      const calendar = calendars.get(calendar_id);
      if (!calendar) return NOT_FOUND;
      if (method === 'GET' && !id) return page(calendar, asked);
      return change(calendar, asked, id);
    },
  };

  function page(calendar: Calendar, { query }: Asked): Said {
    const since = query['syncToken'] === undefined ? null : Number(query['syncToken']);
    if (since !== null && since < oldest_token) return MAKES_GONE;
    const all = [...calendar.events.values()].filter((event) =>
      since === null
        ? event.status !== 'cancelled' && isWithin(event, query['timeMin']!, query['timeMax']!)
        : event.version > since,
    );
    const from = Number(query['pageToken'] ?? 0);
    const to = from + Math.min(own.page_size, Number(query['maxResults'] ?? 250));
    const rest = to < all.length ? { nextPageToken: `${to}` } : { nextSyncToken: `${version}` };
    const items = all.slice(from, to).map(({ version: _, ...event }) => event);
    return { status: 200, body: { timeZone: calendar.time_zone, items, ...rest } };
  }

  function change(calendar: Calendar, { method, body }: Asked, of: string | undefined): Said {
    const id = of ?? (body['id'] as string);
    const known = calendar.events.get(id);
    if (method === 'POST') {
      if (known) return { status: 409, body: { error: { code: 409, errors: [{ reason: 'duplicate' }] } } };
      own.put(calendar.id, { status: 'confirmed', ...withLink(own, body), id });
    } else if (!known) {
      return NOT_FOUND;
    } else if (method === 'DELETE') {
      if (known.status === 'cancelled') return MAKES_GONE;
      own.remove(calendar.id, id);
      return { status: 204 };
    } else if (method === 'PATCH') {
      own.put(calendar.id, { ...known, ...withLink(own, body), id });
    }
    const { version: etag, ...event } = calendar.events.get(id)!;
    return { status: 200, body: { ...event, etag: `"${etag}"` } };
  }

  return own;
}

function listed(calendars: ReadonlyMap<string, Calendar>) {
  return [...calendars.values()].map(({ id, summary, time_zone, primary }) => ({
    id,
    summary,
    timeZone: time_zone,
    ...(primary ? { primary } : {}),
  }));
}

function withLink({ meeting_link }: GoogleCalendars, body: Record<string, unknown>) {
  return body['conferenceData'] && meeting_link !== null ? { ...body, hangoutLink: meeting_link } : body;
}

function openChannel(own: GoogleCalendars, calendar_id: string, body: Record<string, unknown>): Said {
  const channel = { ...(body as { id: string; token: string; address: string }), calendar_id };
  const resourceId = `resource-${own.channels.length + 1}`;
  own.channels.push({ ...channel, resourceId });
  const expiration = `${Date.now() + 7 * 86_400_000}`;
  return { status: 200, body: { id: channel.id, resourceId, expiration } };
}

function busyIn(calendars: ReadonlyMap<string, Calendar>, body: Record<string, unknown>): object {
  const { timeMin, timeMax, items } = body as { timeMin: string; timeMax: string; items: { id: string }[] };
  const told = items.map(({ id }) => {
    const calendar = calendars.get(id);
    if (!calendar) return [id, { errors: [{ reason: 'notFound' }], busy: [] }];
    const busy = [...calendar.events.values()]
      .filter((event) => event.status !== 'cancelled' && event['transparency'] !== 'transparent')
      .filter((event) => isWithin(event, timeMin, timeMax))
      .map((event) => ({ start: timeOf(event, 'start'), end: timeOf(event, 'end') }));
    return [id, { busy }];
  });
  return Object.fromEntries(told);
}

function timeOf(event: GoogleEvent, name: 'start' | 'end'): string {
  const { dateTime, date } = (event[name] ?? {}) as { dateTime?: string; date?: string };
  return dateTime ?? `${date}T00:00:00Z`;
}

function isWithin(event: GoogleEvent, from: string, to: string): boolean {
  return (
    Date.parse(timeOf(event, 'end')) > Date.parse(from) && Date.parse(timeOf(event, 'start')) < Date.parse(to)
  );
}
