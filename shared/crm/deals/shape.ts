import Big from 'big.js';
import { invalid } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { fitsCurrency, minorUnits } from '../../kernel/money.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { sentOrKept, sentOrNull } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import { type DealStatus, firstStatus, statusAfterMove } from '../deal-status.ts';
import { sortName } from '../names.ts';
import { type DealInput, type DealPatch, plainDealFields } from './record.ts';
import type { DealRow, DealStage } from './rows.ts';

/**
 * A deal that is about to be made, in its stage and place; `amount` is exact decimal text. What was not sent has its
 * default. Errors: `validation_failed` at /lost_reason.
 */
export function newDealRow(
  work: Work,
  input: DealInput,
  given: { stage: DealStage; amount: string; position: string; custom_fields: DealRow['custom_fields'] },
): DealRow {
  const { stage, amount, position, custom_fields } = given;
  const at = work.now.toISOString();
  return {
    id: newId('deal', work.now),
    ...sentOrNull(input, plainDealFields),
    name: input.name,
    pipeline_id: stage.pipeline_id,
    stage_id: stage.id,
    ...firstStatus(stage.type, input.lost_reason ?? null, work.now),
    amount,
    currency: input.currency ?? 'JPY',
    probability: input.probability ?? stage.probability,
    has_own_probability: input.probability != null,
    owner_id: input.owner_id === undefined ? work.actor.user_id : input.owner_id,
    last_stage_id: null,
    stage_entered_at: at,
    position,
    custom_fields,
    metadata: metadataAfter({}, input.metadata),
    created_by: work.actor.user_id,
    created_at: at,
    updated_at: at,
  };
}

/**
 * What a change makes of a deal that comes to `stage`, its place and custom fields left alone.
 * Errors: `invalid_transition`, `validation_failed` at /lost_reason and /amount.
 */
export function changedDealRow(work: Work, row: DealRow, stage: DealStage, change: DealPatch): DealRow {
  const plain = sentOrKept(change, row, plainDealFields);
  const isMoved = stage.id !== row.stage_id;
  const { probability = row.has_own_probability ? row.probability : null } = change;
  return {
    ...row,
    ...plain,
    metadata: metadataAfter(row.metadata, change.metadata),
    amount: exactAmount(change.amount ?? row.amount, plain.currency),
    pipeline_id: stage.pipeline_id,
    stage_id: stage.id,
    ...statusAfter(work, row, stage, change.lost_reason),
    ...(isMoved && { last_stage_id: row.stage_id, stage_entered_at: work.now.toISOString() }),
    has_own_probability: probability !== null,
    probability: probability ?? stage.probability,
  };
}

/** `lost_reason` is what was sent. Errors: `invalid_transition`, `validation_failed` at /lost_reason. */
function statusAfter(
  work: Work,
  row: DealRow,
  stage: DealStage,
  lost_reason: string | null | undefined,
): DealStatus {
  if (stage.id !== row.stage_id) return statusAfterMove(row, stage.type, lost_reason ?? null, work.now);
  const { status, closed_at } = row;
  if (lost_reason === undefined || lost_reason === row.lost_reason) {
    return { status, closed_at, lost_reason: row.lost_reason };
  }
  if (status !== 'lost') {
    throw invalid('/lost_reason', 'not_lost', {
      en: `lost_reason needs a lost stage; the deal is ${status}`,
      ja: `lost_reason は失注のステージでのみ指定できます。案件の状態は ${status} です`,
    });
  }
  if (lost_reason === null) {
    throw invalid('/lost_reason', 'required', {
      en: 'lost_reason is required for a deal that is lost',
      ja: '失注した案件には lost_reason が必須です',
    });
  }
  return { status, closed_at, lost_reason };
}

/** The shortest text of an amount. Errors: `validation_failed` at /amount. */
export function exactAmount(amount: string, currency: string): string {
  if (fitsCurrency(amount, currency)) return new Big(amount).toFixed();
  const message = {
    en: `amount must have no more than ${minorUnits(currency)} decimals in ${currency}`,
    ja: `${currency} の amount の小数は${minorUnits(currency)}桁までです`,
  };
  throw invalid('/amount', 'too_many_decimals', message);
}

/** The columns that search and order are served from. */
export function searchedByName({ name }: { name: string }) {
  const own_search_text = searchText([name]);
  return { sort_name: sortName({ name }), own_search_text, own_search_grams: gramsOf(own_search_text) };
}
