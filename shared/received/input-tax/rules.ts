import type { Connection } from '../../kernel/connection.ts';
import type { Reader } from '../../kernel/reader.ts';

/** A value of the law and its first day. */
export type DatedValue = { from: string; value: number };

/**
 * What the law says of purchases from sellers without a registration number, each newest first (migration 0094 names the
 * articles): the share of the tax that is deductible, in percent; the yen below which the books alone suffice; the yen a
 * year beyond which the share is not to be had of one seller.
 */
export type TaxRules = Record<'shares' | 'small_amounts' | 'supplier_caps', readonly DatedValue[]>;

/** The value that holds on a day. Throws where there is none, for each rule begins with the calendar. */
export function valueOn(values: readonly DatedValue[], day: string): number {
  const found = values.find(({ from }) => from <= day);
  if (!found) throw new Error(`No rule holds on ${day}`);
  return found.value;
}

type RuleRow = { rule: 'share' | 'small_amount' | 'supplier_cap'; valid_from: string; value: number };

const RULES = 'SELECT rule, valid_from, value FROM received_tax_rules ORDER BY valid_from DESC';

/** Milliseconds after which a process reads the rules again: they change with a law, so at most once a year. */
const FRESH = 60_000;

type Kept = { read_at: number; rules: Promise<TaxRules> };

const keptBy = new WeakMap<Connection['pool'], Kept>();

/** The rules as the database has them; a process reads them once a minute at most. */
export function taxRules({ connection, now }: Reader): Promise<TaxRules> {
  const kept = keptBy.get(connection.pool);
  if (kept && Math.abs(now.getTime() - kept.read_at) < FRESH) return kept.rules;
  const rules = readRules(connection);
  keptBy.set(connection.pool, { read_at: now.getTime(), rules });
  rules.catch(() => keptBy.delete(connection.pool));
  return rules;
}

async function readRules(connection: Connection): Promise<TaxRules> {
  const rows = await connection.query<RuleRow>(RULES, [], { alone: true });
  const of = (name: RuleRow['rule']) =>
    rows.filter(({ rule }) => rule === name).map(({ valid_from, value }) => ({ from: valid_from, value }));
  return { shares: of('share'), small_amounts: of('small_amount'), supplier_caps: of('supplier_cap') };
}
