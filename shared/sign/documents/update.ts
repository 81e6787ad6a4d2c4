import { Failure, invalid } from '../../kernel/failure.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import type { Work } from '../../kernel/work.ts';
import { expiryAfter, warningBefore } from '../reminders/dates.ts';
import { planReminders } from '../reminders/plan.ts';
import { signSettingsOf } from '../settings/queries.ts';
import { addToTrail, trailActor } from '../trail/add.ts';
import { documentChanged } from './changes.ts';
import { draftOf } from './draft.ts';
import { requireChangeable } from './frozen.ts';
import type { DocumentPatch } from './input.ts';
import { fieldsAfter, type PartsContext, signersAfter } from './parts.ts';
import { documentForUpdate } from './queries.ts';
import { requireViewers } from './references.ts';
import { retentionFrom, retentionOf } from './retention.ts';
import { type DocumentRow, SignerModel, SignFieldModel, type StoredDocument } from './rows.ts';

/**
 * Changes the fields sent. Errors: `not_found`, `precondition_failed`, `sign_document_frozen`; `validation_failed` for signers,
 * fields and an expiry that has passed; `document_retained` for a day that would shorten the time for which a signed document
 * is kept; `unknown_reference`, `already_exists`.
 */
export async function updateDocument(
  work: Work,
  id: string,
  patch: DocumentPatch,
  access_code_hashes: ReadonlyMap<number, string>,
): Promise<StoredDocument> {
  const before = await documentForUpdate(work, id);
  work.precondition(before.document);
  requireChangeable(before.document, patch);
  const { signers: _, fields: __, metadata, reminders, viewers, ...fields } = patch;
  const changed = draftOf(before);
  changed.document = {
    ...before.document,
    ...fields,
    metadata: metadataAfter(before.document.metadata, metadata),
    reminders: { ...before.document.reminders, ...reminders },
    viewers: viewers ? [...new Set(viewers)] : before.document.viewers,
  };
  if (viewers) await requireViewers(work, changed.document.viewers, before.document.viewers);
  if (before.document.status === 'draft') await replaceParts(work, patch, changed, access_code_hashes);
  if (before.document.status === 'sent') await reschedule(work, before, changed);
  if (before.document.status === 'signed') await keepLonger(work, before.document, changed.document);
  return writeParts(work, before, changed);
}

/** Gives a draft the signers and fields of the request. */
async function replaceParts(
  work: Work,
  { signers, fields }: DocumentPatch,
  changed: StoredDocument,
  access_code_hashes: ReadonlyMap<number, string>,
): Promise<void> {
  if (!signers && !fields) return;
  const { default_auth } = await signSettingsOf(work);
  const context: PartsContext = {
    document: changed.document,
    default_auth,
    access_code_hashes,
    now: work.now,
  };
  if (signers) changed.signers = signersAfter(changed.signers, signers, context);
  const staying = new Set(changed.signers.map(({ id }) => id));
  changed.fields = fields
    ? fieldsAfter(changed.fields, fields, changed.signers, context)
    : changed.fields.filter(({ signer_id }) => staying.has(signer_id));
}

/** What follows for signers who are asked from another expiry, null being that of the settings, or other reminders. */
async function reschedule(work: Work, before: StoredDocument, changed: StoredDocument): Promise<void> {
  const { document } = changed;
  const was = before.document.expires_at;
  const { expiry_days, expiry_warning_days } = await signSettingsOf(work);
  const { sent_at, time_zone } = before.document;
  document.expires_at ??= expiryAfter(new Date(sent_at!), expiry_days, time_zone);
  const isMoved = document.expires_at !== was;
  if (!isMoved && isSameJson(document.reminders, before.document.reminders)) return;
  if (isMoved) {
    if (document.expires_at <= work.now.toISOString()) {
      throw invalid('/expires_at', 'in_the_past', {
        en: 'The expiry must be in the future',
        ja: '期限には現在より後の日時を指定してください',
      });
    }
    document.warn_at = warningBefore(document.expires_at, expiry_warning_days);
    const data = { from: was, to: document.expires_at };
    addToTrail(work, document, [{ type: 'expiry_changed', actor: await trailActor(work), data }]);
  }
  await planReminders(work, changed);
}

/** The time for which a signed document is kept follows its day, and never shortens. Errors: `document_retained`. */
async function keepLonger(work: Work, before: DocumentRow, changed: DocumentRow): Promise<void> {
  if (changed.transaction_date === before.transaction_date) return;
  const from = changed.transaction_date ?? changed.ended_on;
  const { retention_until } = before;
  if (from !== null && retention_until !== null && (await retentionFrom(work, from)) < retention_until) {
    throw new Failure('document_retained', {
      detail: {
        en: `By that date the document would be kept for a shorter time than until ${retention_until}`,
        ja: `この日付では保管期限が${retention_until}より早まるため、変更できません`,
      },
      members: { retention_until },
    });
  }
  changed.retention_until = await retentionOf(work, changed);
}

/** Signers come before fields that are theirs, and go behind them. */
function writeParts(work: Work, before: StoredDocument, changed: StoredDocument): StoredDocument {
  const added = <Part extends { id: string }>(was: readonly Part[], is: readonly Part[]) => {
    const known = new Set(was.map(({ id }) => id));
    return is.filter(({ id }) => !known.has(id));
  };
  const gone = {
    fields: added(changed.fields, before.fields).map(({ id }) => id),
    signers: added(changed.signers, before.signers).map(({ id }) => id),
  };
  work.insertAll(SignerModel, added(before.signers, changed.signers));
  if (gone.fields.length > 0) remove(work, 'sign_fields', gone.fields);
  const after = documentChanged(work, before, changed);
  work.insertAll(SignFieldModel, added(before.fields, changed.fields));
  if (gone.signers.length > 0) remove(work, 'sign_signers', gone.signers);
  return after;
}

function remove(work: Work, table: 'sign_fields' | 'sign_signers', ids: readonly string[]): void {
  work.run(`DELETE FROM ${table} WHERE organization_id = $1 AND id = ANY ($2)`, [work.organization_id, ids]);
}
