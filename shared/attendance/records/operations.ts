import type { Work } from '../../kernel/work.ts';
import { memberOfPath, roleRequired } from '../sight/people.ts';
import { recordInFull } from './queries.ts';
import type { AttendanceRecordInFull, RecordInput } from './record.ts';
import { replaceSessions } from './replace.ts';

/**
 * Replaces the sessions of a member's work date. Errors: `not_found`, `role_required`, those of `replaceSessions`.
 */
export async function putRecord(
  work: Work,
  member_id: string,
  work_date: string,
  { sessions, reason }: RecordInput,
): Promise<AttendanceRecordInFull> {
  await memberOfPath(work, member_id);
  if (work.actor.role === 'member') throw roleRequired(CORRECT);
  await replaceSessions(work, member_id, work_date, sessions, { source: 'put', reason });
  await work.flush();
  return recordInFull(work, member_id, work_date);
}

const CORRECT = {
  en: 'As member you ask for a correction; managers, admins and owners change records',
  ja: 'member の役割では修正を申請してください。記録を変更できるのは manager、admin、owner です',
};
