import { type LinkedField, linkedContact } from '../../crm/contacts/linked.ts';
import { DAY } from '../../kernel/days.ts';
import { emailKey } from '../email-key.ts';
import { keyOf } from './fields.ts';
import type { FilterCondition, FilterValue, SegmentFilter } from './filter.ts';

/** Puts a value beside the statement and answers its place there: `$3`. */
export type Bind = (value: unknown) => string;

/** An operator that says something of a value that is there, and the values that it takes. */
type Positive = { op: 'is' | 'contains' | 'starts_with' | 'filled' | Comparison; values: readonly string[] };

type Comparison = 'gt' | 'gte' | 'lt' | 'lte';

const SIGNS: Readonly<Record<Comparison, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };

/** What a filter is asked of: `within_days` counts from `now`; with `but_left` nobody is in a list that they have left. */
type Asked = { now: Date; but_left: boolean };

/**
 * The condition of a filter on the rows of `mail_contacts AS contact`, for a statement whose `$1` is the organization. Values
 * are bound, `now` is what `within_days` counts from. Who has left a list is still in it, as the record of that, unless `but_left`.
 * It is true or false, never null.
 */
export function compileFilter(filter: SegmentFilter, bind: Bind, now: Date, but_left = false): string {
  return filterSql(filter, bind, { now, but_left });
}

function filterSql(filter: SegmentFilter, bind: Bind, asked: Asked): string {
  if ('all' in filter) return joint(filter.all, 'AND', 'true', bind, asked);
  if ('any' in filter) return joint(filter.any, 'OR', 'false', bind, asked);
  if ('not' in filter) return `(NOT ${filterSql(filter.not, bind, asked)})`;
  return conditionSql(filter, bind, asked);
}

function joint(
  filters: readonly SegmentFilter[],
  word: 'AND' | 'OR',
  empty: string,
  bind: Bind,
  asked: Asked,
): string {
  if (filters.length === 0) return empty;
  return `(${filters.map((each) => filterSql(each, bind, asked)).join(` ${word} `)})`;
}

function conditionSql(condition: FilterCondition, bind: Bind, { now, but_left }: Asked): string {
  const { field, op, value } = condition;
  const positive = (asked: Positive) =>
    field === 'list_id' ? ofLists(asked, bind, but_left) : positiveSql(field, asked, bind);
  if (field === 'campaign_id') return ofCampaign(op, value as string, bind);
  if (op === 'within_days') {
    const since = new Date(now.getTime() - (value as number) * DAY).toISOString();
    const time = timeColumn(field);
    return `coalesce(${time} >= ${bind(since)}::timestamptz AND ${time} <= ${bind(now.toISOString())}::timestamptz, false)`;
  }
  switch (op) {
    case 'not_equals':
    case 'none_of':
      return `(NOT ${positive({ op: 'is', values: texts(value) })})`;
    case 'is_empty':
      return `(NOT ${positive({ op: 'filled', values: [] })})`;
    case 'is_not_empty':
      return positive({ op: 'filled', values: [] });
    case 'equals':
    case 'any_of':
      return positive({ op: 'is', values: texts(value) });
    default:
      return positive({ op: op as Positive['op'], values: texts(value) });
  }
}

function texts(value: FilterValue | undefined): readonly string[] {
  return typeof value === 'object' ? value : [String(value)];
}

function positiveSql(field: string, asked: Positive, bind: Bind): string {
  if (field.startsWith('crm.')) return ofLinked(field, asked, bind);
  if (field.endsWith('_at') || field === 'consent.at') return ofTime(timeColumn(field), asked, bind);
  if (field === 'email' || field === 'domain') {
    const folded = field === 'email' ? 'contact.email_key' : `split_part(contact.email_key, '@', 2)`;
    return ofFolded(folded, { ...asked, values: asked.values.map(emailKey) }, bind, (place) => place);
  }
  return ofText(textColumn(field, bind), asked, bind);
}

function textColumn(field: string, bind: Bind): string {
  if (field === 'first_name' || field === 'last_name') return `contact.${field}`;
  if (field === 'consent.basis') return `contact.consent ->> 'basis'`;
  if (field === 'consent.source') return `contact.consent ->> 'source'`;
  return `contact.attributes ->> ${bind(keyOf(field))}::text`;
}

