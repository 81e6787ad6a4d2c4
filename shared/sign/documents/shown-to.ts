import type { Reader } from '../../kernel/reader.ts';
import { allows } from '../../kernel/scope.ts';
import { signSettingsOf } from '../settings/queries.ts';
import type { SignDocument } from './record.ts';
import type { StoredDocument } from './rows.ts';
import { type Asking, documentOf } from './shown.ts';

/** Who asks, and whether the settings let them send: looked up once for all documents of an answer, and not for approvers. */
export async function askingOf(reader: Reader): Promise<Asking> {
  const { actor, now } = reader;
  const is_approver = allows(actor.grants, 'approvals:write');
  const may_send = is_approver || !(await signSettingsOf(reader)).approval_required;
  return { actor, now, may_send };
}

/** A document as the API shows it to who asks. */
export async function documentFor(reader: Reader, stored: StoredDocument): Promise<SignDocument> {
  return documentOf(stored, await askingOf(reader));
}
