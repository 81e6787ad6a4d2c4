/** Five addresses of two mailboxes, in the order in which they are written to: four of one that tells tags by a `+`, and another. */
export const OF_TWO_MAILBOXES = [
  'v+1@example.jp',
  'V+2@example.jp',
  'v@example.jp',
  'v+3@example.jp',
  'w@example.jp',
] as const;

/** Those of them that get a mail where a mailbox gets three a day. */
export const WITHIN_THREE_EACH = OF_TWO_MAILBOXES.filter((email) => email !== 'v+3@example.jp');
