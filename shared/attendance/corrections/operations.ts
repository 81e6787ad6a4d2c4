import type { Work } from '../../kernel/work.ts';
import { judgeSessions, shownSession } from '../records/replace.ts';
import { fileRequest, lockSubject, newRequest } from '../requests/filing.ts';
import type { Correction, CorrectionInput } from './record.ts';
import { correctionType } from './type.ts';

/**
 * Asks for other sessions of a day. They are judged as those of a PUT, and once more when the correction is approved. Errors:
 * `role_required`, `unknown_reference`, `validation_failed` at /sessions/n/..., `not_employed`, `overlapping_session`.
 */
export async function createCorrection(work: Work, input: CorrectionInput): Promise<Correction> {
  const { work_date, reason } = input;
  const person = await lockSubject(work, input.member_id, { from: work_date, to: work_date });
  const { before, sessions, version } = await judgeSessions(work, person.id, work_date, input.sessions);
  return fileRequest(work, correctionType, {
    ...newRequest(work, correctionType, person, input),
    work_date,
    before: { sessions: before.map(shownSession) },
    sessions: sessions.map(shownSession),
    base_version: version,
    reason,
  });
}
