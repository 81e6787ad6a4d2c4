import { RETENTION_YEARS } from '../../accounting/documents/retention.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { ReceiveSettings } from './record.ts';

/** The fields of the settings that are kept. */
type Kept = Omit<ReceiveSettings, 'id' | 'object' | 'created_at' | 'updated_at'>;

/** The settings of an organization that has changed none. */
export const defaultReceiveSettings: Kept = {
  four_eyes: false,
  match_policy: 'warn',
  match_tolerance: { quantity_percent: 0, price_percent: 0 },
  small_amount_rule: false,
  retention_years: RETENTION_YEARS,
  default_due: { closing_day: 'end', months_later: 1, pay_day: 'end' },
};

/** SQL: the settings as they are kept, and with them what else a statement reads of the organization. */
export const findSettings = (...more: readonly string[]) => `
  SELECT kept.four_eyes, kept.match_policy, kept.match_tolerance, kept.small_amount_rule, kept.retention_years,
    ${['kept.default_due', 'kept.updated_at', 'organization.created_at', ...more].join(', ')}
  FROM organizations AS organization
  LEFT JOIN received_settings AS kept ON kept.organization_id = organization.id WHERE organization.id = $1`;

const FIND = findSettings();

/** A row of that statement; null where nothing is kept. */
export type FoundSettings = { [Name in keyof Kept]: Kept[Name] | null } & {
  created_at: string;
  updated_at: string | null;
};

/** The settings of the reader's organization; the defaults where nobody has changed any. Errors: `not_found`. */
export async function receiveSettings({ connection, organization_id }: Reader): Promise<ReceiveSettings> {
  const [found] = await connection.query<FoundSettings>(FIND, [organization_id], { alone: true });
  if (!found) throw notFound();
  return settingsOf(organization_id, found);
}

/** The settings of an organization by what is kept of them. */
export function settingsOf(organization_id: string, found: FoundSettings): ReceiveSettings {
  const { created_at, updated_at } = found;
  const standard = defaultReceiveSettings;
  return {
    id: organization_id,
    object: 'received.receive_settings',
    four_eyes: found.four_eyes ?? standard.four_eyes,
    match_policy: found.match_policy ?? standard.match_policy,
    match_tolerance: found.match_tolerance ?? standard.match_tolerance,
    small_amount_rule: found.small_amount_rule ?? standard.small_amount_rule,
    retention_years: found.retention_years ?? standard.retention_years,
    default_due: found.default_due ?? standard.default_due,
    created_at,
    updated_at: updated_at ?? created_at,
  };
}
