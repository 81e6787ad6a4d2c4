import { type Fact, factsOf } from '../../kernel/fact.ts';
import { computedIn } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { Deal } from './record.ts';

export const dealFacts = factsOf({
  domain: 'crm',
  entity_type: 'deal',
  computed: computedIn(Deal),
  untold: ['weighted_amount'],
  events: { created: 'crm.deal.created', updated: 'crm.deal.updated', deleted: 'crm.deal.deleted' },
});

/** What follows from the stage that a deal is in. */
const STAGE_FIELDS = [
  'pipeline_id',
  'stage_id',
  'stage_slug',
  'status',
  'closed_at',
  'lost_reason',
  'stage_entered_at',
  'position',
] as const;

const OTHER_FIELDS = [
  'name',
  'currency',
  'expected_close_date',
  'owner_id',
  'company_id',
  'contact_ids',
  'source',
  'external_id',
  'amount',
  'custom_fields',
  'metadata',
  'tags',
] as const;

/**
 * Says what happened to a deal: another stage is `crm.deal.stage_updated`, and what else changed is
 * `crm.deal.updated`. The probability belongs to the stage unless the deal sets its own.
 */
export function recordDealChange(work: Work, before: Deal, after: Deal, sets_probability: boolean): void {
  if (before.stage_id === after.stage_id) {
    work.record(dealFacts.updated, { before, after });
    return;
  }
  const ofStage = sets_probability ? [] : ['probability'];
  const ofDeal = sets_probability ? ['probability'] : [];
  const moved = without(dealFacts.updated, [...OTHER_FIELDS, ...ofDeal]);
  work.record({ ...moved, event: 'crm.deal.stage_updated' }, { before, after });
  work.record(without(dealFacts.updated, [...STAGE_FIELDS, ...ofStage]), { before, after });
}

function without(fact: Fact, fields: readonly string[]): Fact {
  return { ...fact, untold: new Set([...(fact.untold ?? []), ...fields]) };
}
