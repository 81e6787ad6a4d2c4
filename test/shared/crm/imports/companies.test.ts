import { after, test } from 'node:test';
import fc from 'fast-check';
import { createCompany } from '../../../../shared/crm/companies/operations.ts';
import { createDeal } from '../../../../shared/crm/deals/operations.ts';
import { companiesOf } from '../../../../shared/crm/imports/companies/records.ts';
import { freshDatabase } from '../../../support/database.ts';
import { companyModel } from '../../../support/import-kinds.ts';
import type { Values } from '../../../support/import-model.ts';
import { newPeople } from '../../../support/import-organization.ts';
import { assertAsOneByOne } from '../../../support/import-twins.ts';

const { database, drop } = await freshDatabase();
after(drop);
const people = await newPeople(database);

const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });

const row = fc.record({
  external_id: some('a', 'b', 'c', 'd'),
  corporate_number: some('7000012050002', '1180301018771', '2120901007402'),
  name: some('株式会社甲', '乙', '丙'),
  name_kana: some('コウ', 'オツ'),
  phone: some('03-1', '03-2'),
  owner_email: some(people.emails[0]!, people.emails[1]!, 'nobody@example.com'),
  parent_external_id: some('a', 'b', 'c', 'd'),
  'payment_terms.closing_day': some<string | number>('end', 20),
  'payment_terms.months_later': some(1),
  'payment_terms.pay_day': some('end'),
  tags: some(['重要'], ['重要', 'VIP']),
}) as fc.Arbitrary<Values>;

test('any rows in any chunks come to what calls of the API come to, one row at a time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 14 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom('update', 'fill_blank', 'skip'),
      fc.constantFrom('external_id', 'corporate_number'),
      async (rows, chunk, on_conflict, match_by) => {
        await assertAsOneByOne(database, people, {
          model: companyModel,
          rows,
          chunk,
          options: { match_by, on_conflict, create_missing: false },
          open: (work, part) => companiesOf(work, part, match_by),
          async seed({ act }) {
            const number = { corporate_number: '7000012050002' };
            const { id } = await act((work) =>
              createCompany(work, { name: '甲', external_id: 'a', ...number }),
            );
            await act((work) => createCompany(work, { name: '乙', external_id: 'b', parent_id: id }));
            await act((work) => createDeal(work, { name: '更新', amount: '1000', company_id: id }));
          },
        });
      },
    ),
    { numRuns: 60 },
  );
});
