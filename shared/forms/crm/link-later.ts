import { noteOnContact } from '../../crm/contacts/take-in.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { formWithVersion } from '../forms/queries.ts';
import { holdResponse } from '../responses/queries.ts';
import { type FormResponse, type ResponseCrm, ResponseModel, responseFacts } from '../responses/record.ts';
import type { Submitted } from '../responses/submitted.ts';
import { linkToCrm } from './link.ts';
import { noteOf } from './note.ts';

/**
 * Links a response with a contact that staff name, or tries again what its submission could not, by the settings of now. A
 * response that has a contact keeps it unless another one is named; that one again is noted no second time. Where the CRM refuses
 * once more, the response says so in `crm`, as after its submission. Errors: `not_found`, `precondition_failed`,
 * `response_is_spam`, `crm_link_off` where there is nothing to try by, `unknown_reference` for the contact. Locks: those of
 * `holdResponse`, then those of `noteOnContact` or `linkToCrm`.
 */
export async function linkResponse(
  work: Work,
  form_id: string,
  id: string,
  contact_id: string | null,
): Promise<FormResponse> {
  const before = await holdResponse(work, form_id, id);
  work.precondition(before);
  if (before.is_spam) throw new Failure('response_is_spam');
  const answered = await formWithVersion(work, form_id, before.form_version);
  const crm = await crmOf(
    work,
    { ...answered, version: answered.version!, response: before, is_new: false },
    contact_id,
  );
  const changed: FormResponse = { ...before, crm };
  if (work.isSame(responseFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  work.update(ResponseModel, id, {
    crm_status: crm.status,
    crm_contact_id: crm.contact_id,
    crm_company_id: crm.company_id,
    crm_error: crm.error,
    updated_at: after.updated_at,
  });
  work.record(responseFacts.updated, { before, after });
  return after;
}

async function crmOf(work: Work, submitted: Submitted, contact_id: string | null): Promise<ResponseCrm> {
  const { crm } = submitted.response;
  if (crm.contact_id !== null && (contact_id === null || contact_id === crm.contact_id)) return crm;
  if (contact_id !== null) {
    const { company_id } = await noteOnContact(work, contact_id, noteOf(submitted));
    return { status: 'linked', contact_id, company_id, error: null };
  }
  if (!submitted.settings.crm.enabled) throw new Failure('crm_link_off');
  return linkToCrm(work, submitted);
}
