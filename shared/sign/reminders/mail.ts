import type { Work } from '../../kernel/work.ts';
import { documentChanged } from '../documents/changes.ts';
import { draftOf } from '../documents/draft.ts';
import { isActing, isAsked } from '../life/turn.ts';
import { storedForMail } from '../mails/document.ts';
import { mailAll } from '../mails/queue.ts';
import { addToTrail, SYSTEM } from '../trail/add.ts';

type Claimed = {
  document_id: string;
  kind: 'reminder' | 'by_hand';
  signers: readonly { id: string; number: number }[];
};

/**
 * Asks for the mails of reminders that were claimed, of those who are still asked, and answers how many. A claim that has gone is that
 * of somebody who was replaced; one of the same number, of who signs in their place, is mailed once.
 */
export async function mailReminders(work: Work, { document_id, kind, signers }: Claimed): Promise<number> {
  const stored = await storedForMail(work, document_id);
  if (stored?.document.status !== 'sent') return 0;
  const claims = await mailedFor(work, kind, signers);
  const draft = draftOf(stored);
  const asked = draft.signers.filter(
    (signer) => claims.has(signer.id) && isActing(signer) && isAsked(signer),
  );
  if (asked.length === 0) return 0;
  for (const signer of asked) signer.delivery = 'queued';
  addToTrail(
    work,
    draft.document,
    asked.map(({ id }) => ({
      type: 'reminded',
      actor: SYSTEM,
      signer_id: id,
      data: { by_hand: kind === 'by_hand' },
    })),
  );
  await mailAll(
    work,
    draft.document,
    asked.map((to) => ({ kind: 'reminder', to, told: { message: claims.get(to.id) ?? null } })),
  );
  documentChanged(work, stored, draft);
  return asked.length;
}

/** Notes that claims are mailed; answers the words of those that were not. The document is locked. */
async function mailedFor(
  { connection, organization_id }: Work,
  kind: Claimed['kind'],
  signers: Claimed['signers'],
): Promise<Map<string, string | null>> {
  const rows = await connection.query<{ signer_id: string; message: string | null }>(
    `UPDATE sign_reminders AS claim SET is_mailed = true
       FROM unnest($3::text[], $4::integer[]) AS asked (signer_id, number)
      WHERE claim.organization_id = $1 AND claim.kind = $2 AND claim.signer_id = asked.signer_id AND claim.number = asked.number
        AND NOT claim.is_mailed
      RETURNING claim.signer_id, claim.message`,
    [organization_id, kind, signers.map(({ id }) => id), signers.map(({ number }) => number)],
  );
  return new Map(rows.map(({ signer_id, message }) => [signer_id, message]));
}
