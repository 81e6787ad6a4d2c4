import { after, test } from 'node:test';
import fc from 'fast-check';
import { createCompany } from '../../../../shared/crm/companies/operations.ts';
import { createContact } from '../../../../shared/crm/contacts/operations.ts';
import { createDeal } from '../../../../shared/crm/deals/operations.ts';
import { dealsIn } from '../../../../shared/crm/imports/deals/records.ts';
import { createPipeline } from '../../../../shared/crm/pipelines/operations.ts';
import { freshDatabase } from '../../../support/database.ts';
import { dealModel } from '../../../support/import-kinds.ts';
import type { Values } from '../../../support/import-model.ts';
import { newPeople } from '../../../support/import-organization.ts';
import { assertAsOneByOne } from '../../../support/import-twins.ts';

const { database, drop } = await freshDatabase();
after(drop);
const people = await newPeople(database);

const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });

const row = fc.record({
  external_id: some('a', 'b', 'c'),
  name: some('更新', '新規'),
  amount: some('0', '1000', '250', '10.5'),
  currency: some('JPY', 'USD'),
  probability: some(0, 10, 50),
  expected_close_date: some('2026-04-01'),
  pipeline: some('営業パイプライン', '短い', '無い'),
  stage: some('lead', '交渉', 'closed_won', '失注', 'closed_lost', 'nowhere'),
  lost_reason: some('予算', '競合'),
  company_name: some('㈱甲', '乙'),
  company_external_id: some('k1', 'k2'),
  contact_external_ids: some(['p'], ['q', 'p'], ['r']),
  owner_email: some(people.emails[1]!, 'nobody@example.com'),
  tags: some(['重要'], ['重要', 'VIP']),
}) as fc.Arbitrary<Values>;

test('any rows in any chunks come to what calls of the API come to, one row at a time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 14 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom('update', 'fill_blank', 'skip'),
      fc.boolean(),
      async (rows, chunk, on_conflict, create_missing) => {
        await assertAsOneByOne(database, people, {
          model: dealModel,
          rows,
          chunk,
          options: { match_by: 'external_id', on_conflict, create_missing },
          open: (work, part) => dealsIn(work, part, { create_missing }),
          async seed({ act }) {
            const stages = [
              { name: 'はじめ', slug: 'lead' },
              { name: '受注', slug: 'closed_won' },
            ];
            await act((work) => createPipeline(work, { name: '短い', stages }));
            const { id } = await act((work) =>
              createCompany(work, { name: '甲株式会社', external_id: 'k1' }),
            );
            const person = { last_name: '山田', first_name: '太郎' };
            await act((work) => createContact(work, { ...person, external_id: 'p' }));
            await act((work) => createContact(work, { ...person, external_id: 'q' }));
            await act((work) =>
              createDeal(work, { name: '更新', external_id: 'a', amount: '500', company_id: id }),
            );
          },
        });
      },
    ),
    { numRuns: 60 },
  );
});
