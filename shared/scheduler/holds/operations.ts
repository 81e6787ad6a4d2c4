import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { lengthOf } from '../bookings/guest.ts';
import { NOBODY_ASKED } from '../bookings/live.ts';
import { takeStart } from '../bookings/start.ts';
import { boundLockWaits } from '../occupancies/hosts.ts';
import { occupy } from '../occupancies/occupy.ts';
import { bookableEventType } from '../public/queries.ts';
import { clientHash, holdToken } from './links.ts';
import { type Hold, type HoldInput, HoldModel, type HoldRow } from './record.ts';

const MINUTE = 60_000;

/** How long a start is held. */
const HELD_FOR = 5 * MINUTE;

/** Starts that one client address may hold at the same time. */
const MOST_HOLDS = 5;

/**
 * Holds a start of an active event type for five minutes for whoever brings the token, as a booking would take it: with the
 * hosts whose turn it is. Locks: the client's holds, then as `takeStart`. Errors: `not_found`, `no_holds`, `rate_limited` for a
 * sixth living hold of one client address, `validation_failed` at /duration_minutes, those of `takeStart`.
 */
export async function holdStart(
  work: Work,
  slug: string,
  { start, duration_minutes }: HoldInput,
  client_address: string,
): Promise<{ hold: Hold; hold_token: string }> {
  const { organization_id, now } = work;
  const event_type = await bookableEventType(work, slug);
  if (event_type.seats_per_slot > 1) throw new Failure('no_holds');
  const length = lengthOf(event_type, duration_minutes);
  const client_address_hash = await clientHash(work, client_address);
  await requireFewHolds(work, client_address_hash);
  const { user_ids, assignment_reason } = await takeStart(work, {
    event_type,
    start: Date.parse(start),
    duration_minutes: length,
    without: [],
    user_ids: null,
    kept: null,
    force: false,
    live: NOBODY_ASKED,
  });
  const row: HoldRow = {
    id: newId('bhold', now),
    event_type_id: event_type.id,
    start,
    end: new Date(Date.parse(start) + length * MINUTE).toISOString(),
    user_ids,
    assignment_reason,
    client_address_hash,
    expires_at: new Date(now.getTime() + HELD_FOR).toISOString(),
    created_at: now.toISOString(),
  };
  work.insert(HoldModel, row);
  const { buffer_before_minutes, buffer_after_minutes } = event_type;
  const span = { start: row.start, end: row.end, buffer_before_minutes, buffer_after_minutes };
  const { id: record_id, event_type_id, expires_at } = row;
  const taken = { kind: 'hold', record_id, position: 0, event_type_id, expires_at, ...span } as const;
  occupy(
    work,
    user_ids.map((user_id) => ({ ...taken, user_id, assigned_at: row.created_at })),
  );
  work.nothingChanged();
  return { hold: { start, expires_at }, hold_token: await holdToken(work, { ...row, organization_id }) };
}

/** Sees that a client has not too many living holds, also where it asks for several at the same time. */
async function requireFewHolds(work: Work, client_address_hash: string): Promise<void> {
  const { connection, organization_id, now } = work;
  boundLockWaits(work);
  const locking = connection.query("SELECT pg_advisory_xact_lock(hashtextextended('holds ' || $1, 0))", [
    client_address_hash,
  ]);
  locking.catch(() => undefined);
  const living = connection.query<{ expires_at: string }>(
    `SELECT expires_at FROM scheduler_holds
      WHERE organization_id = $1 AND client_address_hash = $2 AND expires_at > $3 ORDER BY expires_at LIMIT $4`,
    [organization_id, client_address_hash, now.toISOString(), MOST_HOLDS],
  );
  living.catch(() => undefined);
  await locking;
  const holds = await living;
  if (holds.length < MOST_HOLDS) return;
  const seconds = Math.ceil((Date.parse(holds[0]!.expires_at) - now.getTime()) / 1_000);
  throw new Failure('rate_limited', {
    detail: {
      en: `One client address may hold ${MOST_HOLDS} starts at a time; try again in ${seconds} s`,
      ja: `1つの接続元から同時に仮押さえできるのは${MOST_HOLDS}件までです。${seconds}秒後にもう一度お試しください`,
    },
    headers: { 'Retry-After': String(seconds) },
  });
}
