/** What is owed to a supplier: for goods (買掛金), and otherwise (未払金). Yen, below 0 where the supplier owes us. */
export type Payables = { payable: bigint; payable_other: bigint };

/** What a payment paid, and how much of it was for goods. */
export type PaidPart = { amount: bigint; payable_amount: bigint };

/** What is owed less a tax that is withheld: it comes off what is owed otherwise, as far as that goes. */
export function lessWithholding({ payable, payable_other }: Payables, withheld: bigint): Payables {
  const off = within(withheld, payable_other);
  return { payable: payable - (withheld - off), payable_other: payable_other - off };
}

/** What is still owed after some payments. */
export function openPayables({ payable, payable_other }: Payables, payments: readonly PaidPart[]): Payables {
  const paid = payments.reduce((sum, { amount }) => sum + amount, 0n);
  const for_goods = payments.reduce((sum, { payable_amount }) => sum + payable_amount, 0n);
  return { payable: payable - for_goods, payable_other: payable_other - (paid - for_goods) };
}

/** How much of a payment is for goods: these come first, and what pays all pays what is open of both. */
export function payablePart(amount: bigint, { payable, payable_other }: Payables): bigint {
  return amount === payable + payable_other ? payable : within(amount, payable);
}

/** As much of an amount as fits into another of its sign. */
function within(amount: bigint, room: bigint): bigint {
  if (amount > 0n) return room <= 0n ? 0n : amount < room ? amount : room;
  return room >= 0n ? 0n : amount > room ? amount : room;
}
