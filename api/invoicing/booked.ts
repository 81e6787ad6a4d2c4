/** What calls say of the entries that they make. */
export const BOOKED_TOO =
  'With `auto_journal` of the accounting settings its entry is made in the same commit; what the books refuse refuses ' +
  'the call.';

/** What calls say of the entries that they take back. */
export const TAKEN_BACK_TOO =
  'Its posted entry is taken back by a mirror in the same commit, on the later of today and the day of the entry, or the ' +
  'last day before that is open to you; drafts of its entry are removed.';
