import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createCompany } from '../../../../shared/crm/companies/operations.ts';
import { createContact } from '../../../../shared/crm/contacts/operations.ts';
import { steadyPace } from '../../../../shared/platform/imports/run/pace.ts';
import { newActor } from '../../../support/actors.ts';
import { type CrmImports, countsOf, crmImportsPlace } from '../../../support/crm-imports.ts';
import { contentsOf } from '../../../support/import-organization.ts';

const { database, newOrganization } = await crmImportsPlace();

/** Contacts of companies, some of them twice and some with a fault. */
function contactLines(count: number): string[] {
  const rows = Array.from({ length: count }, (_, n) => {
    const email = n % 17 === 5 ? 'no address' : `p${n}@example.co.jp`;
    return `c${n % 50},山田${n},太郎,${email},03-${n},株式会社${n % 4},${n % 3 === 0 ? '重要;VIP' : ''}`;
  });
  return ['外部ID,姓,名,メールアドレス,電話番号,会社名,タグ', ...rows];
}

async function errorsOf(organization: CrmImports, import_id: string) {
  return organization.query<{ row: number; code: string; column: string | null; cells: string[] }>(
    `SELECT row, code, "column", cells FROM import_errors WHERE organization_id = $1 AND import_id = $2 ORDER BY id`,
    [organization.organization_id, import_id],
  );
}

