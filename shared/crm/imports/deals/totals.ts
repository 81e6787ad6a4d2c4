import type { Work } from '../../../kernel/work.ts';
import { type CountedDeal, openDealsAfter, openYen } from '../../deal-amount.ts';
import type { CompanyOfDeal } from '../../deals/company-totals.ts';

type OwnedDeal = CountedDeal & { company_id: string | null };

export type Totals = {
  /** A company that was made meanwhile. */
  add(company: { id: string; name: string; name_kana: string | null }): void;
  get(id: string | null): CompanyOfDeal | null;
  /** Counts a deal that was made (`before` null) or changed. */
  count(before: OwnedDeal | null, after: OwnedDeal): void;
  /** Counts a deal no longer. */
  remove(deal: OwnedDeal): void;
  write(): void;
};

const COMPANIES = { tableName: 'crm_companies' };

/** The totals of the companies whose deals change, locked in the order of their IDs as every write of a deal does. */
export async function totalsOf(work: Work, ids: readonly string[]): Promise<Totals> {
  const wanted = [...new Set(ids)];
  const rows =
    wanted.length === 0
      ? []
      : await work.connection.query<CompanyOfDeal>(
          `SELECT id, name, name_kana, open_deals, open_amounts FROM crm_companies
            WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`,
          [work.organization_id, wanted],
          { prepared: false },
        );
  const companies = new Map(rows.map((row) => [row.id, row]));
  const changed = new Set<string>();

  function move(id: string | null, gone: OwnedDeal | null, come: OwnedDeal | null): void {
    const company = id === null ? undefined : companies.get(id);
    if (!company || (gone?.status !== 'open' && come?.status !== 'open')) return;
    Object.assign(company, openDealsAfter(company, gone, come));
    changed.add(company.id);
  }

  return {
    add({ id, name, name_kana }) {
      companies.set(id, { id, name, name_kana, open_deals: 0, open_amounts: [] });
    },
    get: (id) => (id === null ? null : (companies.get(id) ?? null)),
    count(before, after) {
      if (before?.company_id === after.company_id) move(after.company_id, before, after);
      else {
        if (before) move(before.company_id, before, null);
        move(after.company_id, null, after);
      }
    },
    remove: (deal) => move(deal.company_id, deal, null),
    write() {
      const rows = [...changed].map((id) => {
        const { open_deals, open_amounts } = companies.get(id)!;
        return { id, open_deals, open_amounts, open_amount: openYen({ open_deals, open_amounts }) };
      });
      changed.clear();
      work.updateAll(COMPANIES, rows);
    },
  };
}
