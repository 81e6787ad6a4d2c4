import type { Work } from '../../kernel/work.ts';
import { linkToCrm } from '../crm/link.ts';
import { askOptIn } from '../crm/opt-in.ts';
import { mailsOfResponse } from '../mails/of-response.ts';
import type { ResponseCrm } from './record.ts';
import type { Submitted } from './submitted.ts';

/**
 * What follows from a response that is not spam, in the commit that stores it or takes it back from spam: its link with the CRM,
 * the opt-in that it consents to, its mails. Answers what became of it in the CRM. Locks: those of the CRM.
 */
export async function effectsOf(work: Work, submitted: Submitted): Promise<ResponseCrm> {
  const crm = await linkToCrm(work, submitted);
  const linked = { ...submitted, response: { ...submitted.response, crm } };
  await askOptIn(work, linked);
  await mailsOfResponse(work, linked);
  return crm;
}
