import type { FilterCondition, SegmentFilter } from '../../shared/mail/segments/filter.ts';

/** A mail contact with all that filters ask about. */
export type ModelContact = {
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  attributes: Record<string, string>;
  consent: { basis: string; source: string | null; at: string } | null;
  created_at: string;
  last_sent_at: string | null;
  last_opened_at: string | null;
  list_ids: readonly string[];
  received: readonly string[];
  opened: readonly string[];
  /** What the linked CRM contact has; empty without one. */
  linked: { tag_id: readonly string[]; owner_id: readonly string[]; deal_status: readonly string[] };
};

const DAY = 86_400_000;

/** Whether a filter finds a contact, said without SQL. */
export function isFound(filter: SegmentFilter, contact: ModelContact, now: Date): boolean {
  if ('all' in filter) return filter.all.every((each) => isFound(each, contact, now));
  if ('any' in filter) return filter.any.some((each) => isFound(each, contact, now));
  if ('not' in filter) return !isFound(filter.not, contact, now);
  return holds(filter, contact, now);
}

function holds({ field, op, value }: FilterCondition, contact: ModelContact, now: Date): boolean {
  if (field === 'campaign_id') {
    const which = op.endsWith('received') ? contact.received : contact.opened;
    return which.includes(value as string) !== op.startsWith('not_');
  }
  const present = valuesOf(field, contact).filter((each) => each !== null && each !== '') as string[];
  const isTime = field.endsWith('_at') || field === 'consent.at';
  const asked = (Array.isArray(value) ? value : [value]).map((each) => (isTime ? each : plain(String(each))));
  const time = Date.parse(present[0] ?? '');
  const texts = present.map(plain);
  switch (op) {
    case 'equals':
    case 'any_of':
      return texts.some((each) => asked.includes(each));
    case 'not_equals':
    case 'none_of':
      return !texts.some((each) => asked.includes(each));
    case 'contains':
      return texts.some((each) => each.includes(asked[0] as string));
    case 'starts_with':
      return texts.some((each) => each.startsWith(asked[0] as string));
    case 'is_empty':
      return present.length === 0;
    case 'is_not_empty':
      return present.length > 0;
    case 'within_days':
      return time <= now.getTime() && time >= now.getTime() - (value as number) * DAY;
    case 'gt':
      return time > Date.parse(value as string);
    case 'gte':
      return time >= Date.parse(value as string);
    case 'lt':
      return time < Date.parse(value as string);
    case 'lte':
      return time <= Date.parse(value as string);
    default:
      throw new Error(`${op} is not modelled`);
  }
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function valuesOf(field: string, contact: ModelContact): readonly (string | null)[] {
  const [first, ...rest] = field.split('.');
  const key = rest.join('.');
  if (first === 'attributes') return [contact.attributes[key] ?? null];
  if (first === 'consent') return [contact.consent?.[key as 'basis' | 'source' | 'at'] ?? null];
  if (first === 'crm') return contact.linked[key as keyof ModelContact['linked']];
  if (field === 'domain') return [contact.email.slice(contact.email.indexOf('@') + 1)];
  if (field === 'list_id') return contact.list_ids;
  return [
    contact[field as 'email' | 'first_name' | 'last_name' | 'created_at' | 'last_sent_at' | 'last_opened_at'],
  ];
}
