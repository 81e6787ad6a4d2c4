import { consentBases } from '../contacts/record.ts';

/** What conditions can ask. `within_days`: not longer ago than so many days of 24 hours, and not later than now. */
export const filterOps = [
  'equals',
  'not_equals',
  'any_of',
  'none_of',
  'contains',
  'starts_with',
  'gt',
  'gte',
  'lt',
  'lte',
  'within_days',
  'is_empty',
  'is_not_empty',
  'received',
  'opened',
  'clicked',
  'not_received',
  'not_opened',
  'not_clicked',
] as const;

export type FilterOp = (typeof filterOps)[number];

/** The kinds of fields: they decide which operators fit and which values these take. */
export type FieldKind = 'text' | 'word' | 'time' | 'campaign' | 'custom_field';

const FILLED = ['is_empty', 'is_not_empty'] as const;
const CHOSEN = ['equals', 'not_equals', 'any_of', 'none_of', ...FILLED] as const;
const COMPARED = ['gt', 'gte', 'lt', 'lte'] as const;
const TEXT = [...CHOSEN, 'contains', 'starts_with'] as const;

/** The operators that fit a kind of field. */
export const opsOf: Readonly<Record<FieldKind, readonly FilterOp[]>> = {
  text: TEXT,
  word: CHOSEN,
  time: [...COMPARED, 'within_days', ...FILLED],
  campaign: ['received', 'opened', 'clicked', 'not_received', 'not_opened', 'not_clicked'],
  custom_field: [...TEXT, ...COMPARED],
};

/** A field of a kind; `words`: the only values that a field of words takes. */
export type FilterField = { kind: FieldKind; words?: readonly string[] };

const DEAL_STATUSES = ['open', 'won', 'lost'] as const;

const fields: Readonly<Record<string, FilterField>> = {
  email: { kind: 'text' },
  domain: { kind: 'text' },
  first_name: { kind: 'text' },
  last_name: { kind: 'text' },
  created_at: { kind: 'time' },
  last_sent_at: { kind: 'time' },
  last_opened_at: { kind: 'time' },
  last_clicked_at: { kind: 'time' },
  list_id: { kind: 'word' },
  'consent.basis': { kind: 'word', words: consentBases },
  'consent.source': { kind: 'text' },
  'consent.at': { kind: 'time' },
  campaign_id: { kind: 'campaign' },
  'crm.tag_id': { kind: 'word' },
  'crm.company_id': { kind: 'word' },
  'crm.owner_id': { kind: 'word' },
  'crm.deal_status': { kind: 'word', words: DEAL_STATUSES },
  'crm.stage_id': { kind: 'word' },
};

/** The beginnings of fields whose last part is a key of the organization's own. */
const KEYED: readonly [beginning: string, field: FilterField][] = [
  ['attributes.', { kind: 'text' }],
  ['crm.custom_fields.', { kind: 'custom_field' }],
];

/** The longest key of an attribute or a custom field. */
const LONGEST_KEY = 100;

/** The names of fields, as refusals and the reference list them. */
export const fieldNames = [...Object.keys(fields), ...KEYED.map(([beginning]) => `${beginning}KEY`)];

/** A field by its name; undefined for a name that no field has. */
export function fieldOf(name: string): FilterField | undefined {
  if (Object.hasOwn(fields, name)) return fields[name];
  const found = KEYED.find(([beginning]) => name.startsWith(beginning));
  const key = found && name.slice(found[0].length);
  return key && key.length <= LONGEST_KEY ? found[1] : undefined;
}

/** The key behind the beginning of a field: `会社名` of `attributes.会社名`. */
export function keyOf(name: string): string {
  const [beginning = ''] = KEYED.find(([each]) => name.startsWith(each)) ?? [];
  return name.slice(beginning.length);
}
