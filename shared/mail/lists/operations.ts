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

/** Removes a list and its memberships; the contacts stay. Errors: `not_found`, `precondition_failed`, `in_use`. */
export async function deleteMailList(work: Work, id: string): Promise<void> {
  const before = await lockMailList(work, id, 'removal');
  work.precondition(before);
  await refuseNamed(work, 'list', id);
  work.remove(MailListModel, id);
  work.record(mailListFacts.deleted, { before, after: null });
}
