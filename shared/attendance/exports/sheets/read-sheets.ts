import type { Reader } from '../../../kernel/reader.ts';
import type { FileOfRows } from '../../../platform/reports/report.ts';
import { monthDaysOf, monthsOf } from '../../months/queries.ts';
import { termsOn } from '../../terms/present.ts';
import { approversOf } from '../approvers.ts';
import { AskedExport, type Span, spanOf } from '../asked.ts';
import { inParts, type PersonOfExport, peopleOf } from '../people.ts';
import { stateOf } from '../state.ts';
import type { Sheet } from './model.ts';
import { sheetOf } from './sheet.ts';

/** Pages that a file has at most: a thousand members take minutes of a browser. */
export const MOST_SHEETS = 2_000;

/** The months of members on pages of paper, a page each. */
export const sheetsFile: FileOfRows = {
  name: 'attendance.sheets',
  scope: 'attendance:read',
  title: { ja: '勤務表', en: 'timesheets' },
  reads_as_asker: true,
  state: (reader, asked) => stateOf(reader, AskedExport.parse(asked)),
};

/** The pages that are asked for, in the order of `employee_code` and month; some members are read at a time. */
export async function readSheets(reader: Reader, asked: AskedExport): Promise<Sheet[]> {
  const span = await spanOf(reader, asked);
  const [people, organization] = await Promise.all([peopleOf(reader, asked, span), organizationName(reader)]);
  const sheets: Sheet[] = [];
  for (const part of inParts(people)) {
    sheets.push(...(await sheetsOf(reader, asked, { span, people: part, organization })));
  }
  return sheets;
}

type Part = { span: Span; people: readonly PersonOfExport[]; organization: string };

async function sheetsOf(reader: Reader, asked: AskedExport, { span, people, organization }: Part) {
  const ids = people.map(({ id }) => id);
  const approverOf = await approversOf(reader, ids, span);
  const read = span.months.map(async ({ month, end }) => {
    const [months, days, termsOf] = await Promise.all([
      monthsOf(reader, ids, month),
      monthDaysOf(reader, ids, month),
      termsOn(reader, ids, end),
    ]);
    return { months, days, termsOf };
  });
  const all = await Promise.all(read);
  return people.flatMap((person) =>
    all.flatMap(({ months, days, termsOf }) => {
      const month = months.get(person.id);
      if (!month) return [];
      const source = {
        organization,
        person,
        month,
        days: days.get(person.id) ?? [],
        work_system: termsOf(person.id).work_system,
        approved_by: approverOf(person.id, month.period.end),
        zoneOn: span.zoneOn,
        now: reader.now,
      };
      return [sheetOf(source, asked.language)];
    }),
  );
}

async function organizationName({ connection, organization_id }: Reader): Promise<string> {
  const [row] = await connection.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
    organization_id,
  ]);
  return row!.name;
}
