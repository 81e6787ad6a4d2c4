import { pick } from '../../kernel/record-fields.ts';
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

const BEFORE_FILES = responseColumns.slice(0, responseColumns.indexOf('crm_status')) as (keyof ResponseRow &
  keyof FormResponse)[];

/** A row with its files as the API shows the response. */
export function responseOf(row: ResponseRow, files: ResponseFile[]): FormResponse {
  const { id, ...first } = pick(row, BEFORE_FILES);
  const last = pick(row, ['note', 'seconds_to_submit', 'submitted_at', 'edited_at', 'updated_at']);
  const crm = {
    status: row.crm_status,
    contact_id: row.crm_contact_id,
    company_id: row.crm_company_id,
    error: row.crm_error,
  };
  return { id, object: 'forms.response', ...first, files, crm, ...last } as FormResponse;
}
