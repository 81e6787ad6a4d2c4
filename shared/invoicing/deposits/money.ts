/** What a deposit is made of, in whole yen of twelve digits at most: sums of them are exact as numbers. */
export type DepositMoney = {
  /** What came in, and the fee of ours that one of its allocations has or is to have. */
  amount: number;
  fee_amount: number;
  refunded: number;
  allocations: readonly AllocatedMoney[];
};

/** What an allocation settles, the fee of ours in it, and whether its deposit was there before it. */
export type AllocatedMoney = { amount: number; fee_amount: number; from_advances: boolean };

export function allocatedOf({ allocations }: Pick<DepositMoney, 'allocations'>): number {
  return sum(allocations.map(({ amount }) => amount));
}

/** What may still be allocated; never below 0. */
export function unallocatedOf(deposit: DepositMoney): number {
  return deposit.amount + deposit.fee_amount - allocatedOf(deposit) - deposit.refunded;
}

/** The fee that none of the allocations has. */
export function untakenFee({ fee_amount, allocations }: Pick<DepositMoney, 'fee_amount' | 'allocations'>) {
  return fee_amount - sum(allocations.map((one) => one.fee_amount));
}

/** What of the money that came in is neither allocated nor paid back: a fee that no allocation has is no money. */
export function moneyLeft(deposit: DepositMoney): number {
  return unallocatedOf(deposit) - untakenFee(deposit);
}

/**
 * What the entry of the deposit has: the money that its making left unallocated. What is allocated or paid back later
 * comes out of that, by entries of its own.
 */
export function advanceOf({ amount, allocations }: Pick<DepositMoney, 'amount' | 'allocations'>): number {
  const at_once = allocations.filter(({ from_advances }) => !from_advances);
  return amount - sum(at_once.map((one) => one.amount - one.fee_amount));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
