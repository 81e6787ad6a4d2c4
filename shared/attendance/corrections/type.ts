import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { replaceSessions, shownSession } from '../records/replace.ts';
import { askingOf } from '../requests/deciding.ts';
import type { RequestType } from '../requests/kind.ts';
import { ownersOf } from '../requests/owners.ts';
import { decisionShown } from '../requests/shown.ts';
import { ofWorkDate } from '../requests/work-date.ts';
import { correctionDecisionMail } from './decision-mail.ts';
import {
  type Correction,
  CorrectionModel,
  type CorrectionRow,
  correctionColumns,
  correctionFacts,
  correctionKind,
} from './record.ts';

/** Requests to change the sessions of a day. */
export const correctionType: RequestType<CorrectionRow, Correction> = {
  kind: 'correction',
  model: CorrectionModel,
  columns: correctionColumns,
  records: correctionKind,
  facts: correctionFacts,
  ...ofWorkDate(CorrectionModel.tableName),
  show: shownCorrections,
  takeEffect: replaceDay,
  tell: correctionDecisionMail.queue,
};

/** Errors: `stale_day`, `overlapping_session`, and the others of `replaceSessions`. */
async function replaceDay(work: Work, row: CorrectionRow): Promise<void> {
  const { id: correction_id, member_id, work_date, sessions, reason, base_version } = row;
  await replaceSessions(work, member_id, work_date, sessions, {
    source: 'correction',
    reason,
    correction_id,
    base_version,
  });
}

async function shownCorrections(reader: Reader, rows: readonly CorrectionRow[]): Promise<Correction[]> {
  if (rows.length === 0) return [];
  const [asking, ownerOf] = await Promise.all([askingOf(reader), ownersOf(reader, rows)]);
  return rows.map((row) => ({
    id: row.id,
    object: 'attendance.correction',
    member_id: row.member_id,
    work_date: row.work_date,
    before: { sessions: row.before.sessions.map(shownSession) },
    sessions: row.sessions.map(shownSession),
    base_version: row.base_version,
    reason: row.reason,
    ...decisionShown(row, { kind: 'correction', first_day: row.work_date }, ownerOf(row.member_id), asking),
  }));
}
