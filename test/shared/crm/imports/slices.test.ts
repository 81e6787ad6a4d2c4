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

for (const kind of ['companies', 'contacts', 'deals'] as const) {
  test(`keys that rows give up go to rows of other parts, as in small chunks: ${kind}`, async () => {
    const name = kind === 'contacts' ? 'full_name' : 'name';
    const header = `id,external_id,${name}`;
    const left = [];
    for (const size of [1_000, 40]) {
      const organization = await place.newOrganization();
      const imports = organization.of(kind);
      const run = async (lines: readonly string[]) => {
        const row = await imports.create([header, ...lines].join('\r\n'));
        await imports.run(row, { pace: steadyPace(size) });
        const { status, created_count, updated_count, error_count } = await imports.read(row.id);
        return { status, created_count, updated_count, error_count };
      };
      const rows = Array.from({ length: 230 }, (_, n) => `,K-${n},山田 太郎${n}`);
      const made = await run(rows);
      const stored = await imports.query<{ id: string; external_id: string }>(
        `SELECT id, external_id FROM ${TABLES[kind]} WHERE organization_id = $1`,
        [imports.organization_id],
      );
      const ids = new Map(stored.map(({ id, external_id }) => [external_id, id]));
      const say = (n: number, key: string) => `${ids.get(`K-${n}`)},${key},山田 太郎${n}`;
      // A key is free from the row on that gives it up: for the next row, and for ones of later parts. Taken ones are refused.
      const early = [say(1, 'free-1'), say(2, 'K-1'), say(3, 'K-4'), say(10, 'swap'), say(20, 'L-20')];
      const later = [say(11, 'K-10'), say(4, 'free-4'), say(21, 'K-20')];
      const latest = [say(10, 'K-11'), say(3, 'K-4'), ',K-2,山田 太郎2', say(21, 'L-21'), say(22, 'K-20')];
      const between = (from: number) =>
        Array.from({ length: 100 }, (_, n) => `${ids.get(`K-${from + n}`)},K-${from + n},佐藤 太郎${n}`);
      const changed = await run([...early, ...between(25), ...later, ...between(126), ...latest]);
      const number = new Map([...ids].map(([key, id]) => [id, key]));
      const kept = await imports.query<{ id: string; external_id: string }>(
        `SELECT id, external_id FROM ${TABLES[kind]} WHERE organization_id = $1 ORDER BY external_id`,
        [imports.organization_id],
      );
      const holders = kept.map(({ id, external_id }) => `${external_id} ${number.get(id) ?? 'new'}`);
      left.push({ made, changed, holders });
    }
    deepEqual(left[0], left[1]);
    for (const holder of ['K-1 K-2', 'K-4 K-3', 'K-10 K-11', 'K-11 K-10', 'K-20 K-22', 'L-21 K-21'])
      equal(
        left[0]!.holders.includes(holder),
        true,
        `${holder}: ${left[0]!.holders.slice(0, 30).join(', ')}`,
      );
    equal(left[0]!.holders.includes('K-2 new'), true);
    equal(left[0]!.changed.error_count, 1);
  });
}
