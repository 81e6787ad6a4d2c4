import type { Candidate, Suggestion } from '../suggestions/suggest.ts';

/** Whose turn it is, by the name on its deposit. */
type Turn = { payer_name: string | null };

/** What deposits whose turn came before take, so that those behind find what is left. */
export type Claims = {
  /** The candidates as they are once those before have been matched: no invoice is paid twice, and who paid under a name has. */
  left(turn: Turn, candidates: readonly Candidate[]): Candidate[];
  /** Takes what the deposit will be allocated to. */
  take(turn: Turn, suggestion: Suggestion): void;
};

/** No claim yet. */
export function newClaims(): Claims {
  const taken = new Map<string, number>();
  const payers = new Map<string, Set<string>>();
  return {
    left({ payer_name }, candidates) {
      const paid = payer_name === null ? undefined : payers.get(payer_name);
      return candidates.flatMap((candidate) => {
        const invoices = candidate.invoices.flatMap((invoice) => {
          const balance = invoice.balance - (taken.get(invoice.id) ?? 0);
          return balance > 0 ? [{ ...invoice, balance }] : [];
        });
        const paid_before = candidate.paid_before || (paid?.has(candidate.company_id) ?? false);
        return invoices.length > 0 ? [{ ...candidate, invoices, paid_before }] : [];
      });
    },
    take({ payer_name }, { company_id, allocations }) {
      for (const { invoice_id, amount } of allocations) {
        taken.set(invoice_id, (taken.get(invoice_id) ?? 0) + amount);
      }
      if (payer_name === null) return;
      payers.set(payer_name, (payers.get(payer_name) ?? new Set()).add(company_id));
    },
  };
}
