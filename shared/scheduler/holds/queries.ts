import type { Reader } from '../../kernel/reader.ts';
import { hashOfToken } from '../../platform/links/token.ts';
import { clientHash, holdLinks, holdToken } from './links.ts';
import type { Hold, HoldRow } from './record.ts';

/** The living hold of a token on an event type; null for what is unknown, over, used up or of another type. */
export async function heldBy(
  { connection, organization_id, now }: Reader,
  event_type_id: string,
  token: string,
): Promise<HoldRow | null> {
  const hash = hashOfToken(token);
  if (!hash) return null;
  // Of this organization alone: whoever has the token of another one has nothing here.
  const [hold] = await connection.query<HoldRow>(
    `SELECT hold.id, hold.event_type_id, hold."start", hold."end", hold.user_ids, hold.assignment_reason,
       hold.client_address_hash, hold.expires_at, hold.created_at
       FROM links AS link
       JOIN scheduler_holds AS hold ON hold.organization_id = link.organization_id AND hold.id = link.record_id
      WHERE link.token_hash = $1 AND link.organization_id = $2 AND link.purpose = $3 AND hold.event_type_id = $4
        AND hold.expires_at > $5 AND NOT EXISTS (
          SELECT FROM link_keys AS key
           WHERE key.purpose = link.purpose AND key.serial = link.key_serial AND key.ended_at IS NOT NULL)`,
    [hash, organization_id, holdLinks.name, event_type_id, now.toISOString()],
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
