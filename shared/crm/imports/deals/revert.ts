import type { Work } from '../../../kernel/work.ts';
import { dealFacts, recordDealChange } from '../../deals/facts.ts';
import { type DealRow, dealColumns, dealOf, linksOf } from '../../deals/rows.ts';
import { customFieldsWith, ownFields, presentIn, valuesBefore } from '../give-back.ts';
import type { Overwritten } from '../journal.ts';
import type { Kept } from '../records.ts';
import { type Made, type Reverter, valuesToGiveBack } from '../revert.ts';
import { tagsLeft, takeTags } from '../take-tags.ts';
import { keptOfDeal } from './records.ts';
import { type ChangedDeal, type DealState, writeDeals } from './rows.ts';
import { type Stages, stagesIn } from './stages.ts';
import { totalsOf } from './totals.ts';

/** Undoes an import of deals. */
export const dealReverter: Reverter = { restore, remove };

/** Fields that only make sense together: all of a group are given back, or none. */
const GROUPS = [
  [
    'stage_id',
    'pipeline_id',
    'status',
    'closed_at',
    'lost_reason',
    'last_stage_id',
    'stage_entered_at',
    'position',
  ],
  ['amount', 'currency'],
  ['has_own_probability', 'probability'],
];

async function restore(work: Work, overwritten: ReadonlyMap<string, Overwritten>) {
  const stages = await stagesIn(work);
  const deals = await lockDeals(work, [...overwritten.keys()], 'FOR NO KEY UPDATE');
  const company_ids = valuesBefore(overwritten.values(), 'company_id');
  const totals = await totalsOf(work, [...company_ids, ...deals.flatMap(({ row }) => row.company_id ?? [])]);
  const taken = await presentIn(
    work,
    'crm_deals',
    'external_id',
    valuesBefore(overwritten.values(), 'external_id'),
  );
  const contact_ids = [...overwritten.values()].flatMap((own) => (own['contact_ids']?.[0] ?? []) as string[]);
  const contacts = await presentIn(work, 'crm_contacts', 'id', [...new Set(contact_ids)]);
  const untagged = await takeTags(work, 'deal', overwritten);
  const allows = (field: string, value: unknown) => {
    if (value === null) return true;
    if (field === 'external_id') return !taken.has(value as string);
    if (field === 'company_id') return totals.get(value as string) !== null;
    if (field === 'contact_ids') return (value as string[]).every((id) => contacts.has(id));
    return field !== 'stage_id' || stages.byId(value as string) !== undefined;
  };
  const counts = { restored_count: 0, left_count: 0 };
  const changed: ChangedDeal[] = [];
  for (const first of deals) {
    const own = overwritten.get(first.row.id)!;
    const found = valuesToGiveBack(keptOfDeal(first.row, first.links), own, allows);
    const values = inGroups(found.values, own, stages);
    const isWhole = Object.keys(values).length === Object.keys(found.values).length && found.left === 0;
    if (!isWhole) counts.left_count += 1;
    if (Object.keys(values).length > 0 || untagged.has(first.row.id)) counts.restored_count += 1;
    const restored = withValues(first, values, stages);
    const tags = tagsLeft({ id: first.row.id, tags: first.links.tags }, untagged);
    const after = { ...restored, links: { ...restored.links, tags } };
    const before = dealOf(first.row, stages.byId(first.row.stage_id), first.links, work.now);
    const shown = dealOf(after.row, stages.byId(after.row.stage_id), after.links, work.now);
    if (work.isSame(dealFacts.updated, before, shown)) continue;
    const row = { ...after.row, updated_at: work.touch(first.row) };
    totals.count(first.row, row);
    recordDealChange(work, before, { ...shown, updated_at: row.updated_at }, 'has_own_probability' in values);
    changed.push({ row, links: after.links, first });
  }
  writeDeals(work, changed, totals.get);
  totals.write();
  return counts;
}

/** Without groups of which a part was changed since, or whose stage is of another type than the deal was. */
function inGroups(values: Kept, own: Overwritten, stages: Stages): Kept {
  const given = { ...values };
  for (const group of GROUPS) {
    const overwritten = group.filter((field) => field in own);
    const isWhole = overwritten.every((field) => field in values);
    const stage = 'stage_id' in given ? stages.byId(given['stage_id'] as string) : null;
    const fits = !group.includes('stage_id') || !stage || stage.type === (given['status'] ?? stage.type);
    if (!isWhole || !fits) for (const field of group) delete given[field];
  }
  return given;
}

function withValues({ row, links }: DealState, values: Kept, stages: Stages): DealState {
  const { contact_ids = links.contact_ids, ...fields } = ownFields(values);
  const after = { ...row, ...fields, custom_fields: customFieldsWith(row.custom_fields, values) } as DealRow;
  const stage = stages.byId(after.stage_id);
  const isGone = after.last_stage_id !== null && stages.byId(after.last_stage_id) === undefined;
  return {
    row: {
      ...after,
      pipeline_id: stage.pipeline_id,
      last_stage_id: isGone ? null : after.last_stage_id,
      probability: after.has_own_probability ? after.probability : stage.probability,
    },
    links: { ...links, contact_ids: contact_ids as string[] },
  };
}

async function remove(work: Work, made: Made) {
  const stages = await stagesIn(work);
  const deals = await lockDeals(work, [...made.keys()], 'FOR UPDATE');
  const ids = deals.map(({ row }) => row.id);
  const referred = await presentIn(work, 'crm_activities', 'deal_id', ids);
  const gone = deals.filter(({ row }) => made.get(row.id) === row.updated_at && !referred.has(row.id));
  const totals = await totalsOf(
    work,
    gone.flatMap(({ row }) => row.company_id ?? []),
  );
  for (const { row, links } of gone) {
    const before = dealOf(row, stages.byId(row.stage_id), links, work.now);
    totals.remove(row);
    work.record(dealFacts.deleted, { before, after: null });
  }
  work.run('DELETE FROM crm_deals WHERE organization_id = $1 AND id = ANY ($2)', [
    work.organization_id,
    gone.map(({ row }) => row.id),
  ]);
  totals.write();
  return { deleted_count: gone.length, left_count: deals.length - gone.length };
}

async function lockDeals(work: Work, ids: readonly string[], lock: string): Promise<DealState[]> {
  if (ids.length === 0) return [];
  const rows = await work.connection.query<DealRow>(
    `SELECT ${dealColumns.join(', ')} FROM crm_deals
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id ${lock}`,
    [work.organization_id, ids],
  );
  const links = await linksOf(
    work,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ row, links: links(row.id) }));
}
