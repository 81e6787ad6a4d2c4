import Big from 'big.js';
import { z } from 'zod';
import { minorUnits, shownAmount } from '../kernel/money.ts';

/** An amount in an answer: whole yen as a number, other currencies as a decimal string. */
export const ShownAmount = z.union([z.int(), z.string()]).meta({ examples: [150_000, '1500.00'] });

/** What a deal is worth by its probability (0 to 100), half up, in the currency's minor unit; exact decimal text. */
export function weightedAmount(amount: string, probability: number, currency: string): string {
  const hundredths = new Big(amount).times(probability).times('0.01');
  return hundredths.round(minorUnits(currency), Big.roundHalfUp).toFixed();
}

/** What the open deals of a company come to; `amount` is exact decimal text, currencies in their order. */
export type OpenDeals = { open_deals: number; open_amounts: { currency: string; amount: string }[] };

/** A deal as far as it counts for its company. */
export type CountedDeal = { status: string; amount: string; currency: string };

/** The totals after a deal left the company (`gone`) and another, or the same one changed, came (`come`). */
export function openDealsAfter(
  totals: OpenDeals,
  gone: CountedDeal | null,
  come: CountedDeal | null,
): OpenDeals {
  const amounts = new Map(totals.open_amounts.map(({ currency, amount }) => [currency, new Big(amount)]));
  let open_deals = totals.open_deals;
  for (const [deal, sign] of [
    [gone, -1],
    [come, 1],
  ] as const) {
    if (deal?.status !== 'open') continue;
    open_deals += sign;
    const before = amounts.get(deal.currency) ?? new Big(0);
    amounts.set(deal.currency, before.plus(new Big(deal.amount).times(sign)));
  }
  const open_amounts = [...amounts]
    .filter(([, amount]) => !amount.eq(0))
    .map(([currency, amount]) => ({ currency, amount: amount.toFixed() }))
    .sort((left, right) => (left.currency < right.currency ? -1 : 1));
  return { open_deals, open_amounts };
}

/** The totals of two companies that become one. */
export function openDealsTogether(left: OpenDeals, right: OpenDeals): OpenDeals {
  const amounts = [...right.open_amounts].reduce(
    (totals, { currency, amount }) => openDealsAfter(totals, null, { status: 'open', currency, amount }),
    left,
  );
  return { open_deals: left.open_deals + right.open_deals, open_amounts: amounts.open_amounts };
}

/** The yen among the totals, which companies are sorted by. */
export function openYen(totals: OpenDeals): number {
  return Number(totals.open_amounts.find(({ currency }) => currency === 'JPY')?.amount ?? 0);
}

/** The totals as answers show them. */
export function shownOpenAmounts(totals: OpenDeals): { currency: string; amount: number | string }[] {
  return totals.open_amounts.map(({ currency, amount }) => ({
    currency,
    amount: shownAmount(amount, currency),
  }));
}
