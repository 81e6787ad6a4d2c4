import type { Work } from '../../../kernel/work.ts';
import { dealFacts, recordDealChange } from '../../deals/facts.ts';
import type { DealInput } from '../../deals/record.ts';
import { type DealRow, dealOf } from '../../deals/rows.ts';
import { changedDealRow, exactAmount, newDealRow } from '../../deals/shape.ts';
import { companiesIn } from '../company-references.ts';
import { customKey } from '../custom-columns.ts';
import { customValuesIn } from '../custom-values.ts';
import { ownersIn } from '../owners.ts';
import type { Records, Tracked } from '../records.ts';
import {
  type Fault,
  type GoodRow,
  isFault,
  missing,
  ownValues,
  refused,
  taken,
  type Values,
} from '../row.ts';
import { tagsIn } from '../tags.ts';
import { contactsNamed } from './contact-references.ts';
import { type DealState, lockDealsIn, writeDeals } from './rows.ts';
import { stagesIn } from './stages.ts';
import { totalsOf } from './totals.ts';

type TrackedDeal = Tracked & DealState & { first: DealState | null };

/** What a row says of a deal, references resolved; its company is made when nothing is wrong. */
type Said = {
  input: Partial<DealInput>;
  company: (() => string) | null;
  custom_fields: DealRow['custom_fields'];
};

/**
 * The fields that a column writes as it stands. A probability that is the stage's belongs to the stage: exports cannot
 * tell the two apart.
 */
const PLAIN = [
  ...['external_id', 'name', 'amount', 'currency', 'probability', 'expected_close_date'],
  ...['lost_reason', 'source'],
];