function timeColumn(field: string): string {
  return field === 'consent.at' ? `(contact.consent ->> 'at')::timestamptz` : `contact.${field}`;
}

function ofTime(column: string, { op, values: [value] }: Positive, bind: Bind): string {
  if (op === 'filled') return `(${column} IS NOT NULL)`;
  return `coalesce(${column} ${SIGNS[op as Comparison]} ${bind(value)}::timestamptz, false)`;
}

/** Both sides are folded by the database: texts meet without regard to case and width. */
const folded = (text: string) => `lower(normalize(${text}, NFKC))`;

function ofText(column: string, asked: Positive, bind: Bind): string {
  if (asked.op === 'filled') return `coalesce(${column} <> '', false)`;
  return ofFolded(folded(column), asked, bind, (place) => folded(place));
}

function ofFolded(
  text: string,
  { op, values }: Positive,
  bind: Bind,
  fold: (text: string) => string,
): string {
  if (op === 'filled') return `(${text} <> '')`;
  const places = values.map((value) => fold(`${bind(value)}::text`));
  if (op === 'contains') return `coalesce(strpos(${text}, ${places[0]}) > 0, false)`;
  if (op === 'starts_with') return `coalesce(starts_with(${text}, ${places[0]}), false)`;
  return `coalesce(${text} IN (${places.join(', ')}), false)`;
}

function ofLists({ op, values }: Positive, bind: Bind, but_left: boolean): string {
  const which = op === 'filled' ? '' : ` AND member.list_id = ANY (${bind(values)})`;
  const living = but_left ? ' AND member.unsubscribed_at IS NULL' : '';
  return `EXISTS (SELECT FROM mail_list_members AS member WHERE member.organization_id = $1
    AND member.contact_id = contact.id${which}${living})`;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  received: `recipient.status = 'sent'`,
  opened: 'recipient.opened_at IS NOT NULL',
  clicked: 'recipient.clicked_at IS NOT NULL',
};

function ofCampaign(op: string, campaign_id: string, bind: Bind): string {
  const outcome = OUTCOMES[op.replace(/^not_/, '')]!;
  const found = `EXISTS (SELECT FROM mail_campaign_recipients AS recipient WHERE recipient.organization_id = $1
    AND recipient.campaign_id = ${bind(campaign_id)} AND recipient.contact_id = contact.id AND ${outcome})`;
  return op.startsWith('not_') ? `(NOT ${found})` : found;
}

function ofLinked(field: string, asked: Positive, bind: Bind): string {
  const key = field.startsWith('crm.custom_fields.') ? keyOf(field) : null;
  const name = (key === null ? field.slice('crm.'.length) : 'custom_field') as LinkedField;
  const { op, values } = asked;
  return linkedContact('contact.email_key', name, (text) => {
    if (key === null) return op === 'filled' ? `${text} IS NOT NULL` : `${text} = ANY (${bind(values)})`;
    return customFieldSql(text, key, asked, bind);
  });
}

/** A custom field may be a text, a number, a day, true or false, or several options, of which one is enough. */
function customFieldSql(fields: string, key: string, { op, values }: Positive, bind: Bind): string {
  const value = `${fields} -> ${bind(key)}::text`;
  const each = `jsonb_array_elements_text(CASE jsonb_typeof(${value}) WHEN 'array' THEN ${value}
    ELSE jsonb_build_array(${value}) END) AS each (text)`;
  const isCompared = op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte';
  const test = isCompared
    ? comparedSql(SIGNS[op], values[0]!, bind)
    : ofText('each.text', { op, values }, bind);
  return `EXISTS (SELECT FROM ${each} WHERE ${test})`;
}

/** Days have one form and compare as texts; numbers as numbers, others than these never. */
function comparedSql(sign: string, value: string, bind: Bind): string {
  if (/^\d{4}-\d\d-\d\d$/.test(value)) {
    return `each.text ~ '^\\d{4}-\\d\\d-\\d\\d$' AND each.text COLLATE "C" ${sign} ${bind(value)}::text`;
  }
  return `CASE WHEN each.text ~ '^-?\\d{1,40}(\\.\\d{1,40})?$' THEN each.text::numeric ${sign} ${bind(value)}::numeric
    ELSE false END`;
}
