import { leaveKeys } from '../../db/key-aliases.ts';
import type { Work } from '../../kernel/work.ts';
import {
  countReferring,
  foreignReferences,
  lockReferring,
  type Reference,
  relinkReferring,
} from '../../platform/references.ts';
import { countActivities, relinkActivities } from '../activities/links.ts';
import { countContacts, relinkContacts } from '../contacts/links.ts';
import { numberWarnings } from '../corporate-number.ts';
import { openDealsTogether, openYen, shownOpenAmounts } from '../deal-amount.ts';
import { countDealsOf, lockDealsOf, relinkDeals } from '../deals/links.ts';
import {
  leaveAlias,
  lockPair,
  type MergeInput,
  type Moved,
  moveTags,
  sumOf,
  tagsTogether,
} from '../merge.ts';
import { mergeFields } from '../merge-fields.ts';
import { relinkBranches } from './branches.ts';
import { writeCompany } from './operations.ts';
import { cycle, isAtOrAbove, lockParents } from './parents.ts';
import { type LockedCompany, lockCompany } from './queries.ts';
import { type Company, CompanyModel, companyFacts, companyFields, companyKind } from './record.ts';
import { searchedThroughDeals } from './shape.ts';

export type CompanyMerge = { company: Company; moved: Moved; dry_run: boolean };

/**
 * Merges the loser into the company: what refers to it refers to the survivor from now on, and its ID leads there.
 * `dry_run` counts what would move, and locks nothing but the two companies.
 * Errors: `not_found`, `precondition_failed`, `unknown_reference` and `validation_failed` at /loser_id or
 * /fields/<field>, `cycle` for a chosen parent.
 */
export async function mergeCompanies(
  work: Work,
  id: string,
  input: MergeInput,
  references: readonly Reference[],
): Promise<CompanyMerge> {
  const { loser_id, fields: choices, dry_run } = input;
  const foreign = foreignReferences(references, 'crm_companies');
  const deals = dry_run
    ? await countDealsOf(work, { company_ids: [loser_id] })
    : await lockDeals(work, id, loser_id);
  const documents = dry_run
    ? sumOf(await countReferring(work, foreign, loser_id))
    : await lockReferring(work, foreign, loser_id);
  await lockPair(work, CompanyModel, id, loser_id);
  const survivor = await lockCompany(work, id);
  const loser = await lockCompany(work, loser_id);
  const fields = mergeFields(survivor.company, loser.company, companyFields, choices);
  work.precondition(survivor.company);
  fields.parent_id = await parentAfter(work, survivor.company, loser.company, fields.parent_id, choices);
  const merged = together(fields, survivor, loser);
  const moved: Moved = {
    deals,
    activities: await countActivities(work, 'company_id', loser_id),
    contacts: await countContacts(work, loser_id),
    tags: merged.tags.length - survivor.company.tags.length,
    documents,
  };
  if (dry_run) {
    work.nothingChanged();
    return { company: merged, moved, dry_run };
  }
  await moveReferences(work, merged, loser_id);
  await relinkReferring(work, foreign, loser_id, id);
  moveTags(work, 'company', id, loser_id);
  leaveAlias(work, 'company', id, loser_id);
  leaveKeys(work, companyKind, { merged, survivor: survivor.company, loser: loser.company });
  work.remove(CompanyModel, loser_id);
  work.record(companyFacts.deleted, { before: loser.company, after: null });
  const company = writeCompany(work, survivor.company, merged, { ...companyFacts.updated, always: true });
  const { open_deals, open_amounts } = openDealsTogether(survivor.totals, loser.totals);
  const { open_amount, customer_since } = merged;
  work.update(CompanyModel, id, { open_deals, open_amount, open_amounts, customer_since });
  return { company, moved, dry_run };
}

/** The deals of both, before the companies, as every write of a deal does; answers how many the loser has. */
async function lockDeals(work: Work, id: string, loser_id: string): Promise<number> {
  await lockDealsOf(work, { company_ids: [id, loser_id] });
  return lockDealsOf(work, { company_ids: [loser_id] });
}

function together(fields: Company, survivor: LockedCompany, loser: LockedCompany): Company {
  const totals = openDealsTogether(survivor.totals, loser.totals);
  return {
    ...fields,
    tags: tagsTogether(survivor.company.tags, loser.company.tags),
    customer_since: earliest(survivor.company.customer_since, loser.company.customer_since),
    open_deals: totals.open_deals,
    open_amount: openYen(totals),
    open_amounts: shownOpenAmounts(totals),
    warnings: numberWarnings(fields),
  };
}

function earliest(one: string | null, other: string | null): string | null {
  return [one, other].filter((at) => at !== null).sort()[0] ?? null;
}

/**
 * The parent of the survivor, who takes the loser's place among the companies: where it belonged to the loser, it
 * belongs to the loser's parent; a parent that belongs to either is only an error when it was chosen.
 */
async function parentAfter(
  work: Work,
  survivor: Company,
  loser: Company,
  parent_id: string | null,
  choices: Readonly<Record<string, string>>,
): Promise<string | null> {
  if (parent_id === null) return null;
  await lockParents(work);
  const isBelowThem =
    (await isAtOrAbove(work, survivor.id, parent_id)) || (await isAtOrAbove(work, loser.id, parent_id));
  if (!isBelowThem) return parent_id;
  if (Object.hasOwn(choices, 'parent_id')) throw cycle(survivor.id, parent_id);
  return (await isAtOrAbove(work, loser.id, survivor.id)) ? loser.parent_id : survivor.parent_id;
}

async function moveReferences(work: Work, merged: Company, loser_id: string): Promise<void> {
  await relinkDeals(work, loser_id, merged.id, searchedThroughDeals(merged));
  await relinkContacts(work, loser_id, merged.id);
  await relinkBranches(work, loser_id, merged.id, merged.id);
  await relinkActivities(work, 'company_id', loser_id, merged.id);
}
