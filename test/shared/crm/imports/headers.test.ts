import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { companyFields } from '../../../../shared/crm/imports/companies/fields.ts';
import { companyHeaders } from '../../../../shared/crm/imports/companies/headers.ts';
import { contactFields } from '../../../../shared/crm/imports/contacts/fields.ts';
import { contactHeaders } from '../../../../shared/crm/imports/contacts/headers.ts';
import { dealFields } from '../../../../shared/crm/imports/deals/fields.ts';
import { dealHeaders } from '../../../../shared/crm/imports/deals/headers.ts';
import { wordsForPeople } from '../../../../shared/crm/imports/headers.ts';
import { mailContactFields } from '../../../../shared/mail/imports/fields.ts';
import { mailContactHeaders } from '../../../../shared/mail/imports/headers.ts';
import type { ImportField } from '../../../../shared/platform/imports/reading/field.ts';
import { fieldsNamed } from '../../../../shared/platform/imports/reading/headers.ts';
import { proposedFields } from '../../../../shared/platform/imports/reading/mapping.ts';

const kinds: Record<string, [readonly ImportField[], Readonly<Record<string, readonly string[]>>]> = {
  companies: [companyFields, companyHeaders],
  contacts: [contactFields, contactHeaders],
  deals: [dealFields, dealHeaders],
  'mail contacts': [mailContactFields, mailContactHeaders],
};

/** Words of two fields: the second is what they mean where another column is the first, or the cells decide. */
const OF_TWO: Record<string, readonly string[]> = {
  companies: ['record id', 'レコードID', 'id'],
  contacts: ['顧客コード', '顧客番号', '顧客ID', 'record id', 'レコードID', 'id'],
  deals: ['record id', 'レコードID', 'id'],
  'mail contacts': [],
};

describe('the headers of other programs', () => {
  for (const [kind, [fields, headers]] of Object.entries(kinds))
    test(`of ${kind} mean one field each`, () => {
      assert.deepEqual(
        Object.keys(headers).filter((name) => !fields.some((field) => field.name === name)),
        [],
      );
      const words = Object.entries(headers).flatMap(([name, own]) =>
        own.map((word) => [word, name] as const),
      );
      const others = words.filter(([word, name]) => {
        const named = fieldsNamed(word, fields).map(({ field }) => field.name);
        return !named.includes(name) || (named.length > 1 && !OF_TWO[kind]!.includes(word));
      });
      assert.deepEqual(others, []);
    });
});

/** The fields that a file with this header gets, in its order; null for what is ignored. */
function meaning(fields: readonly ImportField[], header: string, row: string[] = []): (string | null)[] {
  const names = header.split(',');
  return proposedFields(names, [row], fields, names.length);
}

describe('a list of companies', () => {
  const files: [string, string, (string | null)[]][] = [
    [
      'of freee',
      '名前（通称）,取引先コード,ショートカット1,正式名称（帳票出力時に使用される名称）,カナ名称,敬称,郵便番号,都道府県,市区町村・番地,建物名・部屋番号など,電話番号,担当者氏名,担当者メールアドレス,適格請求書発行事業者の登録番号',
      [
        null,
        'external_id',
        null,
        'name',
        'name_kana',
        'honorific',
        'postal_code',
        'prefecture',
        'address_line',
        'building',
        'phone',
        null,
        'email',
        'invoice_registration_number',
      ],
    ],
    [
      'of 弥生',
      '得意先コード,得意先名,フリガナ,郵便番号,住所1,住所2,ご担当者,TEL,FAX,締日,回収サイクル(月)',
      [
        'external_id',
        'name',
        'name_kana',
        'postal_code',
        'address_line',
        'building',
        null,
        'phone',
        'fax',
        'payment_terms.closing_day',
        'payment_terms.months_later',
      ],
    ],
    [
      'of board',
      '顧客名,敬称,郵便番号,都道府県,住所1,住所2(建物名),TEL,FAX,タグ,備考,法人番号',
      [
        'name',
        'honorific',
        'postal_code',
        'prefecture',
        'address_line',
        'building',
        'phone',
        'fax',
        'tags',
        'note',
        'corporate_number',
      ],
    ],
    [
      'of Salesforce',
      '取引先 ID,取引先名,郵便番号(請求先),都道府県(請求先),市区郡(請求先),町名・番地(請求先),電話,Web サイト,業種,従業員数,説明',
      [
        'external_id',
        'name',
        'postal_code',
        'prefecture',
        'city',
        'address_line',
        'phone',
        'website',
        'industry',
        'employee_count',
        'note',
      ],
    ],
    [
      'of HubSpot',
      'Record ID,Company name,Company Domain Name,Phone Number,City,Number of Employees',
      ['external_id', 'name', 'domain', 'phone', 'city', 'employee_count'],
    ],
    [
      'of an office',
      '顧客コード,会社名,会社名カナ,メールアドレス,都道府県,所在地,会社名フリガナ,コード,社名',
      ['external_id', 'name', 'name_kana', 'email', 'prefecture', 'address_line', null, null, null],
    ],
  ];
  for (const [name, header, fields] of files)
    test(name, () => {
      assert.deepEqual(meaning(companyFields, header), fields);
    });

  test('that is an export of ours is known by the form of its IDs', () => {
    const row = ['comp_01kaj2n5w5fq8b4m0g3v7x9rtc', 'C-1'];
    assert.deepEqual(meaning(companyFields, 'レコードID,外部ID', row), ['id', 'external_id']);
  });
});

test('a list of people is theirs, with the company that each is of', () => {
  assert.deepEqual(
    meaning(contactFields, '会社名,部署名,役職,氏名[姓],氏名[名],e-mail,TEL会社,TEL直通,携帯電話'),
    ['company_name', null, 'position', 'last_name', 'first_name', 'email', null, 'phone', null],
  );
  assert.deepEqual(
    meaning(contactFields, '顧客コード,顧客名,担当者コード,担当者名,担当者役職,担当者メールアドレス'),
    ['company_external_id', 'company_name', 'external_id', 'full_name', 'position', 'email'],
  );
  assert.deepEqual(meaning(contactFields, '顧客コード,お名前'), ['external_id', 'full_name']);
});

test('担当者 is a member where the cells say so', () => {
  const members = ['佐藤健'];
  const known = (fields: readonly ImportField[]): ImportField[] =>
    fields.map((field) =>
      field.name === 'owner_name'
        ? { ...field, maybe: { aliases: wordsForPeople.owner_name, is: (cell) => members.includes(cell) } }
        : field,
    );
  const says = (fields: readonly ImportField[], cell: string) =>
    meaning(known(fields), 'コード,担当者', ['1', cell])[1];
  assert.deepEqual(
    ['佐藤健', '山田花子', ''].map((cell) => says(companyFields, cell)),
    ['owner_name', null, null],
  );
  assert.deepEqual(
    ['佐藤健', '山田花子'].map((cell) => says(contactFields, cell)),
    ['owner_name', 'full_name'],
  );
  assert.deepEqual(
    ['佐藤健', '山田花子'].map((cell) => says(dealFields, cell)),
    ['owner_name', null],
  );
});
