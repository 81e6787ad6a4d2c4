import { hash, randomBytes } from 'node:crypto';
import type { Reader } from '../../../kernel/reader.ts';
import type { Work } from '../../../kernel/work.ts';
import { isSameSecret } from '../../../platform/access/same-secret.ts';
import type { Channel } from '../provider.ts';
import { requestSync } from '../sync/request.ts';

/** Where Google tells of changes. */
export const PUSH_PATH = '/api/v1/scheduler/calendars/push/google';

/** Milliseconds before its end within which a channel is replaced: a daily sweep does it a day before at the latest. */
export const RENEWED = 2 * 86_400_000;

export type KeptChannel = { id: string; resource_id: string; calendar_id: string };

/** The calendars of a connection that are to be watched anew, and its channels that are then to be closed. */
export async function unwatched(
  { connection, organization_id, now }: Reader,
  connection_id: string,
): Promise<{ calendar_ids: string[]; ending: KeptChannel[] }> {
  const values = [organization_id, connection_id, new Date(now.getTime() + RENEWED).toISOString()];
  const calendars = await connection.query<{ id: string }>(
    `SELECT id FROM scheduler_calendars AS calendar
      WHERE organization_id = $1 AND connection_id = $2 AND checks_conflicts AND last_synced_at IS NOT NULL
        AND NOT EXISTS (
          SELECT FROM scheduler_channels AS channel WHERE channel.organization_id = $1 AND channel.connection_id = $2
             AND channel.calendar_id = calendar.id AND channel.expires_at > $3)
      ORDER BY id`,
    values,
  );
  const ending = await connection.query<KeptChannel>(
    `SELECT channel.id, channel.resource_id, channel.calendar_id FROM scheduler_channels AS channel
       JOIN scheduler_calendars AS calendar
         ON calendar.organization_id = $1 AND calendar.connection_id = $2 AND calendar.id = channel.calendar_id
      WHERE channel.organization_id = $1 AND channel.connection_id = $2
        AND (channel.expires_at <= $3 OR NOT calendar.checks_conflicts)
      ORDER BY channel.id`,
    values,
  );
  return { calendar_ids: calendars.map(({ id }) => id), ending };
}

/** All channels of a connection. */
export function channelsOf({ connection, organization_id }: Reader, connection_id: string) {
  return connection.query<KeptChannel>(
    `SELECT id, resource_id, calendar_id FROM scheduler_channels WHERE organization_id = $1 AND connection_id = $2
      ORDER BY id`,
    [organization_id, connection_id],
  );
}

/**
 * What a new channel is opened with. Its ID leads to the organization: at most 64 letters, digits and `-_+/=`, as Google
 * takes. The token is kept as a hash.
 */
export function newChannel(organization_id: string, base_url: string) {
  const id = `${organization_id}-${randomBytes(16).toString('base64url')}`;
  return { id, token: randomBytes(32).toString('base64url'), address: `${base_url}${PUSH_PATH}` };
}

/** Keeps an open channel. */
export function keepChannel(
  work: Work,
  { id, resource_id, expires_at }: Channel,
  { connection_id, calendar_id, token }: { connection_id: string; calendar_id: string; token: string },
): void {
  work.insert(
    { tableName: 'scheduler_channels' },
    {
      id,
      connection_id,
      calendar_id,
      resource_id,
      token_hash: hashOf(token),
      expires_at: expires_at.toISOString(),
      created_at: work.now.toISOString(),
    },
  );
}

/** Forgets channels that were closed. */
export function forgetChannels(work: Work, ids: readonly string[]): void {
  work.run('DELETE FROM scheduler_channels WHERE organization_id = $1 AND id = ANY ($2)', [
    work.organization_id,
    ids,
  ]);
}

/** The organization that the ID of a channel leads to; null for what is none of ours. */
export function organizationOfChannel(id: string): string | null {
  return /^(org_[0-9a-z]{26})-[\w-]{22}$/.exec(id)?.[1] ?? null;
}

/** Asks for the calendar of a channel to be read, if the token is that of the channel. Nobody is told whether it was. */
export async function heardOfChange(work: Work, id: string, token: string): Promise<void> {
  const [channel] = await work.connection.query<{
    token_hash: string;
    connection_id: string;
    calendar_id: string;
  }>(
    `SELECT channel.token_hash, channel.connection_id, channel.calendar_id FROM scheduler_channels AS channel
       JOIN scheduler_connections AS connection
         ON connection.organization_id = channel.organization_id AND connection.id = channel.connection_id
        AND connection.status <> 'disconnected'
      WHERE channel.organization_id = $1 AND channel.id = $2`,
    [work.organization_id, id],
  );
  const isTrue = isSameSecret(hashOf(token), channel?.token_hash ?? hashOf(''));
  if (channel && isTrue) await requestSync(work, channel.connection_id, channel.calendar_id);
}

function hashOf(token: string): string {
  return hash('sha256', token, 'hex');
}
