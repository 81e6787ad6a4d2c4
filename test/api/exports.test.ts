import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { startApp } from '../support/app.ts';
import { newSales, type Sales } from '../support/deals.ts';
import { makeExportRecords } from '../support/export-records.ts';
import { ended, exported, rowsOf, startExportWorkers } from '../support/exports.ts';

const app = await startApp();
const workers = await startExportWorkers(app);

type Owner = Sales & Awaited<ReturnType<typeof app.actor>>;

const owner = (await newSales(app)) as Owner;
const { tags, company, hanako, taro, deal, mailing, subscriber } = await makeExportRecords(owner.make);

const fileOf = (path: string, body: Record<string, unknown> = {}) => exported(app, owner, path, body);

describe('202, and the file', () => {
  test('a contact with all that belongs to it, in the words of the import', async () => {
    const { bytes, job } = await fileOf('/crm/contacts');
    const rows = rowsOf(bytes);
    const row = rows.find(({ id }) => id === hanako.id)!;
    assert.deepEqual(row, {
      id: hanako.id,
      external_id: "'-7",
      last_name: '山田',
      first_name: '花子',
      last_name_kana: '',
      first_name_kana: '',
      full_name: '山田 花子',
      email: 'hanako@example.com',
      phone: "'+81-3-1234-5678",
      position: '',
      company_id: company.id,
      company_external_id: 'K-1',
      company_name: '株式会社山田商店',
      owner_id: owner.user_id,
      owner_email: `${owner.user_id}@example.com`,
      tags: 'A\\;B\\\\C;重要',
      note: '\'=SUM(A1)\n"二行目", ＝三',
      created_at: hanako.created_at,
      metadata: '{}',
      updated_at: (await owner.get(`/crm/contacts/${hanako.id}`)).body.contact.updated_at,
      'custom_fields.hobbies': '釣り;山\\;川',
      'custom_fields.rank': "'@A",
      'custom_fields.score': '-1.5',
    });
    assert.deepEqual(
      rows.map(({ id }) => id),
      [taro.id, hanako.id],
    );
    assert.equal(job.kind, 'crm.contacts.export');
    assert.deepEqual(job.progress, { done: 2, total: 2, unit: 'rows' });
    assert.deepEqual(job.result, {
      rows: 2,
      replaced_characters: 0,
      encoding: 'utf-8-bom',
      size: bytes.length,
      columns: Object.keys(row),
    });
  });

  test('in Japanese the header has the labels, with those of custom fields', async () => {
    const { bytes, job } = await fileOf('/crm/contacts', { lang: 'ja' });
    const row = rowsOf(bytes).find((one) => one['レコードID'] === hanako.id)!;
    assert.deepEqual(
      [row['姓'], row['会社名'], row['ランク'], row['趣味'], row['点']],
      ['山田', '株式会社山田商店', "'@A", '釣り;山\\;川', '-1.5'],
    );
    assert.deepEqual(job.result!['columns'], Object.keys(row));
    const some = await fileOf('/crm/contacts', { lang: 'ja', columns: ['email', 'custom_fields.rank'] });
    assert.deepEqual(Object.keys(rowsOf(some.bytes)[0]!), ['メールアドレス', 'ランク']);
    const changes = await fileOf('/crm/audit-logs', { lang: 'ja', columns: ['action'] });
    assert.deepEqual(Object.keys(rowsOf(changes.bytes)[0]!), ['操作']);
  });

  test('a company', async () => {
    const [row] = rowsOf((await fileOf('/crm/companies')).bytes);
    assert.equal(row!['name'], '株式会社山田商店');
    assert.equal(row!['payment_terms.closing_day'], '20');
    assert.equal(row!['payment_terms.pay_day'], 'end');
    assert.equal(row!['honorific'], '御中');
    assert.equal(row!['open_deals'], '1');
  });

  test('a deal, its amounts with the decimals of their currency', async () => {
    const [row] = rowsOf((await fileOf('/crm/deals')).bytes);
    const shown = (await owner.get(`/crm/deals/${deal.id}`)).body.deal;
    assert.equal(row!['amount'], shown.amount);
    assert.equal(row!['weighted_amount'], shown.weighted_amount);
    const { pipeline } = (await owner.get(`/crm/pipelines/${shown.pipeline_id}`)).body;
    const stage = pipeline.stages.find(({ id }: { id: string }) => id === shown.stage_id);
    assert.deepEqual([row!['stage'], row!['stage_slug']], [stage.name, shown.stage_slug]);
    assert.notEqual(row!['stage'], row!['stage_slug']);
    assert.equal(row!['pipeline'], '営業');
    assert.equal(row!['contact_ids'], `${taro.id};${hanako.id}`);
    assert.equal(row!['contact_emails'], 'hanako@example.com');
  });

  test('an activity, an address that must not be mailed, a change of a record', async () => {
    const [activity] = rowsOf((await fileOf('/crm/activities')).bytes);
    assert.equal(activity!['contact_name'], '山田 花子');
    const [suppression] = rowsOf((await fileOf('/mail/suppressions')).bytes);
    assert.equal(suppression!['email'], 'never@example.com');
    const changes = rowsOf((await fileOf('/crm/audit-logs', { entity_id: hanako.id })).bytes);
    assert.deepEqual(
      changes.map(({ action, entity_id }) => [action, entity_id]),
      [
        ['update', hanako.id],
        ['update', hanako.id],
        ['create', hanako.id],
      ],
    );
    const [before, after] = JSON.parse(changes[0]!['changes']!).tags;
    assert.deepEqual([before.length, after.length, after[1].name], [1, 2, '重要']);
    assert.deepEqual(JSON.parse(changes[2]!['changes']!).last_name, [null, '山田']);
    for (const path of ['/audit-logs', '/mail/audit-logs']) {
      assert.ok((await fileOf(path)).job.result!['rows'], path);
    }
  });

  test('a mail contact, its attributes by their names, one that is called like a field behind its kind', async () => {
    const rows = rowsOf((await fileOf('/mail/contacts')).bytes);
    const row = rows.find(({ id }) => id === subscriber.id)!;
    assert.equal(row['email'], "'+news@example.com");
    assert.equal(row['attributes.email'], 'よそのメール');
    assert.equal(row['会社名'], "'-商店");
    assert.equal(row['年齢'], '');
    assert.equal(row['list_ids'], mailing.id);
    assert.equal(row['list_names'], '会報');
    assert.equal(row['consent_at'], '2026-04-01T00:00:00.000Z');
    assert.equal(row['consent_tracking'], 'false');
  });

  test('has the columns that are asked for, in their order', async () => {
    const { bytes } = await fileOf('/crm/contacts', {
      columns: ['custom_fields.rank', 'email', 'custom_fields'],
      encoding: 'utf-8',
    });
    assert.deepEqual(parse(bytes)[0], [
      'custom_fields.rank',
      'email',
      'custom_fields.hobbies',
      'custom_fields.rank',
      'custom_fields.score',
    ]);
  });

  test('of one column shows what is blank as a row all the same', async () => {
    const { bytes } = await fileOf('/crm/contacts', { columns: ['position'], encoding: 'utf-8' });
    assert.equal(bytes.toString(), 'position\r\n😀部長\r\n""\r\n');
  });

  test('begins with a byte-order mark unless it is not wanted, and ends its lines as asked', async () => {
    const asked = { columns: ['last_name', 'email'], sort: 'last_name:asc' };
    const marked = (await fileOf('/crm/contacts', asked)).bytes;
    assert.equal(marked.subarray(0, 3).toString('hex'), 'efbbbf');
    const lines = (await fileOf('/crm/contacts', { ...asked, encoding: 'utf-8', line_ending: 'lf' })).bytes;
    assert.equal(lines.toString(), 'last_name,email\n山田,hanako@example.com\n髙橋,\n');
  });

  test('in Shift_JIS says how many letters it lacks', async () => {
    const columns = ['last_name', 'first_name', 'position'];
    const { bytes, job, response } = await fileOf('/crm/contacts', { columns, encoding: 'shift_jis' });
    assert.equal(
      new TextDecoder('shift_jis', { fatal: true }).decode(bytes),
      'last_name,first_name,position\r\n髙橋,太郎～,〓部長\r\n山田,花子,\r\n',
    );
    assert.equal(job.result!['replaced_characters'], 1);
    assert.match(response.headers.get('content-type')!, /charset=shift_jis/i);
  });

  test('is named after the list, the day in Japan and its job, so that two of one day stand side by side', async () => {
    const { response, job } = await fileOf('/crm/contacts');
    const day = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 10);
    const header = response.headers.get('content-disposition')!;
    const [, plain, exact] = /^attachment; filename="(\S+)"; filename\*=UTF-8''(\S+)$/.exec(header)!;
    const name = decodeURIComponent(exact!);
    assert.match(name, new RegExp(`^連絡先_\\d{4}-\\d\\d-\\d\\d_\\d{4}_${job.id.slice(-6)}\\.csv$`));
    assert.equal(plain, name.replace('連絡先', 'contacts'));
    assert.ok(Math.abs(Date.parse(name.slice(4, 14)) - Date.parse(day)) <= 86_400_000);
  });
});

