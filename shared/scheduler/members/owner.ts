import { Failure, invalid } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { isAtLeast } from '../../kernel/scope.ts';

/** Whether who asks acts for all members: managers, admins, owners and the service itself. */
export function actsForAll({ actor }: Pick<Reader, 'actor'>): boolean {
  return actor.type === 'system' || (actor.role !== null && isAtLeast(actor.role, 'manager'));
}

/** Sees that who asks may act on what belongs to a member. Errors: `not_owner`. */
export function requireOwner(reader: Pick<Reader, 'actor'>, user_id: string): void {
  if (reader.actor.user_id !== user_id && !actsForAll(reader)) throw new Failure('not_owner');
}

/**
 * The member that a request is about: who asks unless it names another one. Errors: `not_owner`, `validation_failed` at
 * /user_id where nobody is named by the service itself.
 */
export function ownerOf(reader: Pick<Reader, 'actor'>, user_id: string | undefined): string {
  const owner = user_id ?? reader.actor.user_id;
  if (owner === null) {
    throw invalid('/user_id', 'required', { en: 'user_id is required', ja: 'user_id は必須です' });
  }
  requireOwner(reader, owner);
  return owner;
}

/** Tells of records of a table, by their IDs, whether who asks may see the member that one belongs to. */
export function seesOwn(table: string): (reader: Reader, id: string) => Promise<boolean> {
  return async (reader, id) => {
    if (actsForAll(reader)) return true;
    const [record] = await reader.connection.query<{ user_id: string }>(
      `SELECT user_id FROM "${table}" WHERE organization_id = $1 AND id = $2`,
      [reader.organization_id, id],
    );
    return record?.user_id === reader.actor.user_id;
  };
}
