import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { faultsIn } from '../../support/facts.ts';

const app = await startApp();

async function made(client: Client, path: string, body: Record<string, unknown>): Promise<string> {
  const reply = await client.post(path, body);
  assert.equal(reply.status, 201, reply.text);
  return (Object.values(reply.body)[0] as { id: string }).id;
}

async function someRecords() {
  const client = await app.actor();
  await made(client, '/crm/pipelines', { name: 'P' });
  const company = await made(client, '/crm/companies', {
    name: '株式会社山田商店',
    name_kana: 'ヤマダショウテン',
    prefecture: '東京都',
    city: '千代田区',
  });
  const contact = await made(client, '/crm/contacts', {
    first_name: '花子',
    last_name: '山田',
    company_id: company,
    phone: '090-1234-5678',
  });
  const alone = await made(client, '/crm/contacts', { first_name: '一', last_name: '林', email: 'h@x.jp' });
  const deal = await made(client, '/crm/deals', { name: '春の発注', company_id: company });
  const found = async (query: string) => {
    const reply = await client.get(`/crm/search?${new URLSearchParams(query)}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.body.items;
  };
  return { client, company, contact, alone, deal, found };
}

describe('GET /crm/search', () => {
  test('200: answers companies, contacts and deals, each with what tells it from others', async () => {
    const { company, contact, deal, found } = await someRecords();
    assert.deepEqual(await found('q=山田'), [
      { object: 'crm.company', id: company, title: '株式会社山田商店', subtitle: '東京都千代田区' },
      { object: 'crm.contact', id: contact, title: '山田 花子', subtitle: '株式会社山田商店' },
      { object: 'crm.deal', id: deal, title: '春の発注', subtitle: '株式会社山田商店' },
    ]);
  });

  test('200: kinds narrows it', async () => {
    const { company, deal, found } = await someRecords();
    const ids = async (query: string) => (await found(query)).map(({ id }: { id: string }) => id);
    assert.deepEqual(await ids('q=山田&kinds=deal,company'), [company, deal]);
    assert.deepEqual(await ids('q=山田&kinds=deal'), [deal]);
  });

  test('200: by both orders of a name, kana, e-mail, phone digits', async () => {
    const { contact, alone, found } = await someRecords();
    const first = async (q: string) =>
      (await found(`q=${q}&kinds=contact`)).map(({ id }: { id: string }) => id);
    for (const q of ['花子 山田', '山田花子', '12345678', '090-1234-5678'])
      assert.deepEqual(await first(q), [contact], q);
    for (const q of ['H@X', '林 一', '一 林']) assert.deepEqual(await first(q), [alone], q);
    assert.deepEqual(await found('q=やまだ&kinds=company').then((items) => items.length), 1);
    assert.deepEqual(await found('q=%25%25'), []);
  });

  test('200: as banks write names, and in other letters of the same name', async () => {
    const { client, company, found } = await someRecords();
    for (const q of ['ｶ)ﾔﾏﾀﾞｼﾖｳﾃﾝ', 'ﾔﾏﾀﾞｼﾖｳﾃﾝ(ｶ', '㈱山田商店'])
      assert.equal((await found(`q=${q}&kinds=company`))[0]?.id, company, q);
    const bridge = await made(client, '/crm/contacts', { first_name: '健', last_name: '髙橋' });
    for (const q of ['高橋', '髙橋健', '高橋 健'])
      assert.equal((await found(`q=${q}&kinds=contact`))[0]?.id, bridge, q);
    for (const path of [
      'companies?search=%EF%BD%B6)%EF%BE%94%EF%BE%8F',
      'contacts?search=%E9%AB%98&skip_total=true',
    ])
      assert.equal((await client.get(`/crm/${path}`)).body.items.length, 1, path);
    const listed = await client.post('/mail/contacts', {
      email: 'b@example.jp',
      last_name: '渡邉',
      first_name: '凛',
    });
    assert.equal(listed.status, 201, listed.text);
    const mailed = await client.get(`/mail/contacts?search=${encodeURIComponent('渡辺')}`);
    assert.equal(mailed.body.total, 1);
  });

  test('200: a deal follows the name of its company, and loses it with the company', async () => {
    const { client, company, deal, found } = await someRecords();
    await client.patch(`/crm/companies/${company}`, { name: '鈴木商店', name_kana: null });
    assert.deepEqual(await found('q=山田商店'), []);
    const [renamed] = await found('q=鈴木&kinds=deal');
    assert.equal(renamed.id, deal);
    await client.delete(`/crm/companies/${company}`);
    assert.deepEqual(await found('q=鈴木'), []);
    assert.equal((await found('q=発注'))[0].subtitle, null);
  });

  test('200: a new name that is searched by the same letters writes no deal, another one does', async () => {
    const { client, company, deal } = await someRecords();
    const { organization_id } = client.actor;
    const place = async () => {
      const [row] = await app.database.withConnection(organization_id, ({ query }) =>
        query<{ place: string }>(
          'SELECT ctid::text AS place FROM crm_deals WHERE organization_id = $1 AND id = $2',
          [organization_id, deal],
        ),
      );
      return row!.place;
    };
    const renamed = async (name: string) => {
      assert.equal((await client.patch(`/crm/companies/${company}`, { name })).status, 200);
      return place();
    };
    const first = await renamed('Yamada Shoten');
    assert.equal(await renamed('ＹＡＭＡＤＡ Ｓｈｏｔｅｎ'), first);
    assert.notEqual(await renamed('鈴木商店'), first);
  });

  test('200: nothing of another organization', async () => {
    await someRecords();
    const stranger = await app.actor();
    assert.deepEqual((await stranger.get('/crm/search?q=山田')).body.items, []);
  });

  test('422: q of one letter, none at all, an unknown kind', async () => {
    const client = await app.actor();
    const wrong: [string, string][] = [
      ['', 'q required'],
      ['q=%20a%20', 'q too_short'],
      [`q=${'x'.repeat(201)}`, 'q too_long'],
      ['q=ab&kinds=deal,person', 'kinds invalid_value'],
      ['q=ab&limit=1', 'limit unknown_parameter'],
    ];
    for (const [query, expected] of wrong) {
      const reply = await client.get(`/crm/search?${query}`);
      assert.equal(reply.status, 422);
      assert.deepEqual(faultsIn(reply.body), [expected]);
    }
  });
});

describe('GET /crm/duplicates', () => {
  const shown = (body: { items: { score: number; reasons: string[]; records: { id: string }[] }[] }) =>
    body.items.map(({ score, reasons, records }) => [score, reasons, records.map(({ id }) => id)]);

  test('200: companies by number, e-mail, phone and name without its legal form, the surest first', async () => {
    const client = await app.actor();
    const make = (fields: Record<string, unknown>) => made(client, '/crm/companies', fields);
    const a = await make({ name: '株式会社 山田商店', phone: '03-1234-5678' });
    const b = await make({ name: '山田商店（株）', phone: '０３（１２３４）５６７８' });
    const c = await make({ name: 'C', corporate_number: '7000012050002' });
    const d = await make({ name: 'D', invoice_registration_number: 'T7000012050002' });
    const e = await make({ name: 'E', email: 'Info@x.jp' });
    const f = await make({ name: 'F', email: 'info@X.jp' });
    await make({ name: 'G', phone: '03-9999-9999', email: 'g@x.jp' });
    const reply = await client.get('/crm/duplicates?kind=company');
    assert.deepEqual(shown(reply.body), [
      [100, ['corporate_number'], [c, d]],
      [80, ['name', 'phone'], [a, b]],
      [80, ['email'], [e, f]],
    ]);
    assert.deepEqual(reply.body.items[1].records[0], { id: a, title: '株式会社 山田商店' });
    assert.deepEqual([reply.body.total, reply.body.items[0].kind], [3, 'company']);
    const second = await client.get('/crm/duplicates?kind=company&limit=1&offset=1');
    assert.deepEqual([shown(second.body), second.body.total], [[[80, ['name', 'phone'], [a, b]]], 3]);
    const beyond = await client.get('/crm/duplicates?offset=9');
    assert.deepEqual([beyond.body.items, beyond.body.total], [[], 3]);
  });

  test('200: companies whose names differ by old or popular kanji alone, once', async () => {
    const client = await app.actor();
    const make = (name: string) => made(client, '/crm/companies', { name });
    const new_letters = await make('高崎商店株式会社');
    const old_letters = await make('㈱髙﨑商店');
    const again = await make('髙﨑商店');
    const mixed = await make('株式会社　高﨑商店');
    await make('高崎産業');
    const west = [await make('渡邊製作所'), await make('渡邉製作所')];
    const yoshi = [await make('𠮷野'), await make('吉野')];
    const same = [await make('髙木'), await make('髙木')];
    const reply = await client.get('/crm/duplicates?kind=company');
    assert.deepEqual(shown(reply.body), [
      [70, ['name'], [new_letters, old_letters, again, mixed]],
      [70, ['name'], west],
      [70, ['name'], yoshi],
      [70, ['name'], same],
    ]);
    assert.equal(reply.body.total, 4);
  });

  test('200: companies whose names differ by small kana, long vowels or hyphens alone', async () => {
    const client = await app.actor();
    for (const name of [
      'ヤマダショップ',
      'ﾔﾏﾀﾞｼﾖﾂﾌﾟ',
      'コーヒー豆センター',
      'コ-ヒ-豆センタ-',
      'ヤマダシップ',
    ]) {
      await made(client, '/crm/companies', { name });
    }
    const { items } = (await client.get('/crm/duplicates?kind=company')).body;
    const titles = items.map(({ records }: { records: { title: string }[] }) =>
      records.map(({ title }) => title),
    );
    assert.deepEqual(
      new Set(titles.map((all: string[]) => all.join())),
      new Set(['ヤマダショップ,ﾔﾏﾀﾞｼﾖﾂﾌﾟ', 'コーヒー豆センター,コ-ヒ-豆センタ-']),
    );
  });

  test('200: contacts by e-mail and phone; each record that a merge leaves is no duplicate', async () => {
    const client = await app.actor();
    const person = { first_name: 'A', last_name: 'B' };
    const one = await made(client, '/crm/contacts', { ...person, email: 'a@x.jp', phone: '090-1' });
    const two = await made(client, '/crm/contacts', { ...person, email: 'A@X.jp', phone: '0901' });
    await made(client, '/crm/contacts', person);
    assert.deepEqual(shown((await client.get('/crm/duplicates?kind=contact')).body), [
      [90, ['email', 'phone'], [one, two]],
    ]);
    assert.equal((await client.get('/crm/duplicates')).body.total, 1);
    assert.equal((await (await app.actor()).get('/crm/duplicates')).body.total, 0);
    await client.post(`/crm/contacts/${one}/merge`, { loser_id: two });
    assert.equal((await client.get('/crm/duplicates')).body.total, 0);
  });

  test('422: an unknown kind', async () => {
    const client = await app.actor();
    const reply = await client.get('/crm/duplicates?kind=deal');
    assert.deepEqual(faultsIn(reply.body), ['kind invalid_value']);
  });
});
