import { Failure } from '../../kernel/failure.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import type { DocumentPatch } from './input.ts';
import type { DocumentRow } from './rows.ts';

/** What of a document can be changed at any time: none of it is shown to signers. */
const ALWAYS = [
  'internal_memo',
  'external_id',
  'metadata',
  'visibility',
  'viewers',
  'transaction_date',
  'amount',
  'counterparty_name',
  'company_id',
] as const satisfies readonly (keyof DocumentPatch)[];

/** What can be changed while signers are asked. */
const WHILE_SENT = ['expires_at', 'reminders'] as const satisfies readonly (keyof DocumentPatch)[];

/** The members that a PATCH of a document in that status can change; null for all of them. */
export function changeableIn(status: DocumentRow['status']): readonly string[] | null {
  if (status === 'draft') return null;
  return status === 'sent' ? [...WHILE_SENT, ...ALWAYS] : ALWAYS;
}

/** Sees that a PATCH leaves what is frozen as it is. Errors: `sign_document_frozen`, with what can be changed. */
export function requireChangeable(document: DocumentRow, patch: DocumentPatch): void {
  const changeable = changeableIn(document.status);
  if (changeable === null) return;
  const kept: Record<string, unknown> = document;
  const frozen = Object.entries(patch).flatMap(([member, value]) => {
    if (value === undefined || changeable.includes(member)) return [];
    return Object.hasOwn(kept, member) && isSameJson(kept[member], value) ? [] : [member];
  });
  if (frozen.length === 0) return;
  const names = changeable.join(', ');
  throw new Failure('sign_document_frozen', {
    detail: {
      en: `${frozen.join(', ')} cannot be changed any more; ${names} can`,
      ja: `${frozen.join('、')} はもう変更できません。変更できるのは ${names} です`,
    },
    members: { current_status: document.status, frozen, changeable },
  });
}
