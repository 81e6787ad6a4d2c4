import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createCustomField } from '../../../../shared/crm/custom-fields/operations.ts';
import { type CrmImports, countsOf, crmImportsPlace } from '../../../support/crm-imports.ts';

const { newOrganization } = await crmImportsPlace();

type Kept = { row: number; code: string; column: string | null; message: string; message_ja: string };

function errorsOf({ query, organization_id }: CrmImports, { id }: { id: string }): Promise<Kept[]> {
  return query<Kept>(
    `SELECT row, code, "column", message, message_ja FROM import_errors
      WHERE organization_id = $1 AND import_id = $2 ORDER BY id`,
    [organization_id, id],
  );
}

describe('a key that stands above with another name', () => {
  const lines = [
    '取引先コード,会社名,電話番号',
    'T-1,㈱山本製作所,03-1',
    'T-2,佐藤工業,',
    'T-1,株式会社 山本製作所,03-2',
    'T-1,,03-3',
    ...Array.from({ length: 5 }, (_, n) => `U-${n},別${n},`),
    'T-1,㈱別の会社,03-9999-9999',
    'T-2,佐藤 工業,',
  ];
  const faults = [
    { row: 11, column: '取引先コード', code: 'repeated_key', message: /^Row 2 has/, message_ja: /^2行目/ },
  ];

  for (const options of [{}, { on_conflict: 'fill_blank' }, { on_conflict: 'skip' }, { dry_run: true }])
    test(`is a fault that names the row above, in any chunk: ${JSON.stringify(options)}`, async () => {
      const organization = await newOrganization();
      const row = await organization.take('companies', lines, options);
      assert.deepEqual(countsOf(row), { created: 7, duplicate: 3, error: 1 });
      const [fault, ...others] = await errorsOf(organization, row);
      assert.equal(others.length, 0);
      const { message, message_ja, ...told } = faults[0]!;
      assert.deepEqual([fault!.row, fault!.column, fault!.code], Object.values(told));
      assert.match(fault!.message, message);
      assert.match(fault!.message_ja, message_ja);
    });

  test('leaves the record as the rows of its name made it', async () => {
    const organization = await newOrganization();
    await organization.take('companies', lines);
    const [company] = await organization.query(
      "SELECT name, phone FROM crm_companies WHERE organization_id = $1 AND external_id = 'T-1'",
      [organization.organization_id],
    );
    assert.deepEqual(company, { name: '株式会社 山本製作所', phone: '03-3' });
  });

  test('is a fault of people and deals too; a new name of a known record is none', async () => {
    const organization = await newOrganization();
    const people = ['外部ID,氏名', 'p1,山田 花子', 'p1,山田　花子', 'p1,佐藤 健'];
    assert.deepEqual(countsOf(await organization.take('contacts', people)), {
      created: 1,
      duplicate: 1,
      error: 1,
    });
    const deals = ['外部ID,案件名', 'd1,春', 'd1,夏'];
    assert.deepEqual(countsOf(await organization.take('deals', deals)), { created: 1, error: 1 });
    assert.deepEqual(countsOf(await organization.take('deals', ['外部ID,案件名', 'd1,秋'])), { updated: 1 });
  });
});

test('a fault says in both languages what is expected, and lists options', async () => {
  const organization = await newOrganization();
  await organization.act(async (work) =>
    createCustomField(work, {
      kind: 'company',
      key: 'rank',
      label: 'ランク',
      type: 'select',
      options: ['A', 'B'],
    }),
  );
  const companies = await organization.take('companies', [
    '会社名,郵便番号,従業員数,締日,敬称,ランク',
    '甲,53-001,多数,31,殿,C',
    '乙,〒５３０ー０００１,,,,Ｂ',
  ]);
  const told = async (row: { id: string }) =>
    (await errorsOf(organization, row)).map(({ column, message, message_ja }) => [
      column,
      message,
      message_ja,
    ]);
  assert.deepEqual(await told(companies), [
    ['郵便番号', 'The cell must be of the form 100-0001', 'この項目は 100-0001 の形式で入力してください'],
    [
      '従業員数',
      'The cell must be a whole number, as 1200 or 1,200',
      'この項目は 1200、1,200 のような整数で入力してください',
    ],
    ['締日', 'The cell must be 28 or less', 'この項目は28以下で指定してください'],
    [
      '敬称',
      'The cell must be "御中", "様", ""',
      'この項目は次のいずれかを指定してください："御中"、"様"、""',
    ],
    [
      'ランク',
      'custom_fields.rank must be one of "A", "B"',
      'custom_fields.rank は次のいずれかを指定してください："A", "B"',
    ],
  ]);
  const [company] = await organization.query(
    `SELECT postal_code, custom_fields FROM crm_companies WHERE organization_id = $1 AND name = '乙'`,
    [organization.organization_id],
  );
  assert.deepEqual(company, { postal_code: '530-0001', custom_fields: { rank: 'B' } });
  const deals = await organization.take('deals', ['案件名,ステージ', '春,謎']);
  const [, message, ja] = (await told(deals))[0]!;
  assert.match(message!, /^stage: 謎 does not exist in this organization; there are: .+, .+/);
  assert.match(ja!, /^謎 はこの組織に登録されていません。登録されているもの：/);
});

test('without normalize cells stay as they are written, with it they are told in their normal form', async () => {
  const lines = [
    '会社名,会社名カナ,電話番号,都道府県,住所1',
    '㈱ﾔﾏﾓﾄ,ﾔﾏﾓﾄ,０３－１２３４－５６７８,大阪,"北区\n梅田１"',
  ];
  const kept = async (options: Record<string, unknown>) => {
    const organization = await newOrganization();
    await organization.take('companies', lines, options);
    const [company] = await organization.query<Record<string, string>>(
      `SELECT name, name_kana, phone, prefecture, address_line FROM crm_companies WHERE organization_id = $1`,
      [organization.organization_id],
    );
    return Object.values(company!);
  };
  assert.deepEqual(await kept({ normalize: false }), [
    '㈱ﾔﾏﾓﾄ',
    'ﾔﾏﾓﾄ',
    '０３－１２３４－５６７８',
    '大阪',
    '北区\n梅田１',
  ]);
  assert.deepEqual(await kept({}), ['㈱ヤマモト', 'ヤマモト', '03-1234-5678', '大阪府', '北区 梅田１']);
});
