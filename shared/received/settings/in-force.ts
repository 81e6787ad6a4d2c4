import { RETENTION_RULES_AS_JSON, type RetentionRule } from '../../accounting/documents/retention.ts';
import { YEARS_AS_JSON } from '../../accounting/years/queries.ts';
import type { FiscalYear } from '../../accounting/years/record.ts';
import { loadOncePerTurn } from '../../db/load-once-per-turn.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { type FoundSettings, findSettings, settingsOf } from './queries.ts';
import type { ReceiveSettings } from './record.ts';

/** What documents follow from of a fiscal year: its days and how its tax is rounded. */
export type ContextYear = Pick<FiscalYear, 'start_date' | 'end_date' | 'tax_rounding'>;

/** The settings of an organization with its fiscal years and how long it keeps documents, each by their beginning. */
export type SettingsInForce = {
  settings: ReceiveSettings;
  years: readonly ContextYear[];
  retention: readonly RetentionRule[];
};

const FIND = findSettings(`${YEARS_AS_JSON} AS years`, `${RETENTION_RULES_AS_JSON} AS retention`);

type Found = FoundSettings & Omit<SettingsInForce, 'settings'>;

const lookUp = loadOncePerTurn(async ({ connection, organization_id }) => {
  // Alone: a transaction that has begun could share nothing with other requests.
  const [found] = await connection.query<Found>(FIND, [organization_id], { alone: true });
  return new Map(found ? [[organization_id, found]] : []);
});

/** What documents of the reader's organization follow from; requests of the same moment share the reading. Errors: `not_found`. */
export async function settingsInForce(reader: Reader): Promise<SettingsInForce> {
  const { organization_id } = reader;
  const found = await lookUp(reader, organization_id);
  if (!found) throw notFound();
  const { years, retention } = found;
  return { settings: settingsOf(organization_id, found), years, retention };
}
