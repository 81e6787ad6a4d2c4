import type { Reminder } from '../event-types/fields.ts';

/** Whom a reminder is for: the guest who booked, or a host. */
export type Reminded = 'guest' | `usr_${string}`;

/** A reminder to one recipient. Two of a type that say the same are one. */
export type DueReminder = { minutes_before: number; recipient: Reminded; due_at: string };

/**
 * The reminders of a time that begins at `start`, in the order of their rules. What is due by now is left out: a mail that
 * should have gone before the booking was made would be none that reminds.
 */
export function remindersOf(
  rules: readonly Reminder[],
  { start, user_ids, to }: { start: string; user_ids: readonly string[]; to: Reminder['to'] },
  now: Date,
): DueReminder[] {
  const found = new Map<string, DueReminder>();
  for (const rule of rules) {
    const due = Date.parse(start) - rule.minutes_before * 60_000;
    if (due <= now.getTime()) continue;
    const due_at = new Date(due).toISOString();
    const isFor = (whom: 'guest' | 'hosts') =>
      [whom, 'both'].includes(rule.to) && [whom, 'both'].includes(to);
    const recipients = [
      ...(isFor('guest') ? ['guest' as const] : []),
      ...(isFor('hosts') ? (user_ids as readonly Reminded[]) : []),
    ];
    for (const recipient of recipients) {
      const { minutes_before } = rule;
      found.set(`${minutes_before} ${recipient}`, { minutes_before, recipient, due_at });
    }
  }
  return [...found.values()];
}
