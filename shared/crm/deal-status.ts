import { DAY } from '../kernel/days.ts';
import { Failure, invalid } from '../kernel/failure.ts';
import type { StageType } from './stage-types.ts';

/** The part of a deal that follows from being open, won or lost. Instants are ISO 8601. */
export type DealStatus = { status: StageType; closed_at: string | null; lost_reason: string | null };

const allowed: Record<StageType, readonly StageType[]> = {
  open: ['open', 'won', 'lost'],
  won: ['won', 'open'],
  lost: ['lost', 'open'],
};

/** The status of a deal that begins its life in a stage. Errors: `validation_failed` at /lost_reason. */
export function firstStatus(type: StageType, lost_reason: string | null, now: Date): DealStatus {
  return closed({ status: 'open', closed_at: null, lost_reason: null }, type, lost_reason, now);
}

/**
 * The status of a deal after a move to a stage of that type. Reopening clears `closed_at` and `lost_reason`; to lost
 * needs a reason; between won and lost the way leads through open.
 * `lost_reason` is what the caller sent, null for nothing.
 * Errors: `invalid_transition`, `validation_failed` at /lost_reason.
 */
export function statusAfterMove(
  deal: DealStatus,
  type: StageType,
  lost_reason: string | null,
  now: Date,
): DealStatus {
  if (!allowed[deal.status].includes(type)) {
    const names = allowed[deal.status].filter((status) => status !== deal.status).join(', ');
    throw new Failure('invalid_transition', {
      detail: {
        en: `The deal is ${deal.status}; from there it can go to: ${names}`,
        ja: `案件の状態は ${deal.status} です。ここから変更できる状態：${names}`,
      },
      members: { current_status: deal.status, allowed_statuses: allowed[deal.status] },
    });
  }
  return closed(deal, type, lost_reason, now);
}

/**
 * The status of a deal whose stage was removed or became another type: it follows the stage it is in, since it was
 * not the deal that was moved. Nobody was asked for a reason, so a lost one may have none.
 */
export function statusInStage(deal: DealStatus, type: StageType, now: Date): DealStatus {
  if (deal.status === type) return deal;
  if (type === 'open') return { status: 'open', closed_at: null, lost_reason: null };
  return { status: type, closed_at: now.toISOString(), lost_reason: null };
}

function closed(deal: DealStatus, type: StageType, lost_reason: string | null, now: Date): DealStatus {
  if (type === 'open') return { status: 'open', closed_at: null, lost_reason: null };
  const closed_at = deal.status === type && deal.closed_at ? deal.closed_at : now.toISOString();
  if (type === 'won') return { status: 'won', closed_at, lost_reason: null };
  const reason = lost_reason ?? (deal.status === 'lost' ? deal.lost_reason : null);
  if (reason === null && deal.status !== 'lost') {
    throw invalid('/lost_reason', 'required', {
      en: 'lost_reason is required for a deal that is lost',
      ja: '失注した案件には lost_reason が必須です',
    });
  }
  return { status: 'lost', closed_at, lost_reason: reason };
}

/** Whole days (of 24 hours) that a deal has been in its stage. */
export function daysInStage(stage_entered_at: string, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(stage_entered_at)) / DAY));
}

/** Whether an open deal has been in its stage for as many days as the stage allows, or more. */
export function isStale(
  deal: { status: StageType; stage_entered_at: string },
  stage: { stale_after_days: number | null },
  now: Date,
): boolean {
  if (deal.status !== 'open' || stage.stale_after_days === null) return false;
  return daysInStage(deal.stage_entered_at, now) >= stage.stale_after_days;
}
