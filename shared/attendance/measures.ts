import { countOldest, type Measure } from '../platform/operators/measure.ts';

/** A time that no daily run waits for, since they are started each minute. */
const BEHIND = "due_at < now() - interval '10 minutes'";

/** What operators see of attendance. */
export const attendanceMeasures: readonly Measure[] = [
  {
    name: 'attendance_daily_runs_behind',
    title: 'Daily runs that are overdue',
    help: 'Organizations whose daily run should have begun more than ten minutes ago',
    unit: 'count',
    age: 'its time',
    query: countOldest('attendance_daily_runs', BEHIND, 'due_at'),
  },
  {
    name: 'attendance_recalculations_waiting',
    title: 'Recalculations under way',
    help: 'Recalculations of records that are not done',
    unit: 'count',
    age: 'the change that asked for it',
    // Rows are removed once they are done, so the table holds what waits alone.
    query: `SELECT count(*)::int AS value, min(since) AS oldest_at
      FROM (SELECT job.created_at AS since FROM attendance_recalculations AS waiting
              JOIN jobs AS job ON job.organization_id = waiting.organization_id AND job.id = waiting.job_id
             WHERE waiting.status IN ('queued', 'running') LIMIT 10000) AS oldest`,
  },
  {
    name: 'attendance_slack_messages_failed',
    title: 'Messages in Slack that failed this week',
    help: 'Invitations whose message in Slack failed, or may not have arrived, in the last seven days',
    unit: 'count',
    age: 'its end',
    query: countOldest(
      'invitations',
      "delivery_status = 'failed' AND updated_at > now() - interval '7 days'",
      'updated_at',
    ),
  },
];
