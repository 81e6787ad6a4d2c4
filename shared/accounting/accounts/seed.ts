import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { mapOfChart, mapped } from '../settings/account-map.ts';
import { lockAccountingSettings, saveAccountingSettings } from '../settings/operations.ts';
import { chartOfAccounts } from './chart.ts';
import { accountOf } from './queries.ts';
import { AccountModel, accountFacts, CODE_ONCE } from './record.ts';
import { columnsOfAccount } from './shape.ts';

/** What came of the chart: accounts made, codes that were there, and those of them that have another type. */
export type Seeded = { created: number; skipped: number; differing: string[] };

/**
 * Adds the accounts of the chart whose codes are free, and fills the empty places of the account map. One at a time in an
 * organization: a second call makes none.
 */
export async function seedAccounts(work: Work): Promise<Seeded> {
  // Somebody may give another account one of the codes at this moment: then that one is skipped.
  work.repeatOn(CODE_ONCE);
  const settings = await lockAccountingSettings(work);
  const chart = chartOfAccounts();
  const known = await work.connection.query<{ id: string; code: string; account_type: string }>(
    `SELECT id, code, account_type FROM accounting_accounts WHERE organization_id = $1 AND code = ANY ($2)`,
    [work.organization_id, chart.map(({ code }) => code)],
  );
  const by_code = new Map(known.map((account) => [account.code, account]));
  const at = work.now.toISOString();
  const made = chart
    .filter(({ code }) => !by_code.has(code))
    .map((account) => {
      const id = newId('acc', work.now);
      const own = { external_id: null, metadata: {}, created_at: at, updated_at: at };
      return accountOf(
        { id, ...account, parent_id: null, description: null, is_active: true, ...own },
        false,
      );
    });
  work.insertAll(AccountModel, made.map(columnsOfAccount));
  for (const account of made) work.record(accountFacts.created, { before: null, after: account });
  const ids = new Map([...known, ...made].map(({ code, id }) => [code, id]));
  const chosen = mapped(mapOfChart, (code) => ids.get(code) ?? null);
  const merged = <Places extends Record<string, unknown>>(kept: Places, filling: Places): Places =>
    Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, value ?? filling[name]])) as Places;
  const { account_map: kept } = settings;
  saveAccountingSettings(work, settings, {
    ...settings,
    account_map: {
      ...merged(kept, chosen),
      sales: merged(kept.sales, chosen.sales),
      collected: merged(kept.collected, chosen.collected),
      paid: merged(kept.paid, chosen.paid),
    },
  });
  if (made.length === 0) work.nothingChanged();
  return {
    created: made.length,
    skipped: known.length,
    differing: chart
      .filter(({ code, account_type }) => (by_code.get(code)?.account_type ?? account_type) !== account_type)
      .map(({ code }) => code),
  };
}