/** The deals that rows are about; what they refer to is held until the work commits. */
export async function dealsIn(
  work: Work,
  rows: readonly GoodRow[],
  { create_missing }: { create_missing: boolean },
): Promise<Records<TrackedDeal>> {
  const stages = await stagesIn(work);
  const known = await lockDealsIn(work, rows);
  const companies = await companiesIn(work, rows, create_missing);
  const company_ids = [...known.flatMap(({ row }) => row.company_id ?? []), ...companies.ids()];
  const totals = await totalsOf(work, company_ids);
  const owners = await ownersIn(work, rows);
  const tags = await tagsIn(work, 'deal', rows);
  const contacts = await contactsNamed(work, rows);
  const customValues = await customValuesIn(work, 'deal', rows);
  const byId = new Map<string, TrackedDeal>();
  const byExternalId = new Map<string, TrackedDeal>();
  const changed = new Set<TrackedDeal>();
  for (const state of known) remember(track(state, state));

  function track({ row, links }: DealState, first: DealState | null): TrackedDeal {
    return { id: row.id, is_new: first === null, updated_at: row.updated_at, row, links, first };
  }

  function remember(record: TrackedDeal, before: DealRow | null = null): void {
    byId.set(record.id, record);
    if (before?.external_id) byExternalId.delete(before.external_id);
    const { external_id } = record.row;
    if (external_id !== null) byExternalId.set(external_id, record);
  }

  function read(values: Values, before: DealRow | null): Said | Fault[] {
    const faults: Fault[] = [];
    const input: Partial<DealInput> = ownValues(values, PLAIN);
    const holder = input.external_id && byExternalId.get(input.external_id);
    if (holder && holder.id !== before?.id) faults.push(taken('external_id', input.external_id));
    const [owner_id, company, contact_ids] = [
      owners(values, before?.owner_id ?? null),
      companies.named(values),
      contacts(values),
    ];
    for (const found of [owner_id, company, contact_ids]) if (isFault(found)) faults.push(found);
    const custom_fields = customValues(before?.custom_fields ?? {}, values);
    if (Array.isArray(custom_fields)) return [...faults, ...custom_fields];
    if (faults.length > 0) return faults;
    if (owner_id !== undefined) input.owner_id = owner_id as string;
    if (contact_ids !== undefined) input.contact_ids = contact_ids as string[];
    if (typeof company === 'string') input.company_id = company;
    return { input, company: typeof company === 'function' ? company : null, custom_fields };
  }

  /** The company that was still to be made. */
  function withCompany(row: DealRow, make: (() => string) | null): DealRow {
    if (!make) return row;
    const company_id = make();
    totals.add(companies.made().find(({ id }) => id === company_id)!);
    return { ...row, company_id };
  }

  function shown({ row, links }: DealState) {
    return dealOf(row, stages.byId(row.stage_id), links, work.now);
  }

  function attempt(run: () => DealRow): DealRow | Fault[] {
    try {
      return run();
    } catch (error) {
      return refused(error, 'stage');
    }
  }

  return {
    match: (values) =>
      byId.get(values['id'] as string) ?? byExternalId.get(values['external_id'] as string) ?? null,
    key: (values) => (values['external_id'] as string | undefined) ?? null,
    found: () => [...byId.values()],
    create(values) {
      const stage = stages.first(values);
      const said = read(values, null);
      const faults = [
        ...(values['name'] === undefined ? [missing('name')] : []),
        ...('code' in stage ? [stage] : []),
        ...(Array.isArray(said) ? said : []),
      ];
      if (faults.length > 0 || 'code' in stage || Array.isArray(said)) return faults;
      const { input, custom_fields } = said;
      if (input.probability === stage.probability) delete input.probability;
      const row = attempt(() => {
        const amount = exactAmount(input.amount ?? '0', input.currency ?? 'JPY');
        return newDealRow(work, input as DealInput, { stage, amount, position: '0', custom_fields });
      });
      if (Array.isArray(row)) return row;
      const placed = { ...withCompany(row, said.company), position: stages.bottom(stage.id) };
      const record = track({ row: placed, links: { tags: [], contact_ids: input.contact_ids ?? [] } }, null);
      totals.count(null, placed);
      work.record(dealFacts.created, { before: null, after: shown(record) });
      record.links = { ...record.links, tags: tags.assign(record.id, [], values) };
      remember(record);
      changed.add(record);
      return record;
    },
    change(record, values) {
      const { row, links } = record;
      const present = stages.byId(row.stage_id);
      const stage = stages.after(present, values);
      const said = read(values, row);
      const faults = [...('code' in stage ? [stage] : []), ...(Array.isArray(said) ? said : [])];
      if (faults.length > 0 || 'code' in stage || Array.isArray(said)) return faults;
      const { input, custom_fields } = said;
      if (!row.has_own_probability && input.probability === stage.probability) delete input.probability;
      const moved = attempt(() => changedDealRow(work, row, stage, input));
      if (Array.isArray(moved)) return moved;
      const before = shown(record);
      const isMoved = stage.id !== row.stage_id;
      const position = isMoved ? stages.bottom(stage.id) : row.position;
      const after = { ...withCompany(moved, said.company), position, custom_fields };
      const contact_ids = input.contact_ids ?? links.contact_ids;
      const state = { row: after, links: { ...links, contact_ids } };
      const isSame = work.isSame(dealFacts.updated, before, shown(state));
      if (!isSame) {
        record.row = { ...after, updated_at: work.touch(row) };
        record.links = state.links;
        record.updated_at = record.row.updated_at;
        remember(record, row);
        totals.count(row, record.row);
        recordDealChange(work, before, shown(record), input.probability !== undefined);
        changed.add(record);
      } else if (after.has_own_probability !== row.has_own_probability) {
        record.row = after;
        changed.add(record);
      }
      const labels = tags.assign(record.id, links.tags, values);
      record.links = { ...record.links, tags: labels };
      return !isSame || labels.length > links.tags.length;
    },
    isBlank({ row, links }, target) {
      const key = customKey(target);
      if (key !== null) return row.custom_fields[key] === undefined;
      if (target === 'tags') return links.tags.length === 0;
      if (target === 'contact_ids') return links.contact_ids.length === 0;
      if (target === 'amount') return row.amount === '0';
      if (target === 'probability') return !row.has_own_probability;
      return row[target as keyof DealRow] === null;
    },
    kept: ({ row, links }) => keptOfDeal(row, links),
    made: () => [...companies.made(), ...tags.made().map((id) => ({ id, updated_at: null }))],
    write() {
      companies.write();
      writeDeals(work, [...changed], totals.get);
      totals.write();
      tags.write();
    },
  };
}

/** The fields that a revert gives back. */
export function keptOfDeal(row: DealRow, links: DealState['links']) {
  const { id, created_by, created_at, updated_at, ...fields } = row;
  return { ...fields, contact_ids: links.contact_ids, tags: links.tags.map((tag) => tag.id) };
}
