import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { foldCase } from '../../platform/search/normalise.ts';
import { refuseNamed } from '../campaigns/in-use.ts';
import { lockMailList, type MailListRow, mailListOf } from './queries.ts';
import {
  type MailList,
  type MailListInput,
  MailListModel,
  type MailListPatch,
  mailListFacts,
} from './record.ts';

/** Makes an empty list. Errors: `already_exists`. */
export function createMailList(work: Work, input: MailListInput): MailList {
  const created_at = work.now.toISOString();
  const row: MailListRow = {
    id: newId('mlist', work.now),
    name: input.name,
    description: input.description ?? null,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    contact_count: 0,
    active_count: 0,
    created_at,
    updated_at: created_at,
  };
  const list = mailListOf(row);
  work.insert(MailListModel, { ...row, name_key: foldCase(row.name) });
  work.record(mailListFacts.created, { before: null, after: list });
  return list;
}

/** Changes the fields sent. Errors: `not_found`, `precondition_failed`, `already_exists`. */
export async function updateMailList(work: Work, id: string, patch: MailListPatch): Promise<MailList> {
  const before = await lockMailList(work, id);
  work.precondition(before);
  const changed: MailList = {
    ...before,
    ...patch,
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  if (work.isSame(mailListFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  const { name, description, external_id, metadata, updated_at } = after;
  const name_key = foldCase(name);
  work.update(MailListModel, id, { name, name_key, description, external_id, metadata, updated_at });
  work.record(mailListFacts.updated, { before, after });
  return after;
}

/**
 * Removes a list and its memberships; the contacts stay. Locks: those who left it against their removal, the list. Errors:
 * `not_found`, `precondition_failed`, `in_use`.
 */
export async function deleteMailList(work: Work, id: string): Promise<void> {
  await holdWhoLeft(work, id);
  const before = await lockMailList(work, id, 'removal');
  work.precondition(before);
  await refuseNamed(work, 'list', id);
  keepWhoLeft(work, id);
  work.remove(MailListModel, id);
  work.record(mailListFacts.deleted, { before, after: null });
}

const WHO_LEFT = `FROM mail_list_members WHERE organization_id = $1 AND list_id = $2 AND unsubscribed_at IS NOT NULL
  AND EXISTS (SELECT FROM mail_campaigns WHERE organization_id = $1 AND list_ids @> ARRAY[$2::text]
    AND frozen_at IS NOT NULL AND status <> 'cancelled')`;

/** Contacts are locked before lists: what is kept of them refers to them. */
async function holdWhoLeft({ connection, organization_id }: Work, list_id: string): Promise<void> {
  await connection.query(
    `SELECT FROM mail_contacts WHERE organization_id = $1 AND id = ANY (ARRAY (SELECT contact_id ${WHO_LEFT}))
      ORDER BY email_key FOR KEY SHARE`,
    [organization_id, list_id],
  );
}

/** Who left the list gets no mail that waits of a campaign to it, though their membership goes. */
function keepWhoLeft(work: Work, list_id: string): void {
  work.run(
    `INSERT INTO mail_left_lists (organization_id, contact_id, list_id, left_at)
     SELECT organization_id, contact_id, list_id, unsubscribed_at ${WHO_LEFT} ON CONFLICT DO NOTHING`,
    [work.organization_id, list_id],
  );
}
