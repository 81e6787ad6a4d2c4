import type { ResponseFile } from '../files/record.ts';
import type { FormResponse } from './record.ts';
import type { CrmStatus } from './words.ts';

/** The columns of a response that the API shows, in its order. */
export const responseColumns = [
  'id',
  'form_id',
  'form_version',
  'data',
  'hidden',
  'scores',
  'dropped_fields',
  'ending_id',
  'locale',
  'source',
  'invitation_id',
  'is_spam',
  'spam_reasons',
  'status',
  'assignee_id',
  'crm_status',
  'crm_contact_id',
  'crm_company_id',
  'crm_error',
  'note',
  'seconds_to_submit',
  'submitted_at',
  'edited_at',
  'updated_at',
] as const;

/** A row of those columns. */
export type ResponseRow = Omit<FormResponse, 'object' | 'files' | 'crm'> & {
  crm_status: CrmStatus;
  crm_contact_id: string | null;
  crm_company_id: string | null;
  crm_error: string | null;
};

/** A row with its files as the API shows the response. */
export function responseOf(row: ResponseRow, files: ResponseFile[]): FormResponse {
  return {
    id: row.id,
    object: 'forms.response',
    form_id: row.form_id,
    form_version: row.form_version,
    data: row.data,
    hidden: row.hidden,
    scores: row.scores,
    dropped_fields: row.dropped_fields,
    ending_id: row.ending_id,
    locale: row.locale,
    source: row.source,
    invitation_id: row.invitation_id,
    is_spam: row.is_spam,
    spam_reasons: row.spam_reasons,
    status: row.status,
    assignee_id: row.assignee_id,
    files,
    crm: {
      status: row.crm_status,
      contact_id: row.crm_contact_id,
      company_id: row.crm_company_id,
      error: row.crm_error,
    },
    note: row.note,
    seconds_to_submit: row.seconds_to_submit,
    submitted_at: row.submitted_at,
    edited_at: row.edited_at,
    updated_at: row.updated_at,
  };
}
