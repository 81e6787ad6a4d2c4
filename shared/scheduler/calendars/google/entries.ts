import type { OutsideAnswer } from '../../../platform/outside/call.ts';
import type { Entry, WrittenEntry } from '../provider.ts';
import { failureIn, objectIn, textIn } from './api.ts';
import type { AuthorizedCall } from './calls.ts';

/**
 * Writes an entry. Its ID is ours, so an insert that is sent twice is one entry; Google keeps deleted IDs, and answers 409
 * for them too: what is there is then changed back to a confirmed entry with all our fields. So is one that somebody
 * deleted meanwhile.
 */
export async function putEntry(
  call: AuthorizedCall,
  calendar_id: string,
  entry: Entry,
  before: WrittenEntry | null,
): Promise<WrittenEntry> {
  const one = `${eventsOf(calendar_id)}/${entry.key}`;
  const body = { ...fieldsOf(entry), ...meetingOf(entry, before) };
  if (before) {
    const changed = await call('PATCH', one, QUIET, body);
    if (changed.status === 200) return written(call, one, entry, changed);
    if (!isGone(changed)) throw failureIn(changed);
  }
  const made = await call('POST', eventsOf(calendar_id), QUIET, { ...body, id: entry.key });
  if (made.status === 200) return written(call, one, entry, made);
  if (made.status !== 409) throw failureIn(made);
  const found = await call('GET', one, {});
  if (found.status !== 200) throw failureIn(found);
  const revived = await call('PATCH', one, QUIET, body);
  if (revived.status !== 200) throw failureIn(revived);
  return written(call, one, entry, revived);
}

/** Removes an entry. One that is not there any more is removed. */
export async function removeEntry(call: AuthorizedCall, calendar_id: string, key: string): Promise<void> {
  const answer = await call('DELETE', `${eventsOf(calendar_id)}/${key}`, { sendUpdates: 'none' });
  if (answer.status === 204 || answer.status === 200 || isGone(answer)) return;
  throw failureIn(answer);
}

/** Nobody is told by Google: guests and hosts have our mails. Links of meetings are made with this version alone. */
const QUIET = { sendUpdates: 'none', conferenceDataVersion: '1' };

function eventsOf(calendar_id: string): string {
  return `/calendars/${encodeURIComponent(calendar_id)}/events`;
}

function fieldsOf({ title, description, location, start, end }: Entry): Record<string, unknown> {
  return {
    summary: title,
    description,
    location,
    start: { dateTime: start.toISOString() },
    end: { dateTime: end.toISOString() },
    status: 'confirmed',
    transparency: 'opaque',
    reminders: { useDefault: true },
  };
}

/** A link is made once: one that is there stays with the entry. */
function meetingOf({ key, wants_meeting_link }: Entry, before: WrittenEntry | null): Record<string, unknown> {
  if (!wants_meeting_link || before?.meeting_link) return {};
  const createRequest = { requestId: key, conferenceSolutionKey: { type: 'hangoutsMeet' } };
  return { conferenceData: { createRequest } };
}

async function written(
  call: AuthorizedCall,
  one: string,
  { wants_meeting_link }: Entry,
  answer: OutsideAnswer,
): Promise<WrittenEntry> {
  const event = objectIn(answer);
  const etag = textIn(event, 'etag');
  const link = linkIn(event);
  if (!wants_meeting_link || link !== null) return { etag, meeting_link: link };
  // Google may make the link a moment after the entry.
  const looked = await call('GET', one, {});
  return { etag, meeting_link: looked.status === 200 ? linkIn(objectIn(looked)) : null };
}

function linkIn(event: Record<string, unknown>): string | null {
  const link = textIn(event, 'hangoutLink');
  return link !== null && URL.canParse(link) && new URL(link).protocol === 'https:' ? link : null;
}

function isGone({ status }: OutsideAnswer): boolean {
  return status === 404 || status === 410;
}
