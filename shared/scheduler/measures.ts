import { countOldest, type Measure } from '../platform/operators/measure.ts';
import { calendarMeasures } from './calendars/measures.ts';

/** A time that nothing waits for, since sweeps look every 15 seconds. */
const BEHIND = "< now() - interval '2 minutes'";

/** What operators see of the scheduler. */
export const schedulerMeasures: readonly Measure[] = [
  {
    name: 'scheduler_bookings_pending',
    title: { en: 'Bookings that wait for confirmation', ja: '確定を待つ予約' },
    help: 'Bookings that nobody has confirmed or declined',
    unit: 'count',
    age: { en: 'its end', ja: '終了から' },
    query: countOldest('scheduler_bookings', "status = 'pending'", 'pending_expires_at'),
  },
  {
    name: 'scheduler_bookings_overdue',
    title: { en: 'Bookings whose expiry is overdue', ja: '期限切れの処理が遅れている予約' },
    help: 'Bookings that nobody confirmed in time and that no sweep has ended',
    unit: 'count',
    age: { en: 'its time', ja: '予定時刻から' },
    query: countOldest(
      'scheduler_bookings',
      `status = 'pending' AND pending_expires_at ${BEHIND}`,
      'pending_expires_at',
    ),
  },
  {
    name: 'scheduler_proposals_overdue',
    title: { en: 'Proposals whose expiry is overdue', ja: '期限切れの処理が遅れている提案' },
    help: 'Proposals that nobody answered in time and that no sweep has ended',
    unit: 'count',
    age: { en: 'its time', ja: '予定時刻から' },
    query: countOldest('scheduler_proposals', `status = 'open' AND expires_at ${BEHIND}`, 'expires_at'),
  },
  {
    name: 'scheduler_reminders_behind',
    title: { en: 'Reminders behind', ja: '遅れているリマインダー' },
    help: 'Reminders that should have been sent more than two minutes ago',
    unit: 'count',
    age: { en: 'its time', ja: '予定時刻から' },
    query: countOldest('scheduler_reminders', `mail_id IS NULL AND due_at ${BEHIND}`, 'due_at'),
  },
  {
    name: 'scheduler_calendar_writes_pending',
    title: { en: 'Entries to be written', ja: 'カレンダーに書き込む予定' },
    help: 'Entries of bookings that are not yet in the calendars of their hosts',
    unit: 'count',
    age: { en: 'its change', ja: '変更から' },
    query: countOldest('scheduler_calendar_entries', "status = 'pending'", 'updated_at'),
  },
  ...calendarMeasures,
];
