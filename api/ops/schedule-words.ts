/** What each schedule is for, as operators read it. */
export const scheduleWords: Readonly<Record<string, string>> = {
  event_positions: 'Gives new events their place in the feed',
  mail_contacts_search: 'Puts changed mail contacts into the search',
  expired_idempotency_keys: 'Removes answers kept for repeated requests, after a day',
  expired_receipts: 'Removes the receipts of finished jobs, after 30 days',
  expired_queue_minutes: 'Removes the numbers of the queues, after 7 days',
  expired_sessions: 'Removes sessions that have ended',
  expired_verifications: 'Removes what sign-in kept for a while',
  expired_rate_limits: 'Removes counts of requests whose window has ended',
  expired_attempts: 'Removes counts of sign-in attempts whose window has ended',
  expired_exports: 'Removes the records of exports, after 30 days',
  expired_invoicing_draft_prints: 'Removes the files of drafts, after 7 days',
  expired_account_tokens: 'Removes the links of mails to accounts, a day after they ended',
  old_imports: 'Forgets what imports overwrote, once they cannot be undone any more',
  job_files: 'Gives up the files of jobs, after 7 days',
  loose_files: 'Removes files that nothing refers to any more',
  mailbox: 'Keeps the newest 5,000 mails of the local mailbox',
};
