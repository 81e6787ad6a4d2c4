import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mergeCompanies } from '../../../../shared/crm/companies/merge.ts';
import { createCompany } from '../../../../shared/crm/companies/operations.ts';
import { mergeContacts } from '../../../../shared/crm/contacts/merge.ts';
import { createContact } from '../../../../shared/crm/contacts/operations.ts';
import { references } from '../../../../shared/domains.ts';
import type { Work } from '../../../../shared/kernel/work.ts';
import { crmImportsPlace } from '../../../support/crm-imports.ts';
import { meanwhile, untilWaiting } from '../../../support/meanwhile.ts';

/**
 * Imports that name the key of a record which is merged at that moment: the row reaches the record that stays, as it
 * would before or after the merge, and no other record has the key.
 */
const { newOrganization } = await crmImportsPlace();

type Merging = {
  create(work: Work, external_id: string): Promise<{ id: string }>;
  merge(...asked: Parameters<typeof mergeContacts>): Promise<unknown>;
  header: string;
  line(key: string, phone: string): string;
};

const kinds: Record<'contacts' | 'companies', Merging> = {
  contacts: {
    create: (work, external_id) =>
      createContact(work, { last_name: '山田', first_name: '太郎', external_id }),
    merge: mergeContacts,
    header: '外部ID,姓,名,電話番号',
    line: (key, phone) => `${key},林,葉子,${phone}`,
  },
  companies: {
    create: (work, external_id) => createCompany(work, { name: '山田商店', external_id }),
    merge: mergeCompanies,
    header: '外部ID,会社名,電話番号',
    line: (key, phone) => `${key},林商店,${phone}`,
  },
};

type Kind = keyof typeof kinds;

/** An organization with two records of a kind, whose own IDs are S and L. */
async function pairOf(kind: Kind) {
  const organization = await newOrganization();
  const { act, query, organization_id } = organization;
  const { create, merge } = kinds[kind];
  const record = async (external_id: string) => (await act((work) => create(work, external_id))).id;
  const survivor = await record('S');
  const loser = await record('L');
  return {
    ...organization,
    survivor,
    loser,
    record,
    merging: (work: Work) =>
      merge(work, survivor, { loser_id: loser, fields: {}, dry_run: false }, references),
    /** The codes of what was wrong with the rows of all imports. */
    async faults(): Promise<string[]> {
      const rows = await query<{ code: string }>(
        'SELECT code FROM import_errors WHERE organization_id = $1',
        [organization_id],
      );
      return rows.map(({ code }) => code);
    },
    phones: () =>
      query<{ id: string; phone: string | null }>(
        `SELECT id, phone FROM crm_${kind} WHERE organization_id = $1 ORDER BY id`,
        [organization_id],
      ),
    /** Every record that has a key or that a merged one left it to. */
    async holdersOf(key: string): Promise<string[]> {
      const rows = await query<{ id: string }>(
        `SELECT id FROM crm_${kind} WHERE organization_id = $1 AND external_id = $2
         UNION ALL
         SELECT record_id FROM key_aliases
          WHERE organization_id = $1 AND prefix = $3 AND key = 'external_id' AND value = $2`,
        [organization_id, key, kind === 'contacts' ? 'cont' : 'comp'],
      );
      return rows.map(({ id }) => id);
    },
  };
}

for (const kind of ['contacts', 'companies'] as const) {
  const { header, line } = kinds[kind];
  describe(`a merge of ${kind} and an import that names the one that goes`, () => {
    test('when the import waits, its row fills a blank of the one that stayed', async () => {
      const pair = await pairOf(kind);
      const { survivor, phones, holdersOf } = pair;
      await meanwhile(pair, pair.merging, async () => {
        await pair.take(kind, [header, line('L', '03-1')]);
      });
      assert.deepEqual(await pair.faults(), []);
      assert.deepEqual(await phones(), [{ id: survivor, phone: '03-1' }]);
      assert.deepEqual([await holdersOf('L'), await holdersOf('S')], [[survivor], [survivor]]);
    });

    test('when the import waits, a row that could make no record is about the one that stayed', async () => {
      const pair = await pairOf(kind);
      await meanwhile(pair, pair.merging, async () => {
        await pair.take(kind, ['外部ID,電話番号', 'L,03-1']);
      });
      assert.deepEqual(await pair.faults(), []);
      assert.deepEqual(await pair.phones(), [{ id: pair.survivor, phone: '03-1' }]);
    });

    test('when the merge waits, what the row said of the one that goes is merged', async () => {
      const pair = await pairOf(kind);
      const { act, survivor, phones, holdersOf, organization_id } = pair;
      // Records are locked by ID: the import holds the one that goes while it waits for the last one.
      const last = await pair.record('Z');
      await meanwhile(
        pair,
        (work) =>
          work.connection.query(`SELECT FROM crm_${kind} WHERE organization_id = $1 AND id = $2 FOR UPDATE`, [
            organization_id,
            last,
          ]),
        async () => {
          const taking = pair.take(kind, [header, line('L', '03-1'), line('Z', '03-2')]);
          await untilWaiting(pair, 1);
          await Promise.all([taking, act(pair.merging)]);
        },
        2,
      );
      assert.deepEqual(await pair.faults(), []);
      assert.deepEqual(await phones(), [
        { id: survivor, phone: '03-1' },
        { id: last, phone: '03-2' },
      ]);
      assert.deepEqual([await holdersOf('L'), await holdersOf('S')], [[survivor], [survivor]]);
    });

    test('in any order leave each key with one record', async () => {
      for (let round = 0; round < 8; round += 1) {
        const pair = await pairOf(kind);
        const { survivor, phones, holdersOf } = pair;
        const lines = [header, line('S', '03-1'), line('L', '03-1'), line('N', '03-2')];
        await Promise.all([pair.take(kind, lines), pair.act(pair.merging)]);
        assert.deepEqual(await pair.faults(), []);
        const found = await phones();
        assert.deepEqual(
          found.map(({ phone }) => phone),
          ['03-1', '03-2'],
        );
        assert.deepEqual([await holdersOf('L'), await holdersOf('S')], [[survivor], [survivor]]);
        assert.deepEqual(await holdersOf('N'), [found[1]!.id]);
      }
    });
  });
}

describe('an import whose rows refer to what is merged', () => {
  test('gives a contact the company that stayed', async () => {
    const pair = await pairOf('companies');
    await meanwhile(pair, pair.merging, async () => {
      await pair.take('contacts', ['外部ID,姓,名,会社の外部ID', 'P,林,葉子,L']);
    });
    assert.deepEqual(await pair.faults(), []);
    const contacts = await pair.query('SELECT company_id FROM crm_contacts WHERE organization_id = $1', [
      pair.organization_id,
    ]);
    assert.deepEqual(contacts, [{ company_id: pair.survivor }]);
  });

  test('gives a deal the contact that stayed', async () => {
    const pair = await pairOf('contacts');
    await meanwhile(pair, pair.merging, async () => {
      await pair.take('deals', ['外部ID,案件名,連絡先の外部ID', 'D,更新,L']);
    });
    assert.deepEqual(await pair.faults(), []);
    const contacts = await pair.query('SELECT contact_id FROM crm_deal_contacts WHERE organization_id = $1', [
      pair.organization_id,
    ]);
    assert.deepEqual(contacts, [{ contact_id: pair.survivor }]);
  });
});
