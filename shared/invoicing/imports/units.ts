import { companyColumns } from '../../crm/companies/in-files.ts';
import type { UnitReader, UnitRow } from '../../platform/imports/domain.ts';
import { parseRowType } from './cells.ts';

type Before = { key: string; is_readable: boolean };

/** What a row without a key must be blank in to belong to the document above it. */
const OF_ITS_OWN = [...companyColumns, 'issue_date'];

/**
 * Tells the documents of a file apart. Neighbouring rows of one `external_id`, where it is blank of one `number`, are a
 * document. A row without either goes on with the document above it, unless it names a company or a day of its own. Where
 * rows say what they are, one of the document begins it. A row that cannot be read belongs to the documents on both sides of it, since it may be
 * of either: they are one, and none of it is written.
 */
export function documentReader(): UnitReader {
  let before: Before | null = null;
  return {
    begins(row) {
      const begins = before === null || beginsDocument(before, row);
      const key = row.is_readable ? keyOf(row.cell) : '';
      before = { is_readable: row.is_readable, key: key === '' && !begins ? before!.key : key };
      return begins;
    },
  };
}

function beginsDocument(before: Before, { is_readable, cell }: UnitRow): boolean {
  if (!is_readable || !before.is_readable) return false;
  const type = cell('row_type');
  const parsed = type === '' ? null : parseRowType(type);
  if (parsed && 'value' in parsed && parsed.value === 'document') return true;
  const key = keyOf(cell);
  if (key !== '') return key !== before.key;
  return !parsed && OF_ITS_OWN.some((column) => cell(column) !== '');
}

/** What tells a document in its file: its own key, else its number; blank where it has neither. */
export function keyOf(cell: (field: string) => string): string {
  const [external_id, number] = [cell('external_id'), cell('number')];
  if (external_id !== '') return `external_id ${external_id}`;
  return number === '' ? '' : `number ${number}`;
}

/** Whether one of the documents that begin in these rows has neither: sent again, it would be there twice. */
export function makesDocumentsAnew(rows: readonly UnitRow[]): boolean {
  const reader = documentReader();
  return rows.some((row) => reader.begins(row) && keyOf(row.cell) === '');
}
