import type { RetentionRule } from '../../accounting/documents/retention.ts';
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

/** JSON has an instant as the database's zone writes it: here as everything else has it. */
const SINCE = `to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const FIND = findSettings(
  `(SELECT coalesce(json_agg(json_build_object('start_date', start_date, 'end_date', end_date, 'tax_rounding', tax_rounding)
       ORDER BY start_date), '[]') FROM accounting_fiscal_years WHERE organization_id = $1) AS years`,
  `(SELECT coalesce(json_agg(json_build_object('since', ${SINCE}, 'years', years) ORDER BY since), '[]')
      FROM accounting_retention_rules WHERE organization_id = $1) AS retention`,
);

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
