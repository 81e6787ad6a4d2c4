import { after, test } from 'node:test';
import fc from 'fast-check';
import { createContact } from '../../../../shared/crm/contacts/operations.ts';
import { createCustomField } from '../../../../shared/crm/custom-fields/operations.ts';
import { contactsIn } from '../../../../shared/crm/imports/contacts/records.ts';
import { freshDatabase } from '../../../support/database.ts';
import { contactModel } from '../../../support/import-kinds.ts';
import type { Values } from '../../../support/import-model.ts';
import { newPeople } from '../../../support/import-organization.ts';
import { assertAsOneByOne } from '../../../support/import-twins.ts';

const { database, drop } = await freshDatabase();
after(drop);
const people = await newPeople(database);

const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });

const row = fc.record({
  external_id: some('a', 'b', 'c', 'd'),
  email: some('x@example.com', 'X@example.com', 'y@example.com'),
  last_name: some('山田', 'Lee'),
  first_name: some('太郎', 'Ann'),
  phone: some('03-1', '03-2'),
  note: some('n'),
  company_name: some('㈱甲', '株式会社甲', '乙', '丙'),
  company_external_id: some('k1', 'k2', 'k3'),
  owner_email: some(people.emails[0]!, people.emails[1]!, 'nobody@example.com'),
  tags: some(['重要'], ['重要', 'VIP'], ['ｖｉｐ']),
  'custom_fields.rank': some('A', 'B'),
}) as fc.Arbitrary<Values>;

test('any rows in any chunks come to what calls of the API come to, one row at a time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 14 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom('update', 'fill_blank', 'skip'),
      fc.constantFrom('external_id', 'email'),
      fc.boolean(),
      async (rows, chunk, on_conflict, match_by, create_missing) => {
        const options = { match_by, on_conflict, create_missing };
        await assertAsOneByOne(database, people, {
          model: contactModel,
          rows,
          chunk,
          options,
          open: (work, part) => contactsIn(work, part, { match_by, create_missing }),
          async seed({ act }) {
            await act((work) =>
              createCustomField(work, { kind: 'contact', key: 'rank', type: 'select', options: ['A', 'B'] }),
            );
            const person = { last_name: '山田', first_name: '太郎' };
            await act((work) => createContact(work, { ...person, external_id: 'a', email: 'x@example.com' }));
            await act((work) => createContact(work, { ...person, external_id: 'b', phone: '03-1' }));
            await act((work) => createContact(work, { ...person, email: 'X@example.com', owner_id: null }));
          },
        });
      },
    ),
    { numRuns: 60 },
  );
});
