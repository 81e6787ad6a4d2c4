/** What a stage makes of the deals in it; a deal's status is the type of its stage. */
export const stageTypes = ['open', 'won', 'lost'] as const;

export type StageType = (typeof stageTypes)[number];

/** A stage as the pure rules need it. */
export type StagePlan = {
  name: string;
  slug: string;
  sort_order: number;
  type: StageType;
  /** 0 to 100. */
  probability: number;
  /** Days after which an open deal that stays is stale, or null for never. */
  stale_after_days: number | null;
  /** `#RRGGBB`, or null. */
  color: string | null;
};

/** A stage as callers write it: what is left out is decided by `completeStage`. */
export type StageSent = { name: string; slug: string } & Partial<StagePlan>;

/** The stages of a pipeline that is made without any. */
export const defaultStages: readonly StagePlan[] = [
  stage('リード', 'lead', 0, 10),
  stage('ヒアリング', 'qualification', 1, 20),
  stage('提案', 'proposal', 2, 50),
  stage('交渉', 'negotiation', 3, 80),
  stage('受注', 'closed_won', 4, 100),
  stage('失注', 'closed_lost', 5, 0),
];

/**
 * Fills what a caller left out of a stage: from the stage that it replaces, else by its slug and type. The order
 * is the place in the list (from 0) unless the caller gave one.
 */
export function completeStage(sent: StageSent, place: number, old: StagePlan | null): StagePlan {
  const type = sent.type ?? old?.type ?? typeOfSlug(sent.slug);
  const known = type === old?.type ? old.probability : defaultProbability(sent.slug, type);
  return {
    name: sent.name,
    slug: sent.slug,
    sort_order: sent.sort_order ?? place,
    type,
    probability: sent.probability ?? known,
    stale_after_days:
      sent.stale_after_days === undefined ? (old?.stale_after_days ?? null) : sent.stale_after_days,
    color: sent.color === undefined ? (old?.color ?? null) : sent.color,
  };
}

function typeOfSlug(slug: string): StageType {
  if (slug === 'closed_won') return 'won';
  return slug === 'closed_lost' ? 'lost' : 'open';
}

/** Won is certain, lost is over; an open stage that nobody knows is as likely as not. */
function defaultProbability(slug: string, type: StageType): number {
  if (type === 'won') return 100;
  if (type === 'lost') return 0;
  return defaultStages.find((known) => known.slug === slug && known.type === 'open')?.probability ?? 50;
}

function stage(name: string, slug: string, sort_order: number, probability: number): StagePlan {
  const type = typeOfSlug(slug);
  return { name, slug, sort_order, type, probability, stale_after_days: null, color: null };
}
