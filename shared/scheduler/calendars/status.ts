import { DAY } from '../../kernel/days.ts';
import type { Work } from '../../kernel/work.ts';
import { queueMail } from '../../platform/mailer/queue-mail.ts';
import type { CalendarFailure } from './provider.ts';
import { reconnectMail } from './reconnect-mail.ts';
import {
  type CalendarConnection,
  ConnectionModel,
  type ConnectionStatus,
  connectionFacts,
} from './record.ts';
import { connectionById, connectionRow } from './rows.ts';

/** The status that a failure means for its connection; null where it may work again by itself. */
export function statusBy({ reason }: CalendarFailure): 'reauth_required' | 'error' | null {
  if (reason === 'reauth_required') return reason;
  return reason === 'forbidden' || reason === 'broken' || reason === 'gone' ? 'error' : null;
}

/**
 * The status of a connection whose tries came to nothing, where the failure alone says none: what was never read, or not for a
 * day, does not work, whatever the reason. Until then it may be a server that is away for a while.
 */
export async function statusAfterTries(work: Work, id: string): Promise<'error' | null> {
  const { last_synced_at } = await connectionRow(work, id);
  const known = last_synced_at !== null && Date.parse(last_synced_at) > work.now.getTime() - DAY;
  return known ? null : 'error';
}

/**
 * Whether a provider has put a connection off for a day by now: then it shows, as after tries that came to nothing. Its
 * Retry-After is honored, but nobody waits for it without end.
 */
export async function isPutOffForLong(work: Work, id: string): Promise<boolean> {
  const { last_synced_at, created_at } = await connectionRow(work, id);
  return Date.parse(last_synced_at ?? created_at) <= work.now.getTime() - DAY;
}

/**
 * Notes how a connection works. Its owner gets one mail when it has to be connected again. One that was disconnected stays
 * so. Locks: the connection.
 */
export async function noteStatus(
  work: Work,
  id: string,
  status: Exclude<ConnectionStatus, 'disconnected'>,
  status_reason: string | null,
): Promise<void> {
  const row = await connectionRow(work, id, 'FOR NO KEY UPDATE');
  if (row.status === 'disconnected') return;
  if (row.status === status && row.status_reason === status_reason) return;
  const before = await connectionById(work, id);
  const updated_at = work.touch(row);
  work.update(ConnectionModel, id, { status, status_reason, updated_at });
  work.record(connectionFacts.updated, {
    before,
    after: { ...before, status, status_reason } as CalendarConnection,
  });
  if (status !== 'reauth_required' || row.status === 'reauth_required') return;
  await queueMail(work, work.organization_id, {
    purpose: reconnectMail,
    about: { connection_id: id },
    speaks: row.user_id,
  });
}
