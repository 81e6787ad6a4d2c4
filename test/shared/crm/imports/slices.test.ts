import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { steadyPace } from '../../../../shared/platform/imports/run/pace.ts';
import { crmImportsPlace } from '../../../support/crm-imports.ts';

const place = await crmImportsPlace();

/** Rows of which later ones, far behind, say something else of records that earlier ones made or changed. */
function linesOf(kind: 'companies' | 'contacts' | 'deals', word: string): string[] {
  const header = {
    companies: 'external_id,name,parent_external_id,tags,phone',
    contacts: 'external_id,full_name,company_name,tags,phone',
    deals: 'external_id,name,company_name,tags,amount',
  }[kind];
  const row = (n: number, amount: number) => {
    const related = { companies: n % 7 === 0 && n > 0 ? `K-${n - 1}` : '', contacts: '', deals: '' }[kind];
    const named = kind === 'companies' ? related : n % 5 === 0 ? `株式会社緑${n % 15}` : '';
    return `K-${n},${word} 太郎${n},${named},${n % 40 === 0 ? '得意先' : ''},${amount}`;
  };
  const rows = Array.from({ length: 320 }, (_, n) => row(n, 1000 + n));
  const again = [3, 7, 120, 199, 230].map((n) => row(n, 9000 + n));
  return [header, ...rows.slice(0, 250), ...again.slice(0, 4), ...rows.slice(250), again[4]!];
}

const TABLES = { companies: 'crm_companies', contacts: 'crm_contacts', deals: 'crm_deals' };

for (const kind of ['companies', 'contacts', 'deals'] as const) {
  test(`a chunk that is written in parts leaves what small ones leave: ${kind}`, async () => {
    const left = [];
    for (const size of [1_000, 40]) {
      const organization = await place.newOrganization();
      const imports = organization.of(kind);
      const options = kind === 'companies' ? {} : { create_missing: true };
      const counts = [];
      for (const word of ['山田', '佐藤']) {
        const row = await imports.create(linesOf(kind, word).join('\r\n'), options);
        await imports.run(row, { pace: steadyPace(size) });
        const { status, created_count, updated_count, duplicate_count, error_count } = await imports.read(
          row.id,
        );
        counts.push({ status, created_count, updated_count, duplicate_count, error_count });
      }
      const of = <Row extends object>(text: string) => imports.query<Row>(text, [imports.organization_id]);
      const name = kind === 'contacts' ? "last_name || ' ' || first_name" : 'name';
      const value = kind === 'deals' ? 'amount::text' : 'phone';
      const records = await of(
        `SELECT external_id, ${name} AS name, ${value} AS value, search_text FROM ${TABLES[kind]}
          WHERE organization_id = $1 AND external_id IS NOT NULL ORDER BY external_id`,
      );
      const companies = await of(
        `SELECT company.name, parent.name AS parent, company.open_deals, company.open_amount
           FROM crm_companies AS company LEFT JOIN crm_companies AS parent
             ON parent.organization_id = company.organization_id AND parent.id = company.parent_id
          WHERE company.organization_id = $1 ORDER BY company.name`,
      );
      const facts = await of(
        'SELECT entity_type, action, count(*) FROM audit_logs WHERE organization_id = $1 GROUP BY 1, 2 ORDER BY 1, 2',
      );
      const events = await of(
        'SELECT type, count(*) FROM events WHERE organization_id = $1 GROUP BY 1 ORDER BY 1',
      );
      const outcomes = await of(
        `SELECT outcome, named_row, jsonb_object_agg(field, told) FILTER (WHERE field IS NOT NULL) AS before
           FROM import_outcomes LEFT JOIN LATERAL jsonb_each(before) AS each (field, told)
             ON field IN ('name', 'phone', 'amount') WHERE organization_id = $1
          GROUP BY import_id, key, outcome, named_row ORDER BY import_id, named_row, outcome`,
      );
      left.push({ counts, records, companies, facts, events, outcomes });
    }
    equal(left[0]!.records.length, 320);
    equal(left[0]!.counts[1]!.duplicate_count, 5);
    deepEqual(left[0], left[1]);
  });
}
