import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inWork } from '../../../shared/db/in-work.ts';
import { introducedBy } from '../../../shared/forms/crm/introduced.ts';
import { linkToCrm } from '../../../shared/forms/crm/link.ts';
import { splitName } from '../../../shared/forms/crm/names.ts';
import type { Submitted } from '../../../shared/forms/responses/submitted.ts';
import { defaultSettings } from '../../../shared/forms/settings/record.ts';
import { newId } from '../../../shared/kernel/id.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { startApp } from '../../support/app.ts';

const app = await startApp();

const option = (id: string, label: string) => ({ id, label });
const schema_json = JSON.stringify({
  version: 1,
  locale: 'ja',
  pages: [
    {
      id: 'page_1',
      fields: [
        { id: 'email', type: 'email', label: 'メール' },
        { id: 'who', type: 'name', label: 'お名前' },
        { id: 'whole', type: 'short_text', label: '氏名' },
        { id: 'firm', type: 'short_text', label: '会社名' },
        { id: 'job', type: 'dropdown', label: '役職', options: [option('a', '部長'), option('b', '課長')] },
        { id: 'phone', type: 'phone', label: '電話' },
      ],
    },
  ],
});

const MAP = { email: 'email', full_name: 'who', position: 'job', phone: 'phone', company_name: 'firm' };
const WHO = { last_name: '山田', first_name: '花子' };

function submitted(data: object, crm: object = {}): Submitted {
  return {
    form: { id: 'form_1' },
    settings: { ...defaultSettings, crm: { ...defaultSettings.crm, enabled: true, map: MAP, ...crm } },
    version: { schema_json, title: '資料請求' },
    response: { id: newId('resp', new Date()), data, locale: 'ja' },
  } as unknown as Submitted;
}

describe('a whole name', () => {
  test('is split at its first space, in the order of its letters', () => {
    const cases: readonly [full: string, last: string, first: string][] = [
      ['山田 花子', '山田', '花子'],
      ['山田　花子', '山田', '花子'],
      ['Hanako Maria Yamada', 'Maria Yamada', 'Hanako'],
      ['山田', '山田', '-'],
      ['Cher', 'Cher', '-'],
    ];
    for (const [full, last_name, first_name] of cases) {
      assert.deepEqual(splitName(full), { last_name, first_name }, full);
    }
  });
});

describe('who gave the answers', () => {
  test('is read by the map, options by their labels, whole names in two ways', () => {
    const data = { email: 'a@example.co.jp', who: WHO, whole: '佐藤 次郎', job: 'b', firm: '山田商店' };
    assert.deepEqual(introducedBy(MAP, submitted(data)), {
      introduced: { ...WHO, position: '課長', email: 'a@example.co.jp' },
      company_name: '山田商店',
    });
    const read = introducedBy({ email: 'email', full_name: 'whole' }, submitted(data));
    assert.deepEqual(read, {
      introduced: { last_name: '佐藤', first_name: '次郎', email: 'a@example.co.jp' },
      company_name: null,
    });
  });

  test('is nobody without an e-mail, and a code where the CRM could not take it', () => {
    assert.equal(introducedBy(MAP, submitted({ who: WHO })), null);
    const long = submitted({ email: 'a@example.co.jp', who: { ...WHO, last_name: 'あ'.repeat(101) } });
    assert.deepEqual(introducedBy(MAP, long), { error: 'validation_failed' });
  });
});

describe('the link with the CRM', () => {
  async function organization() {
    const client = await app.actor();
    const { organization_id } = client.actor;
    const link = (one: Submitted) =>
      app.database.withConnection(organization_id, (connection) =>
        inWork(
          {
            connection,
            organization_id,
            actor: systemActor,
            now: new Date(),
            request_id: null,
            ip_address: null,
          },
          (work) => linkToCrm(work, one),
          { may_change_nothing: true },
        ),
      );
    const contact = async (id: string | null) => (await client.get(`/crm/contacts/${id}`)).body.contact;
    return { client, link, contact };
  }

  test('makes one contact and one company of twenty responses at the same time, each noted in its timeline', async () => {
    const { client, link } = await organization();
    const data = { email: 'New@example.co.jp', who: WHO, firm: '新しい商店' };
    const linked = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        link(
          submitted({ ...data, email: n % 2 ? data.email : 'new@example.co.jp' }, { create_company: true }),
        ),
      ),
    );
    assert.equal(new Set(linked.map(({ contact_id }) => contact_id)).size, 1);
    assert.equal(linked.filter(({ status }) => status === 'created').length, 1);
    assert.equal(linked.filter(({ status }) => status === 'linked').length, 19);
    const contact_id = linked[0]!.contact_id;
    assert.equal((await client.get('/crm/companies')).body.items.length, 1);
    const notes = await client.get(`/crm/activities?contact_id=${contact_id}&limit=50`);
    assert.equal(notes.body.items.length, 20);
  });

  test('changes a known contact only as `on_match` says', async () => {
    const { client, link, contact } = await organization();
    const made = await client.post('/crm/contacts', {
      last_name: '佐藤',
      first_name: '太郎',
      email: 'taro@example.co.jp',
      phone: '03-0000-0000',
    });
    const { id } = made.body.contact;
    const data = { email: 'TARO@example.co.jp', who: WHO, phone: '03-1234-5678', job: 'a' };
    const shown = async () => {
      const { last_name, phone, position, email } = await contact(id);
      return [last_name, phone, position, email];
    };
    assert.equal((await link(submitted(data))).status, 'linked');
    assert.deepEqual(await shown(), ['佐藤', '03-0000-0000', null, 'taro@example.co.jp']);
    assert.equal((await link(submitted(data, { on_match: 'fill_blank' }))).status, 'updated');
    assert.deepEqual(await shown(), ['佐藤', '03-0000-0000', '部長', 'taro@example.co.jp']);
    assert.equal((await link(submitted(data, { on_match: 'update' }))).status, 'updated');
    assert.deepEqual(await shown(), ['山田', '03-1234-5678', '部長', 'taro@example.co.jp']);
  });

  test('is taken back where the CRM refuses, and the work goes on', async () => {
    const { client, link } = await organization();
    const owner_id = newId('usr', new Date());
    const refused = await link(submitted({ email: 'a@example.co.jp', who: WHO }, { owner_id }));
    assert.deepEqual(refused, {
      status: 'failed',
      contact_id: null,
      company_id: null,
      error: 'unknown_reference',
    });
    assert.equal((await client.get('/crm/contacts')).body.items.length, 0);
  });
});
