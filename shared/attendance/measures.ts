import { countOldest, type Measure } from '../platform/operators/measure.ts';

/** A time that no daily run waits for, since they are started each minute. */
const BEHIND = "due_at < now() - interval '10 minutes'";

/** What operators see of attendance. */
export const attendanceMeasures: readonly Measure[] = [
  {
    name: 'attendance_daily_runs_behind',
    title: { en: 'Daily runs that are overdue', ja: '遅れている日次処理' },
    help: 'Organizations whose daily run should have begun more than ten minutes ago',
    unit: 'count',
    age: { en: 'its time', ja: '予定時刻から' },
    query: countOldest('attendance_daily_runs', BEHIND, 'due_at'),
  },
  {
    name: 'attendance_recalculations_waiting',
    title: { en: 'Recalculations under way', ja: '再計算中' },
    help: 'Recalculations of records that are not done',
    unit: 'count',
    age: { en: 'the change that asked for it', ja: '変更から' },
    // Rows are removed once they are done, so the table holds what waits alone.
    query: `SELECT count(*)::int AS value, min(since) AS oldest_at
      FROM (SELECT job.created_at AS since FROM attendance_recalculations AS waiting
              JOIN jobs AS job ON job.organization_id = waiting.organization_id AND job.id = waiting.job_id
             WHERE waiting.status IN ('queued', 'running') LIMIT 10000) AS oldest`,
  },
  {
    name: 'attendance_slack_messages_failed',
    title: { en: 'Messages in Slack that failed this week', ja: '今週失敗したSlackの通知' },
    help: 'Invitations whose message in Slack failed, or may not have arrived, in the last seven days',
    unit: 'count',
    age: { en: 'its end', ja: '終了から' },
    query: countOldest(
      'invitations',
      "delivery_status = 'failed' AND updated_at > now() - interval '7 days'",
      'updated_at',
    ),
  },
];
