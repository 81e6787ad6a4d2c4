import type { Work } from '../../kernel/work.ts';
import { requireMember } from '../../platform/access/members.ts';
import { holdResponse } from './queries.ts';
import { type FormResponse, ResponseModel, type ResponsePatch } from './record.ts';
import { setSpam } from './set-spam.ts';

/**
 * Changes what staff keep about a response; the answers stay. Errors: `not_found`, `precondition_failed`,
 * `unknown_reference` for an assignee who is no member; those of `setSpam`. Locks: those of `holdResponse`, then
 * those of `setSpam`.
 */
export async function updateResponse(
  work: Work,
  form_id: string,
  id: string,
  { is_spam, note, status, assignee_id }: ResponsePatch,
): Promise<FormResponse> {
  const before = await holdResponse(work, form_id, id);
  // Somebody who has left since may be sent back as they were read.
  if (assignee_id !== before.assignee_id) await requireMember(work, assignee_id, '/assignee_id');
  work.precondition(before);
  const { response, fact } = await setSpam(work, before, is_spam ?? before.is_spam);
  const changed: FormResponse = {
    ...response,
    status: status ?? before.status,
    assignee_id: assignee_id === undefined ? before.assignee_id : assignee_id,
    note: note === undefined ? before.note : note,
  };
  if (work.isSame(fact, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  const { crm } = after;
  work.update(ResponseModel, id, {
    is_spam: after.is_spam,
    crm_status: crm.status,
    crm_contact_id: crm.contact_id,
    crm_company_id: crm.company_id,
    crm_error: crm.error,
    status: after.status,
    assignee_id: after.assignee_id,
    note: after.note,
    updated_at: after.updated_at,
  });
  work.record(fact, { before, after });
  return after;
}
