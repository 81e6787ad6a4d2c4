import type { Work } from '../../../kernel/work.ts';
import { normalise } from '../../../platform/search/normalise.ts';
import { dealFacts, recordDealChange } from '../../deals/facts.ts';
import type { DealInput } from '../../deals/record.ts';
import { type DealRow, type DealStage, dealOf } from '../../deals/rows.ts';
import { changedDealRow, exactAmount, newDealRow } from '../../deals/shape.ts';
import { companiesIn } from '../company-references.ts';
import { customKey } from '../custom-columns.ts';
import { customValuesIn } from '../custom-values.ts';
import { metadataOf } from '../metadata.ts';
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

/** What a row says of a deal, and the deal by it; its company is made when nothing is wrong. */
type Said = { input: Partial<DealInput>; row: DealRow; company: (() => string) | null };

/**
 * The fields that a column writes as it stands. A probability that is the stage's belongs to the stage: exports cannot
 * tell the two apart.
 */
const PLAIN = [
  'external_id',
  'name',
  'amount',
  'currency',
  'probability',
  'expected_close_date',
  'lost_reason',
  'source',
];

/** The deals that rows are about; what they refer to is held until the work commits. */
export async function dealsIn(
  work: Work,
  rows: readonly GoodRow[],
  { create_missing }: { create_missing: boolean },
): Promise<Records<TrackedDeal>> {
  // Tags before records, as in the removal of a tag.
  const tags = await tagsIn(work, 'deal', rows);
  const stages = await stagesIn(work);
  const known = await lockDealsIn(work, rows);
  const companies = await companiesIn(work, rows, create_missing);
  const company_ids = [...known.flatMap(({ row }) => row.company_id ?? []), ...companies.ids()];
  const totals = await totalsOf(work, company_ids);
  const owners = await ownersIn(work, rows);
  const contacts = await contactsNamed(work, rows);
  const customValues = await customValuesIn(work, 'deal', rows);
  const byId = new Map<string, TrackedDeal>();
  const byExternalId = new Map<string, TrackedDeal>();
  /** Those whose rows are not written yet. */
  const changed = new Set<TrackedDeal>();
  for (const state of known) remember(track(state, state));

  function track({ row, links }: DealState, first: DealState | null): TrackedDeal {
    return { id: row.id, updated_at: row.updated_at, row, links, first };
  }

  function remember(record: TrackedDeal, before: DealRow | null = null): void {
    byId.set(record.id, record);
    if (before?.external_id) byExternalId.delete(before.external_id);
    const { external_id } = record.row;
    if (external_id !== null) byExternalId.set(external_id, record);
  }

  function read(values: Values, record: TrackedDeal | null): Said | Fault[] {
    const before = record?.row ?? null;
    const faults: Fault[] = [];
    const input: Partial<DealInput> = ownValues(values, PLAIN);
    if (before === null && values['name'] === undefined) faults.push(missing('name'));
    const stage = before ? stages.after(stages.byId(before.stage_id), values) : stages.first(values);
    if ('code' in stage) faults.push(stage);
    const holder = input.external_id && byExternalId.get(input.external_id);
    if (holder && holder.id !== before?.id) faults.push(taken('external_id', input.external_id));
    const owner_id = owners(values, before?.owner_id ?? null);
    if (isFault(owner_id)) faults.push(owner_id);
    else if (owner_id !== undefined) input.owner_id = owner_id;
    const company = companies.named(values);
    if (isFault(company)) faults.push(company);
    else if (typeof company === 'string') input.company_id = company;
    const metadata = metadataOf(before?.metadata ?? {}, values);
    if (isFault(metadata)) faults.push(metadata);
    else if (values['metadata'] !== undefined) input.metadata = metadata;
    const named = contacts(values);
    if (Array.isArray(named)) faults.push(...named);
    else if (named.ids !== undefined) input.contact_ids = named.ids;
    const custom_fields = customValues(before?.custom_fields ?? {}, values);
    if (Array.isArray(custom_fields)) faults.push(...custom_fields);
    const { amount = before?.amount ?? '0', currency = before?.currency ?? 'JPY' } = input;
    const exact = attempt(() => exactAmount(amount, currency));
    if (Array.isArray(exact)) faults.push(...exact);
    const row = 'code' in stage ? null : attempt(() => rowOf(stage, input, before, Array.isArray(exact)));
    if (Array.isArray(row)) faults.push(...row);
    if (faults.length > 0 || row === null || Array.isArray(row) || Array.isArray(custom_fields))
      return faults;
    return { input, row: { ...row, custom_fields }, company: typeof company === 'function' ? company : null };
  }

  /** The deal as the row has it; with a wrong amount, which is reported, the rest is checked all the same. */
  function rowOf(
    stage: DealStage,
    input: Partial<DealInput>,
    before: DealRow | null,
    isWrongAmount: boolean,
  ): DealRow {
    if (!before?.has_own_probability && input.probability === stage.probability) delete input.probability;
    const { amount, currency, ...rest } = input;
    if (before) return changedDealRow(work, before, stage, isWrongAmount ? rest : input);
    const exact = isWrongAmount ? '0' : exactAmount(amount ?? '0', currency ?? 'JPY');
    const given = { stage, amount: exact, position: '0', custom_fields: {} };
    return newDealRow(work, input as DealInput, given);
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

  function attempt<Made>(run: () => Made): Made | Fault[] {
    try {
      return run();
    } catch (error) {
      return refused(error, 'stage');
    }
  }

  return {
    match: (values) =>
      byId.get(values['id'] as string) ?? byExternalId.get(values['external_id'] as string) ?? null,
    isByAlias: () => false,
    key: (values) => (values['external_id'] as string | undefined) ?? null,
    name: ({ name }) => (name === undefined ? null : normalise(name as string)),
    found: () => [...byId.values()],
    faults(record, values) {
      const said = read(values, record);
      return Array.isArray(said) ? said : [];
    },
    leans_on: { lost_reason: ['stage', 'stage_id', 'pipeline', 'pipeline_id'] },
    create(values) {
      const said = read(values, null);
      if (Array.isArray(said)) return said;
      const { input, row } = said;
      const placed = { ...withCompany(row, said.company), position: stages.bottom(row.stage_id) };
      const links = { tags: tags.assign(placed.id, [], values), contact_ids: input.contact_ids ?? [] };
      const record = track({ row: placed, links }, null);
      totals.count(null, placed);
      work.record(dealFacts.created, { before: null, after: shown(record) });
      remember(record);
      changed.add(record);
      return record;
    },
    change(record, values) {
      const { row, links } = record;
      const said = read(values, record);
      if (Array.isArray(said)) return said;
      const { input, row: moved } = said;
      const before = shown(record);
      const isMoved = moved.stage_id !== row.stage_id;
      const position = isMoved ? stages.bottom(moved.stage_id) : row.position;
      const after = { ...withCompany(moved, said.company), position };
      const contact_ids = input.contact_ids ?? links.contact_ids;
      const labels = tags.assign(record.id, links.tags, values);
      const state = { row: after, links: { tags: labels, contact_ids } };
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
      return !isSame;
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
      for (const record of changed) record.first = { row: record.row, links: record.links };
      changed.clear();
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
