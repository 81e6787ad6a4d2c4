import type { Failure, FieldError } from '../../kernel/failure.ts';
import { cellError } from '../../platform/imports/cell-errors.ts';
import type { CellError } from '../../platform/imports/domain.ts';
import type { DayOfFile } from './days.ts';

/** What becomes of the codes of refusals: the others are those of the report already. */
const CODES: Readonly<Record<string, string>> = { overlapping_session: 'overlap' };

/** Codes of places that a report has under their own names; all others are of times that make no session. */
const OWN: ReadonlySet<string> = new Set(['overlap', 'required']);

/** Why a day was refused, at the rows and columns of the file that it names. */
export function faultsOfRefusal(
  { rows, sessions }: DayOfFile,
  { code, message, details }: Failure,
): CellError[] {
  const { errors = [], detail } = details;
  if (errors.length === 0) {
    const column = code === 'overlapping_session' ? null : 'work_date';
    return [cellError((sessions[0] ?? rows[0])!, CODES[code] ?? code, column, detail ?? message)];
  }
  return errors.map((error) => faultOf(sessions, error));
}

/** `/sessions/2/breaks/0/end_at` is the column `breaks` of the third row. */
function faultOf(sessions: DayOfFile['sessions'], { path, code, message }: FieldError): CellError {
  const [, , index, field = ''] = path.split('/');
  const isOfBreak = field === 'breaks';
  const known = OWN.has(code) && !isOfBreak ? code : 'invalid_time';
  const column = isOfBreak ? 'breaks' : field === 'clock_out_at' ? 'clock_out' : 'clock_in';
  return cellError(sessions[Number(index)]!, known, column, message);
}

/** The rows of a refused day that have no fault themselves: it goes to the report whole, to be mended and sent again. */
export function faultsOfOthers({ rows }: DayOfFile, faulty: ReadonlySet<number>): CellError[] {
  const first = Math.min(...faulty);
  return rows
    .filter(({ row }) => !faulty.has(row))
    .map((row) =>
      cellError(row, 'faulty_day', null, {
        en: `Row ${first} of the same employee and date has a fault: mend it, and send all rows of the day`,
        ja: `同じ社員・同じ日の${first}行目に誤りがあります。直したうえで、その日の全行をまとめて取り込んでください`,
      }),
    );
}
