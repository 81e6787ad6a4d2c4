import { z } from 'zod';
import { id } from '../../kernel/schema.ts';

const place = () => id('acc').nullable();

const sales = {
  standard: place(),
  reduced: place(),
  legacy_8: place(),
  zero_rated: place(),
  exempt: place(),
  out_of_scope: place(),
};
const collected = { bank: place(), cash: place(), card: place() };
const paid = { bank: place(), cash: place(), card: place() };
const single = {
  receivable: place().describe('売掛金: what customers owe.'),
  payable: place().describe('買掛金: what is owed to suppliers of goods.'),
  payable_other: place().describe('未払金: what is owed otherwise.'),
  retained_earnings: place().describe('繰越利益剰余金: takes the profit of a year that is closed.'),
  input_tax: place().describe('仮払消費税等: consumption tax paid.'),
  output_tax: place().describe('仮受消費税等: consumption tax received.'),
  expense: place().describe('What purchases are booked on unless said.'),
  sales_returns: place().describe('売上値引・返品: what credit notes take back.'),
  fees: place().describe('支払手数料: fees of transfers and cards.'),
  withheld: place().describe('Income tax that customers withheld.'),
  withholding: place().describe('預り金: income tax that is withheld from others.'),
  advances: place().describe('前受金: what came before its invoice.'),
};

/** The accounts that entries of other domains are made with; null where none is chosen. */
export const AccountMap = z
  .strictObject({
    ...single,
    sales: z.strictObject(sales).describe('By the tax of the line.'),
    collected: z.strictObject(collected).describe('Where money of customers comes to, by method.'),
    paid: z.strictObject(paid).describe('What suppliers are paid from, by method.'),
  })
  .meta({ id: 'AccountMap' });

export type AccountMap = z.output<typeof AccountMap>;

/** A change of the map: only the places that are sent. */
export const AccountMapPatch = z
  .strictObject({
    ...single,
    sales: z.strictObject(sales).partial(),
    collected: z.strictObject(collected).partial(),
    paid: z.strictObject(paid).partial(),
  })
  .partial()
  .meta({ id: 'AccountMapPatch' });

export type AccountMapPatch = z.output<typeof AccountMapPatch>;

/** A map whose places hold values of any kind: IDs, or codes of the chart. */
export type MapOf<Value> = {
  [Place in keyof AccountMap]: AccountMap[Place] extends string | null
    ? Value
    : { [Part in keyof AccountMap[Place]]: Value };
};

/** The codes of the chart that fill the map of a company that begins with the chart. */
export const mapOfChart: MapOf<string> = {
  receivable: '1220',
  payable: '2120',
  payable_other: '2310',
  retained_earnings: '3330',
  input_tax: '1580',
  output_tax: '2385',
  expense: '5120',
  sales_returns: '4190',
  fees: '6310',
  withheld: '1590',
  withholding: '2365',
  advances: '2350',
  sales: {
    standard: '4110',
    reduced: '4120',
    legacy_8: '4110',
    zero_rated: '4140',
    exempt: '4150',
    out_of_scope: '4110',
  },
  collected: { bank: '1140', cash: '1110', card: '1530' },
  paid: { bank: '1140', cash: '1110', card: '2310' },
};

/** The map with every place made anew by `of`, which is told its value and its path in the body. */
export function mapped<From, To>(map: MapOf<From>, of: (value: From, path: string) => To): MapOf<To> {
  const parts = <Name extends string>(group: Record<Name, From>, path: string) =>
    Object.fromEntries(
      Object.entries<From>(group).map(([name, value]) => [name, of(value, `${path}/${name}`)]),
    ) as Record<Name, To>;
  const { sales, collected, paid, ...rest } = map;
  return {
    ...parts(rest, ''),
    sales: parts(sales, '/sales'),
    collected: parts(collected, '/collected'),
    paid: parts(paid, '/paid'),
  };
}

/** The map of an organization that has chosen none. */
export const emptyMap: AccountMap = mapped(mapOfChart, () => null);

/** The map after a change. */
export function mapAfter(before: AccountMap, patch: AccountMapPatch): AccountMap {
  return {
    ...before,
    ...patch,
    sales: { ...before.sales, ...patch.sales },
    collected: { ...before.collected, ...patch.collected },
    paid: { ...before.paid, ...patch.paid },
  };
}

/** The accounts that a map names, with the path of each place. */
export function accountsOfMap(map: AccountMap): { id: string; path: string }[] {
  const found: { id: string; path: string }[] = [];
  mapped(map, (id, path) => {
    if (id !== null) found.push({ id, path });
  });
  return found;
}

/** Whether a place of the map names the account. */
export function usesAccount(map: AccountMap, account_id: string): boolean {
  return accountsOfMap(map).some(({ id }) => id === account_id);
}
