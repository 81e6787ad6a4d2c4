import { companiesCalled, companiesNamed } from '../../crm/companies/names.ts';
import { isId } from '../../kernel/id.ts';
import type { Reader } from '../../kernel/reader.ts';

/** `山田商店 (comp_01…)`, as files name companies of which two have one name. */
const WITH_ID = /\((comp_[0-9a-z]{26})\)$/;

/** A company that a cell names, or what is wrong with the cell. */
export type CompanyOfCell = { company_id: string } | { fault: 'unknown_reference' | 'ambiguous' };

/** Finds companies by what cells name them by: their ID, their exact name, or the name with the ID behind it. */
export async function companiesOfCells(
  reader: Reader,
  cells: readonly string[],
): Promise<(cell: string) => CompanyOfCell> {
  const names = [...new Set(cells)];
  const [by_id, by_name] = await Promise.all([
    companiesNamed(
      reader,
      names.flatMap((cell) => idIn(cell) ?? []),
    ),
    companiesCalled(reader, names),
  ]);
  return (cell) => {
    const called = by_name.get(cell) ?? [];
    if (called.length === 1) return { company_id: called[0]! };
    if (called.length > 1) return { fault: 'ambiguous' };
    const id = by_id.get(idIn(cell) ?? '')?.id;
    return id === undefined ? { fault: 'unknown_reference' } : { company_id: id };
  };
}

function idIn(cell: string): string | null {
  const id = WITH_ID.exec(cell)?.[1] ?? cell;
  return isId(id, 'comp') ? id : null;
}