describe('what the list leaves is what the file has, in its order', () => {
  const later = new Date(Date.now() + 1).toISOString();
  for (const [path, filters] of [
    ['/crm/contacts', { search: 'やまだ' }],
    ['/crm/contacts', { search: '山' }],
    ['/crm/contacts', { search: "'; DROP TABLE jobs; --\\" }],
    ['/crm/contacts', { search: '03-1234', order: 'asc' }],
    ['/crm/contacts', { tag_id: tags.calm.id }],
    ['/crm/contacts', { company_id: company.id }],
    ['/crm/contacts', { owner_id: owner.user_id, sort: 'name:asc' }],
    ['/crm/contacts', { sort: 'email:desc,created_at:asc' }],
    ['/crm/contacts', { created_after: later }],
    ['/crm/contacts', { created_before: later, order: 'asc' }],
    ['/crm/companies', { search: '山田商店', sort: 'open_amount:desc' }],
    ['/crm/deals', { status: 'open', sort: 'expected_close_date:asc' }],
    ['/crm/deals', { status: 'won' }],
    ['/crm/deals', { contact_id: hanako.id, pipeline_id: owner.pipeline.id }],
    ['/crm/activities', { type: 'call', contact_id: hanako.id }],
    ['/mail/contacts', { list_id: mailing.id, sort: 'email:asc' }],
    ['/mail/contacts', { search: '林', status: 'active' }],
    ['/mail/suppressions', { email: 'NEVER@example.com' }],
    ['/crm/audit-logs', { entity_type: 'contact', action: 'create', actor_id: owner.actor.api_key_id }],
  ] as const) {
    test(`${path} ${JSON.stringify(filters)}`, async () => {
      const list = await owner.get(`${path}?${new URLSearchParams(filters as Record<string, string>)}`);
      assert.equal(list.status, 200, list.text);
      const rows = rowsOf((await fileOf(path, { ...filters, columns: ['id', 'created_at'] })).bytes);
      assert.deepEqual(
        rows.map(({ id, created_at }) => ({ id, created_at })),
        list.body.items.map(({ id, created_at }: Record<string, string>) => ({ id, created_at })),
      );
    });
  }
});

