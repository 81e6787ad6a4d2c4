/** What entries are, and what they come from. */

/** The kinds that a caller may choose. */
export const writtenKinds = ['normal', 'adjusting', 'opening'] as const;

/** All kinds: a mirror is a `reversal`, unless it mirrors an opening or closing entry. */
export const journalKinds = [...writtenKinds, 'reversal', 'closing'] as const;

export type JournalKind = (typeof journalKinds)[number];

/** What reports count an entry as: a mirror counts as what it mirrors. */
export const kindGroups = ['opening', 'normal', 'adjusting', 'closing'] as const;

export type KindGroup = (typeof kindGroups)[number];

/** The group of an entry that mirrors none. */
export function groupOf(kind: Exclude<JournalKind, 'reversal'>): KindGroup {
  return kind;
}

/** The kind of the mirror of an entry. */
export function kindOfMirror(kind: JournalKind): JournalKind {
  return kind === 'opening' || kind === 'closing' ? kind : 'reversal';
}

/** What an entry can be made from. */
export const sourceTypes = [
  'invoice',
  'payment',
  'credit_note',
  'deposit',
  'received_invoice',
  'received_payment',
] as const;

export type SourceType = (typeof sourceTypes)[number];

/** The states of an entry. */
export const journalStatuses = ['draft', 'submitted', 'approved', 'rejected', 'posted', 'voided'] as const;

export type JournalStatus = (typeof journalStatuses)[number];
