import type { Work } from '../../kernel/work.ts';
import { requireMember } from '../../platform/access/members.ts';
import { lockResponse } from './queries.ts';
import { type FormResponse, ResponseModel, type ResponsePatch, responseFacts } from './record.ts';

/**
 * Changes what staff keep about a response; the answers stay. Errors: `not_found`, `precondition_failed`,
 * `unknown_reference` for an assignee who is no member.
 */
export async function updateResponse(
  work: Work,
  form_id: string,
  id: string,
  { note, status, assignee_id }: ResponsePatch,
): Promise<FormResponse> {
  const before = await lockResponse(work, form_id, id);
  await requireMember(work, assignee_id, '/assignee_id');
  work.precondition(before);
  const changed: FormResponse = {
    ...before,
    status: status ?? before.status,
    assignee_id: assignee_id === undefined ? before.assignee_id : assignee_id,
    note: note === undefined ? before.note : note,
  };
  if (work.isSame(responseFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  work.update(ResponseModel, id, {
    status: after.status,
    assignee_id: after.assignee_id,
    note: after.note,
    updated_at: after.updated_at,
  });
  work.record(responseFacts.updated, { before, after });
  return after;
}
