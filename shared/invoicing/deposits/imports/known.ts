import { hash } from 'node:crypto';
import type { Work } from '../../../kernel/work.ts';
import { withoutTransferWord } from './cells.ts';
import type { StatementLine } from './line.ts';

/** A deposit that a line may be, with what lines are told apart by. */
export type KnownDeposit = Pick<
  StatementLine,
  'received_on' | 'amount' | 'payer_name' | 'bank_reference' | 'external_id' | 'balance'
> & {
  id: string;
  /** Whether a row of this import made it, or was found to be it. */
  is_met: boolean;
  /** The key of the line that an import took for it, null where none did: how it is called since makes it no other line. */
  line_key: string | null;
};

const KNOWN = `
  SELECT deposit.id, received_on, amount, payer_name, bank_reference, external_id, balance,
         EXISTS (SELECT FROM import_outcomes AS met
                  WHERE met.organization_id = $1 AND met.key = deposit.id AND met.import_id = $2) AS is_met,
         (SELECT name_key FROM import_outcomes AS told
           WHERE told.organization_id = $1 AND told.key = deposit.id AND name_key IS NOT NULL LIMIT 1) AS line_key
    FROM invoicing_deposits AS deposit
   WHERE organization_id = $1`;

/** Deposits that the lines may be: by their own keys, and by day and amount. */
export async function knownDeposits(
  { connection, organization_id }: Work,
  import_id: string,
  lines: readonly StatementLine[],
): Promise<KnownDeposit[]> {
  if (lines.length === 0) return [];
  const keys = lines.flatMap(({ external_id }) => external_id ?? []);
  const values = [organization_id, import_id];
  const [by_key, by_line] = await Promise.all([
    keys.length === 0
      ? []
      : connection.query<KnownDeposit>(`${KNOWN} AND external_id = ANY ($3)`, [...values, keys], {
          prepared: false,
        }),
    connection.query<KnownDeposit>(
      `${KNOWN} AND received_on = ANY ($3::date[]) AND amount = ANY ($4::bigint[]) ORDER BY id`,
      [
        ...values,
        [...new Set(lines.map(({ received_on }) => received_on))],
        [...new Set(lines.map(({ amount }) => amount))],
      ],
      { prepared: false },
    ),
  ]);
  return [...by_key, ...by_line];
}

/**
 * By place of the lines, the deposit that each is, null where it is a new one. An `external_id` tells it for itself. Else the
 * n-th line of one day, amount, name and reference is the n-th such deposit: each is one line, so two equal lines are two
 * transfers, and the same file again is none. Where both have a balance it is the same one: equal lines of two accounts, or of
 * two halves of a day, are as many transfers. One that an import has met is the line that stood there, however it is called
 * since. A line with an `external_id` is never a deposit that has another one.
 */
export function depositsOfLines(
  lines: readonly StatementLine[],
  known: readonly KnownDeposit[],
): (string | null)[] {
  const by_key = depositsByKey(known);
  const found = lines.map(({ external_id }) =>
    external_id === null ? null : (by_key.get(external_id)?.id ?? null),
  );
  const taken = new Set(known.filter(({ is_met }) => is_met).map(({ id }) => id));
  for (const id of found) if (id !== null) taken.add(id);
  const next = nextDeposits([...new Map(known.map((one) => [one.id, one])).values()], taken);
  const asking = lines.map((line) => ({ line, key: lineKey(line) }));
  // A line finds the deposit that has its balance before others take it for want of one.
  for (const [place, { line, key }] of asking.entries()) {
    if (line.balance !== null) found[place] ??= next(line, `${key} ${line.balance}`);
  }
  for (const [place, { line, key }] of asking.entries()) {
    found[place] ??= next(line, `${key} ${line.balance === null ? 'any' : null}`);
  }
  return found;
}

/** By their own keys, the deposits that have one. */
export function depositsByKey(known: readonly KnownDeposit[]): Map<string, KnownDeposit> {
  return new Map(known.flatMap((one) => (one.external_id === null ? [] : [[one.external_id, one]])));
}

/**
 * Whether a line is the deposit that has its `external_id`. A line of this import says all that the deposit was made of; of
 * others the day and the amount remain, whatever name it was given since.
 */
export function isSameMoney(line: StatementLine, known: KnownDeposit): boolean {
  if (known.is_met && known.line_key !== null) return known.line_key === lineKey(line);
  return line.received_on === known.received_on && line.amount === known.amount;
}

/**
 * Answers for a line the first deposit that no line was before, and takes it: of those that are equal to it and have a balance, have
 * none (null), or any. Each is looked at once, however many lines are equal.
 */
function nextDeposits(
  known: readonly KnownDeposit[],
  taken: Set<string>,
): (line: StatementLine, alike: string) => string | null {
  const queues = new Map<string, KnownDeposit[]>();
  for (const one of known) {
    const key = one.line_key ?? lineKey(one);
    for (const alike of [`${key} ${one.balance}`, `${key} any`]) {
      const queue = queues.get(alike);
      if (queue) queue.push(one);
      else queues.set(alike, [one]);
    }
  }
  const places = new Map<string, number>();
  return ({ external_id }, alike) => {
    const queue = queues.get(alike) ?? [];
    const isFree = (one: KnownDeposit) =>
      !taken.has(one.id) && (external_id === null || one.external_id === null);
    const reader = `${alike} ${external_id === null}`;
    let place = places.get(reader) ?? 0;
    while (place < queue.length && !isFree(queue[place]!)) place += 1;
    places.set(reader, place);
    const own = queue[place]?.id ?? null;
    if (own !== null) taken.add(own);
    return own;
  };
}

/** What equal lines share, as a hash, which outlives the name in it: the word for a transfer before a name is none of it. */
export function lineKey(
  line: Pick<StatementLine, 'received_on' | 'amount' | 'payer_name' | 'bank_reference'>,
): string {
  const payer_name = line.payer_name === null ? null : withoutTransferWord(line.payer_name);
  const told = JSON.stringify([line.received_on, line.amount, payer_name, line.bank_reference]);
  return hash('sha256', told, 'base64url').slice(0, 22);
}
