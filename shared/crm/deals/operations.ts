import type { Work } from '../../kernel/work.ts';
import { requireMember } from '../../platform/access/members.ts';
import { relinkActivities } from '../activities/links.ts';
import { searchedThroughDeals } from '../companies/shape.ts';
import { customFieldsAfter } from '../custom-fields/queries.ts';
import { keepTotals, lockCompanies, movesTotals } from './company-totals.ts';
import { linkContacts, relinkContacts, requireContacts } from './contacts.ts';
import { firstStage, lockDealToMove, stageAfter } from './destination.ts';
import { dealFacts, recordDealChange } from './facts.ts';
import { bottomOf, type Neighbour, placeBeside } from './place.ts';
import { type Deal, type DealInput, DealModel, type DealMove, type DealPatch } from './record.ts';
import { type DealRow, type DealStage, dealOf, lockDeal } from './rows.ts';
import { changedDealRow, exactAmount, newDealRow, searchedByName } from './shape.ts';

/**
 * Makes a deal. Errors: `validation_failed` (an amount with too many decimals, a lost stage without `lost_reason`),
 * `unknown_reference`, `already_exists`.
 */
export async function createDeal(work: Work, input: DealInput): Promise<Deal> {
  const { contact_ids = [], currency = 'JPY', company_id = null } = input;
  const amount = exactAmount(input.amount ?? '0', currency);
  const stage = await firstStage(work, input);
  const [companies, position, custom_fields] = await Promise.all([
    lockCompanies(work, [company_id]),
    bottomOf(work, stage.id),
    customFieldsAfter(work, 'deal', {}, input.custom_fields),
    requireMember(work, input.owner_id, '/owner_id'),
    requireContacts(work, contact_ids),
  ]);
  const row = newDealRow(work, input, { stage, amount, position, custom_fields });
  const deal = dealOf(row, stage, { tags: [], contact_ids }, work.now);
  const company = company_id ? companies.get(company_id)! : null;
  work.insert(DealModel, { ...row, ...searchedByName(row), ...searchedThroughDeals(company) });
  linkContacts(work, row.id, contact_ids);
  keepTotals(work, companies, null, row);
  work.record(dealFacts.created, { before: null, after: deal });
  return deal;
}

/** A change as PATCH and the board ask for it. */
export type DealChange = DealPatch & { beside?: Neighbour };

/**
 * Changes the fields sent; another stage is a move, wherever it was asked for.
 * Errors: `not_found`, `precondition_failed`, `invalid_transition`, those of making one.
 */
export async function updateDeal(work: Work, id: string, change: DealChange): Promise<Deal> {
  const { beside, pipeline_id, stage_id } = change;
  const moves = beside !== undefined || pipeline_id !== undefined || stage_id !== undefined;
  const locked = await (moves
    ? lockDealToMove(work, id, { pipeline_id, stage_id, placed: beside !== undefined })
    : lockDeal(work, id));
  const { row, links } = locked;
  const before = dealOf(row, locked.stage, links, work.now);
  const [stage, custom_fields] = await Promise.all([
    stageAfter(work, row, locked.stage, change),
    customFieldsAfter(work, 'deal', row.custom_fields, change.custom_fields),
    requireMember(work, change.owner_id, '/owner_id'),
    requireContacts(work, change.contact_ids),
  ]);
  work.precondition(before);
  const position = await positionAfter(work, row, stage, beside);
  const changed = { ...changedDealRow(work, row, stage, change), position, custom_fields };
  const contact_ids = change.contact_ids ?? links.contact_ids;
  const unsaved = dealOf(changed, stage, { ...links, contact_ids }, work.now);
  if (work.isSame(dealFacts.updated, before, unsaved)) {
    const { has_own_probability } = changed;
    if (has_own_probability !== row.has_own_probability) work.update(DealModel, id, { has_own_probability });
    return before;
  }
  const companies = movesTotals(row, changed)
    ? await lockCompanies(work, [row.company_id, changed.company_id])
    : new Map();
  const after = { ...unsaved, updated_at: work.touch(before) };
  const { id: _, created_at, created_by, ...columns } = changed;
  work.update(DealModel, id, {
    ...columns,
    updated_at: after.updated_at,
    ...(changed.name !== row.name && searchedByName(changed)),
    ...(changed.company_id !== row.company_id &&
      searchedThroughDeals(companies.get(changed.company_id ?? '') ?? null)),
  });
  if (change.contact_ids) relinkContacts(work, id, contact_ids);
  keepTotals(work, companies, row, changed);
  recordDealChange(work, before, after, change.probability !== undefined);
  return after;
}

/** Moves a deal to a stage and a place on its board: the same operation as a change of its `stage_id`. */
export async function moveDeal(work: Work, id: string, move: DealMove): Promise<Deal> {
  const { before_id, after_id, ...change } = move;
  if (before_id) return updateDeal(work, id, { ...change, beside: { before_id } });
  if (after_id) return updateDeal(work, id, { ...change, beside: { after_id } });
  return updateDeal(work, id, change);
}

/** Removes a deal; its activities stay and lose the link. Errors: `not_found`, `precondition_failed`. */
export async function deleteDeal(work: Work, id: string): Promise<void> {
  const { row, stage, links } = await lockDeal(work, id);
  const before = dealOf(row, stage, links, work.now);
  work.precondition(before);
  if (row.status === 'open') keepTotals(work, await lockCompanies(work, [row.company_id]), row, null);
  await relinkActivities(work, 'deal_id', id, null);
  work.remove(DealModel, id);
  work.record(dealFacts.deleted, { before, after: null });
}

async function positionAfter(
  work: Work,
  row: DealRow,
  stage: DealStage,
  beside: Neighbour | undefined,
): Promise<string> {
  if (beside) return placeBeside(work, row, stage.id, beside);
  return stage.id === row.stage_id ? row.position : bottomOf(work, stage.id);
}