describe('a run', () => {
  test('reads the headers of Japanese files and tells each fault by the header of its column', async () => {
    const organization = await newOrganization();
    const row = await organization.take('companies', [
      '会社コード,会社名,法人番号,郵便番号,従業員数,資本金,決算月,締日,支払月,支払日,親会社コード,営業担当メール',
      'k1,株式会社甲,7000012050002,〒1000001,"1,200名","¥10,000,000",3月,末,翌月,末日,,',
      'k2,乙,8000012050002,100,なし,,13,20,,,k9,nobody@example.com',
      'k3,丙,,,,,,20,,,k1,',
      ',,,,,,,,,,k1,',
      'k4,丁,,,,,,,,,k9,nobody@example.com',
      'k5,戊,,,,,,,,,k1,',
    ]);
    assert.deepEqual(countsOf(row), { created: 2, error: 4 });
    const faults = (await errorsOf(organization, row.id)).map(
      ({ row, column, code }) => `${row} ${column} ${code}`,
    );
    assert.deepEqual(faults, [
      '3 法人番号 check_digit',
      '3 郵便番号 invalid_format',
      '3 従業員数 invalid_format',
      '3 決算月 too_large',
      '3 営業担当メール unknown_reference',
      '3 親会社コード unknown_reference',
      '3 支払月 required',
      '3 支払日 required',
      '4 支払月 required',
      '4 支払日 required',
      '5 会社名 required',
      '6 営業担当メール unknown_reference',
      '6 親会社コード unknown_reference',
    ]);
    const [company] = await organization.query<Record<string, unknown>>(
      'SELECT * FROM crm_companies WHERE organization_id = $1 ORDER BY id',
      [organization.organization_id],
    );
    assert.equal(company!['postal_code'], '100-0001');
    assert.equal(company!['employee_count'], 1200);
    assert.equal(company!['capital'], 10_000_000);
    assert.equal(company!['fiscal_month'], 3);
    assert.deepEqual(company!['payment_terms'], { closing_day: 'end', months_later: 1, pay_day: 'end' });
  });

  test('tells all that is wrong with a row at once, and nothing that only follows from another fault', async () => {
    const organization = await newOrganization();
    const codes = async (row: { id: string }) =>
      (await errorsOf(organization, row.id)).map(({ row, column, code }) => `${row} ${column} ${code}`);
    const contacts = await organization.take(
      'contacts',
      [
        '顧客コード,姓,名,氏名,メールアドレス,会社名,営業担当メール',
        'c1,,,,no address,乙,nobody@example.com',
        `c2,,,${'長'.repeat(101)} 太郎,ok@example.com,,`,
        'c3,,,山田太郎,ok@example.com,乙,',
        ',,,,no address,,nobody@example.com',
        'c5,\ufffd,花,,no address,乙,\ufffd',
        'c6,\ufffd,花',
      ],
      { match_by: 'email' },
    );
    assert.deepEqual(countsOf(contacts), { error: 6 });
    assert.deepEqual(await codes(contacts), [
      '2 メールアドレス invalid_format',
      '2 営業担当メール unknown_reference',
      '2 会社名 unknown_reference',
      '3 氏名 too_long',
      '4 氏名 invalid_format',
      '4 会社名 unknown_reference',
      '5 メールアドレス invalid_format',
      '5 営業担当メール unknown_reference',
      '6 姓 bad_characters',
      '6 メールアドレス invalid_format',
      '6 営業担当メール bad_characters',
      '6 会社名 unknown_reference',
      '7 姓 bad_characters',
    ]);
    const deals = await organization.take('deals', [
      '外部ID,案件名,金額,通貨,ステージ,失注理由,連絡先メールアドレス,会社名',
      'd1,,1.5,JPY,closed_lost,,a@example.com;b@example.com,乙',
      'd2,甲,1.5,YEN,lead,,,乙',
      `d3,甲,1,JPY,${'長'.repeat(300)},,,`,
    ]);
    assert.deepEqual(countsOf(deals), { error: 3 });
    assert.deepEqual(await codes(deals), [
      '2 案件名 required',
      '2 会社名 unknown_reference',
      '2 連絡先メールアドレス unknown_reference',
      '2 連絡先メールアドレス unknown_reference',
      '2 金額 too_many_decimals',
      '2 失注理由 required',
      '3 通貨 unknown_currency',
      '3 会社名 unknown_reference',
      '4 ステージ too_long',
    ]);
  });

  test('takes names that stand in one cell, where a space tells them apart', async () => {
    const organization = await newOrganization();
    const row = await organization.take('contacts', [
      '氏名,姓,名,担当者',
      '山田　太郎,,,鈴木',
      'Mary Ann Lee,,,',
      '山田太郎,,,',
      '林花,林,花,',
    ]);
    const names = await organization.query<{ last_name: string; first_name: string }>(
      'SELECT last_name, first_name FROM crm_contacts WHERE organization_id = $1 ORDER BY id',
      [organization.organization_id],
    );
    assert.deepEqual(names, [
      { last_name: '山田', first_name: '太郎' },
      { last_name: 'Lee', first_name: 'Mary Ann' },
      { last_name: '林', first_name: '花' },
    ]);
    assert.deepEqual(
      (await errorsOf(organization, row.id)).map(({ row, column, code }) => `${row} ${column} ${code}`),
      ['4 氏名 invalid_format'],
    );
  });

  test('finds owners by their names, where one member alone has that name', async () => {
    const organization = await newOrganization();
    const { organization_id } = organization;
    const lines = ['氏名,営業担当者', '山田 太郎,試験　太郎', '林 花,試験太郎', '森 蓮,鈴木'];
    const once = await organization.take('contacts', lines);
    await newActor(database, { organization_id });
    const twice = await organization.take('contacts', lines.slice(0, 2));
    const codes = async (id: string) =>
      (await errorsOf(organization, id)).map(({ row, column, code }) => `${row} ${column} ${code}`);
    assert.deepEqual(await codes(once.id), ['4 営業担当者 unknown_reference']);
    assert.deepEqual(countsOf(once), { created: 2, error: 1 });
    assert.deepEqual(await codes(twice.id), ['2 営業担当者 ambiguous']);
  });

  test('knows records, companies and owners again by the IDs of an export, where they are known', async () => {
    const [here, elsewhere] = [await newOrganization(), await newOrganization()];
    const { id: company_id } = await here.act((work) => createCompany(work, { name: '甲' }));
    await here.act((work) => createCompany(work, { name: '株式会社甲', external_id: 'k' }));
    await here.act((work) => createCompany(work, { name: '㈱甲' }));
    const person = { last_name: '山田', first_name: '太郎', company_id };
    const { id, owner_id } = await here.act((work) => createContact(work, person));
    await here.act((work) => createContact(work, { ...person, external_id: 'taken' }));
    await here.query(`UPDATE members SET left_at = now() WHERE organization_id = $1`, [here.organization_id]);
    const lines = [
      'id,external_id,last_name,first_name,phone,company_id,company_name,owner_id',
      `${id},,山田,太郎,03-1,${company_id},甲,${owner_id}`,
      `${id},taken,山田,太郎,,,,`,
      `no ID,,林,花,,comp_01kaj2n5w5fq8b4m0g3v7x9rtc,甲,`,
    ];
    const row = await here.take('contacts', lines);
    assert.deepEqual(countsOf(row), { updated: 1, created: 1, error: 1 });
    assert.deepEqual(
      (await errorsOf(here, row.id)).map(({ row, column, code }) => `${row} ${column} ${code}`),
      ['3 external_id already_exists'],
    );
    const there = await elsewhere.take('contacts', lines, { create_missing: true });
    assert.deepEqual(countsOf(there), { created: 2, error: 1 });
    const faults = await errorsOf(elsewhere, there.id);
    assert.deepEqual(
      faults.map(({ row, column, code }) => `${row} ${column} ${code}`),
      ['2 owner_id unknown_reference'],
    );
  });

  test('cut at any chunk and gone on with leaves what an undisturbed one leaves', async () => {
    const [whole, cut] = [await newOrganization(), await newOrganization()];
    const options = { create_missing: true };
    const undisturbed = await whole.take('contacts', contactLines(80), options);
    const imports = cut.of('contacts');
    const row = await imports.create(contactLines(80).join('\r\n'), options);
    for (let chunks = 1; (await imports.read(row.id)).status !== 'completed'; chunks = (chunks % 4) + 1) {
      const killed = new AbortController();
      let left = chunks;
      const pace = {
        ...steadyPace(3),
        async rest() {
          left -= 1;
          if (left === 0) killed.abort(new Error('killed'));
        },
      };
      await imports.run(row, { pace, signal: killed.signal }).catch((error: Error) => {
        assert.equal(error.message, 'killed');
      });
    }
    assert.deepEqual(countsOf(await imports.read(row.id)), countsOf(undisturbed));
    assert.deepEqual(await errorsOf(cut, row.id), await errorsOf(whole, undisturbed.id));
    const [is, should] = [await contentsOf(database, cut), await contentsOf(database, whole)];
    for (const table of Object.keys(should)) assert.deepEqual(is[table], should[table], table);
  });

  test('beside another one of the same file makes each record once', async () => {
    const organization = await newOrganization();
    const imports = organization.of('contacts');
    const lines = contactLines(120).join('\r\n');
    const rows = [
      await imports.create(lines, { create_missing: true }),
      await imports.create(lines, { create_missing: true }),
    ];
    await Promise.all(rows.map((row) => imports.run(row, { pace: steadyPace(7) })));
    const counts = await Promise.all(rows.map(async ({ id }) => imports.read(id)));
    assert.deepEqual(
      counts.map(({ status }) => status),
      ['completed', 'completed'],
    );
    assert.equal(counts[0]!.created_count + counts[1]!.created_count, 50);
    const [companies] = await organization.query<{ count: number }>(
      'SELECT count(*) FROM crm_companies WHERE organization_id = $1',
      [organization.organization_id],
    );
    assert.equal(companies!.count, 4);
  });

  test('beside calls of the API that make the same records finds those instead', async () => {
    const organization = await newOrganization();
    const imports = organization.of('contacts');
    const row = await imports.create(contactLines(60).join('\r\n'), { create_missing: true });
    const calls = Array.from({ length: 50 }, (_, n) =>
      organization
        .act((work) => createContact(work, { last_name: '先', first_name: '着', external_id: `c${49 - n}` }))
        .then(
          () => 1,
          () => 0,
        ),
    );
    const [, ...made] = await Promise.all([imports.run(row, { pace: steadyPace(5) }), ...calls]);
    const { created_count, status } = await imports.read(row.id);
    assert.equal(status, 'completed');
    assert.equal(created_count + made.reduce<number>((sum, one) => sum + (one as number), 0), 50);
  });

  test('that is dry counts and reports as a real one would, and writes nothing', async () => {
    const [dry, real] = [await newOrganization(), await newOrganization()];
    const before = await contentsOf(database, dry);
    const tried = await dry.take('contacts', contactLines(80), { create_missing: true, dry_run: true });
    const done = await real.take('contacts', contactLines(80), { create_missing: true });
    assert.deepEqual(countsOf(tried), countsOf(done));
    assert.deepEqual(await errorsOf(dry, tried.id), await errorsOf(real, done.id));
    const after = await contentsOf(database, dry);
    assert.deepEqual(after, before);
  });
});
