import { companiesNamed, type NamedCompany } from '../../crm/companies/names.ts';
import type { Language, Text } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import { type FiguresByAccount, together } from './figures.ts';
import type { Found } from './read-figures.ts';

/** What a report is broken down by. */
export type GroupBy = 'company' | 'department';

/** A company or department with its figures; the ID of what names none is null. */
export type Group<Name extends string> = {
  id: string | null;
  name: string;
  spans: Readonly<Record<Name, FiguresByAccount>>;
};

const none: ReadonlyMap<string, NamedCompany> = new Map();

/** What the group of lines that name no company or department is called. */
export const noneNamed: Readonly<Record<GroupBy, Text>> = {
  company: { ja: '取引先なし', en: 'No company' },
  department: { ja: '部門なし', en: 'No department' },
};

type Grouped<Name extends string> = { id: string | null; name: string; of: Found<Name>['spans'][] };

/**
 * The parts of the figures as groups with their names: those that name none first, the others by name. Companies that were
 * merged into one are one group.
 */
export async function groupsOf<Name extends string>(
  reader: Reader,
  group_by: GroupBy,
  { parts, spans }: Found<Name>,
  lang: Language,
): Promise<Group<Name>[]> {
  const named = group_by === 'company' ? await companiesNamed(reader, [...parts.keys()]) : none;
  const groups = new Map<string, Grouped<Name>>();
  for (const [part, of] of parts) {
    const known = part === '' ? { id: null, name: noneNamed[group_by][lang] } : named.get(part);
    const { id, name } = known ?? { id: part, name: part };
    const group: Grouped<Name> = groups.get(id ?? '') ?? { id, name, of: [] };
    groups.set(id ?? '', group);
    group.of.push(of);
  }
  const names = Object.keys(spans) as Name[];
  return [...groups.values()]
    .map(({ id, name, of }): Group<Name> => {
      const figures = names.map((span) => [span, together(of.map((each) => each[span]))]);
      return { id, name, spans: Object.fromEntries(figures) as Group<Name>['spans'] };
    })
    .toSorted((one, other) => {
      if ((one.id === null) !== (other.id === null)) return one.id === null ? -1 : 1;
      return one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
    });
}
