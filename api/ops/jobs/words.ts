import type { Text } from '../../../shared/kernel/language.ts';
import type { JobStatus } from '../../../shared/platform/jobs/record.ts';
import type { DeliveryState } from '../../../shared/platform/outbox/deliveries.ts';
import { count } from '../speech.ts';

export const stateWords: Record<DeliveryState, Text> = {
  failed: { en: 'Given up', ja: '中止' },
  running: { en: 'Handed over', ja: '引き渡し済み' },
  due: { en: 'Due', ja: '実行待ち' },
  later: { en: 'Later', ja: '再試行待ち' },
};

/** How the job stands that people follow. */
export const jobStatusWords: Record<JobStatus, Text> = {
  queued: { en: 'queued', ja: '順番待ち' },
  running: { en: 'running', ja: '実行中' },
  paused: { en: 'paused', ja: '一時停止' },
  succeeded: { en: 'succeeded', ja: '完了' },
  failed: { en: 'failed', ja: '失敗' },
  cancelled: { en: 'cancelled', ja: '中止' },
};

/** Words of the pages of jobs that several of them have. */
export const jobWords = {
  job: { en: 'Job', ja: 'ジョブ' },
  queue: { en: 'Queue', ja: 'キュー' },
  organization: { en: 'Organization', ja: '組織' },
  reason: { en: 'Reason', ja: '理由' },
  all: { en: 'All', ja: 'すべて' },
  filter: { en: 'Filter', ja: '絞り込む' },
  clear: { en: 'Clear', ja: '条件を消す' },
  leave: { en: 'Leave them', ja: 'やめる' },
  retry: { en: 'Retry…', ja: '再実行…' },
  discard: { en: 'Discard…', ja: '破棄…' },
} satisfies Record<string, Text>;

/** `this job`, `12 jobs` */
export function countedJobs(number: number): Text {
  return { en: number === 1 ? 'this job' : `${count(number)} jobs`, ja: `${count(number)}件のジョブ` };
}