describe('403 and 404', () => {
  test('the export of a list is for holders of its scope, and so are job and file', async () => {
    const { organization_id } = owner.actor;
    const { job } = await fileOf('/crm/contacts', { columns: ['id'] });
    const mailer = await app.actor({ organization_id, role: 'member', scopes: ['mail:read'] });
    const seller = await app.actor({ organization_id, role: 'member', scopes: ['crm:read'] });
    const stranger = await app.actor();
    assert.equal((await mailer.post('/crm/contacts/export', {})).status, 403);
    for (const client of [mailer, stranger]) {
      assert.equal((await client.get(`/jobs/${job.id}`)).status, 404);
      assert.equal((await client.get(`/jobs/${job.id}/file`)).status, 404);
    }
    assert.equal((await seller.get(`/jobs/${job.id}/file`)).status, 200);
    assert.equal((await seller.post('/crm/audit-logs/export', {})).status, 403);
  });

  test('nobody sees rows of another organization', async () => {
    const stranger = await app.actor();
    for (const filters of [{}, { search: '山田' }, { company_id: company.id }]) {
      const { job } = await exported(app, stranger, '/crm/contacts', filters);
      assert.equal(job.result!['rows'], 0);
    }
  });
});

describe('422', () => {
  for (const [body, path, code] of [
    [{ columns: ['email', 'salary'] }, '/columns/1', 'unknown_column'],
    [{ columns: ['custom_fields.none'] }, '/columns/0', 'unknown_column'],
    [{ columns: ['attributes'] }, '/columns/0', 'unknown_column'],
    [{ columns: ['email', 'email'] }, '/columns', 'duplicate'],
    [{ columns: [] }, '/columns', 'too_small'],
    [{ encoding: 'utf-16' }, '/encoding', 'invalid_value'],
    [{ line_ending: 'cr' }, '/line_ending', 'invalid_value'],
    [{ sort: 'salary:asc' }, '/sort', 'invalid_value'],
    [{ sort: 'name:asc,name:desc' }, '/sort', 'invalid_value'],
    [{ tag_id: 'tag_1' }, '/tag_id', 'invalid_id'],
    [{ limit: '5' }, '/limit', 'unknown_field'],
    [{ created_after: 'yesterday' }, '/created_after', 'invalid_format'],
    [{ search: 'NUL \0' }, '/search', 'invalid_characters'],
    [{ search: 'half a pair \ud83d' }, '/search', 'invalid_characters'],
    [{ columns: ['attributes.\0'] }, '/columns/0', 'invalid_characters'],
  ] as const) {
    test(JSON.stringify(body), async () => {
      const reply = await owner.post('/crm/contacts/export', body);
      assert.equal(reply.status, 422, reply.text);
      assert.deepEqual(
        reply.body.errors.map((fault: { path: string; code: string }) => [fault.path, fault.code]),
        [[path, code]],
      );
    });
  }
});

test('what was asked for is forgotten once it is done', async () => {
  const { body } = await owner.post('/crm/contacts/export', { search: '花子' });
  await ended(owner, body.job.id);
  const [left] = await app.database.withConnection('*', ({ query }) =>
    query<{ exports: number; loose: number }>(
      `SELECT (SELECT count(*) FROM exports) AS exports, (SELECT count(*) FROM loose_files) AS loose`,
    ),
  );
  assert.deepEqual(left, { exports: 0, loose: 0 });
  assert.deepEqual(
    workers.lines.filter(({ level }) => level >= 40),
    [],
  );
});
