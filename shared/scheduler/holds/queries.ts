import type { Reader } from '../../kernel/reader.ts';
import { findLink } from '../../platform/links/links.ts';
import { clientHash, holdLinks, holdToken } from './links.ts';
import type { Hold, HoldRow } from './record.ts';

/** The living hold of a token on an event type; null for what is unknown, over, used up or of another type. */
export async function heldBy(
  { connection, organization_id, now }: Reader,
  event_type_id: string,
  token: string,
): Promise<HoldRow | null> {
  const link = await findLink(connection, holdLinks, token, now);
  if (link?.state !== 'living' || link.organization_id !== organization_id) return null;
  const [hold] = await connection.query<HoldRow>(
    `SELECT id, event_type_id, "start", "end", user_ids, assignment_reason, client_address_hash, expires_at, created_at
       FROM scheduler_holds WHERE organization_id = $1 AND id = $2 AND event_type_id = $3 AND expires_at > $4`,
    [organization_id, link.record_id, event_type_id, now.toISOString()],
  );
  return hold ?? null;
}

/** The token of a hold that a client was given, once more; null where it is used up or settled. */
export async function tokenOfHold(
  reader: Reader,
  { start, expires_at }: Hold,
  client_address: string,
): Promise<string | null> {
  const { connection, organization_id } = reader;
  const [hold] = await connection.query<{ id: string }>(
    `SELECT id FROM scheduler_holds
      WHERE organization_id = $1 AND client_address_hash = $2 AND expires_at = $3 AND "start" = $4 ORDER BY id LIMIT 1`,
    [organization_id, await clientHash(reader, client_address), expires_at, start],
  );
  return hold ? holdToken(reader, { organization_id, id: hold.id, expires_at }) : null;
}
