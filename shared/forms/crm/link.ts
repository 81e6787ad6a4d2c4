import type { Work } from '../../kernel/work.ts';
import type { ResponseCrm } from '../responses/record.ts';
import type { Submitted } from '../responses/submitted.ts';

/** Links a response with the CRM where its form says so, and answers what became of it there. */
export async function linkToCrm(_work: Work, { response }: Submitted): Promise<ResponseCrm> {
  return response.crm;
}
