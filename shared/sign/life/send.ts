import { todayIn } from '../../kernel/days.ts';
import { Failure, type FieldError, MOST_FIELD_ERRORS } from '../../kernel/failure.ts';
import { allows } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import type { SealSettings } from '../../platform/settings/settings.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import { documentForUpdate } from '../documents/queries.ts';
import type { StoredDocument } from '../documents/rows.ts';
import { fileOfKind } from '../documents/shown.ts';
import { requireAction } from '../documents/transitions.ts';
import { expiryAfter, warningBefore } from '../reminders/dates.ts';
import { requireSealKey } from '../sealing/key.ts';
import { signSettingsOf } from '../settings/queries.ts';
import { addToTrail, trailActor } from '../trail/add.ts';
import { notifyGroup } from './notify.ts';
import { sendFaults } from './send-checks.ts';
import { isActing } from './turn.ts';

/** Sends a draft for signing. Errors: `not_found`, `precondition_failed`, and those of `sendStored`. */
export async function sendDocument(work: Work, id: string, seal: SealSettings): Promise<StoredDocument> {
  const stored = await documentForUpdate(work, id);
  work.precondition(stored.document);
  return sendStored(work, stored, seal);
}

/**
 * Sends a locked draft: it is frozen, and the first group is asked. Errors: `invalid_transition`; `insufficient_scope` where the
 * settings ask for an approver; `not_sendable` with all that is missing; `seal_key_missing`, `seal_key_expired`.
 */
export async function sendStored(
  work: Work,
  stored: StoredDocument,
  seal: SealSettings,
): Promise<StoredDocument> {
  const { time_zone } = stored.document;
  requireAction(stored, 'send', { grants: work.actor.grants, today: todayIn(time_zone, work.now) });
  const settings = await signSettingsOf(work);
  if (settings.approval_required && !allows(work.actor.grants, 'approvals:write')) throw needsApprover();
  const faults = sendFaults(stored, work.now);
  if (faults.length > 0) throw notSendable(faults);
  await requireSealKey(seal, work.now);

  const draft = draftOf(stored);
  const { document } = draft;
  document.status = 'sent';
  document.sent_at = work.now.toISOString();
  document.expires_at ??= expiryAfter(work.now, settings.expiry_days, time_zone);
  document.warn_at = warningBefore(document.expires_at, settings.expiry_warning_days);
  const data = {
    file_sha256: fileOfKind(draft.files, 'original')!.sha256,
    signers: draft.signers.filter(isActing).length,
  };
  addToTrail(work, document, [{ type: 'sent', actor: await trailActor(work), data }]);
  await notifyGroup(work, draft);
  return documentChanged(work, stored, draft, 'sent');
}

function needsApprover(): Failure {
  return new Failure('insufficient_scope', {
    detail: {
      en: 'By the settings of the organization, sending needs the scope approvals:write too',
      ja: '組織の設定により、送信には approvals:write スコープも必要です',
    },
    members: { required_scope: 'approvals:write' },
  });
}

function notSendable(faults: readonly FieldError[]): Failure {
  return new Failure('not_sendable', { errors: faults.slice(0, MOST_FIELD_ERRORS) });
}
