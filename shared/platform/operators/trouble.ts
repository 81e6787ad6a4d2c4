import { Counter, type Registry } from 'prom-client';
import { type Trouble, type TroubleKind, troubleKinds } from '../../kernel/trouble.ts';

/** A cause of refusals as this process has met it: how often, first and last. */
export type NotedTrouble = Trouble & { count: number; first_at: Date; last_at: Date };

/** Milliseconds without a refusal after which a cause counts as over. */
const OVER_AFTER = 5 * 60_000;

/** In memory: a database that takes no writes cannot keep it. One entry a kind. */
const noted = new Map<TroubleKind, NotedTrouble>();
const totals = new Map<TroubleKind, number>(troubleKinds.map((kind) => [kind, 0]));

/** Notes that a request or a job was refused, for the operators' pages and the metrics of this process. */
export function noteTrouble({ kind, sentence }: Trouble, now: Date): void {
  const known = recentTroubles(now).find((trouble) => trouble.kind === kind);
  noted.set(kind, {
    kind,
    sentence,
    count: (known?.count ?? 0) + 1,
    first_at: known?.first_at ?? now,
    last_at: now,
  });
  totals.set(kind, (totals.get(kind) ?? 0) + 1);
}

/** What has refused requests or jobs of this process in the last five minutes, the latest first. */
export function recentTroubles(now: Date): NotedTrouble[] {
  return [...noted.values()]
    .filter(({ last_at }) => Math.abs(now.getTime() - last_at.getTime()) < OVER_AFTER)
    .sort((left, right) => right.last_at.getTime() - left.last_at.getTime());
}

/** Tells how many requests and jobs of this process were refused, by cause. */
export function troubleCounter(registry: Registry): void {
  new Counter({
    name: 'refusals_total',
    help: 'Requests and tries of jobs that PostgreSQL or the store of files refused for want of something, by cause.',
    labelNames: ['cause'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [cause, count] of totals) this.inc({ cause }, count);
    },
  });
}
