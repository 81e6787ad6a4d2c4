import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { settingsOf } from '../../../shared/invoicing/settings/queries.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { startApp } from '../../support/app.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';

const app = await startApp();
const PATH = '/invoice-settings';

const bank_account = {
  bank: 'みずほ銀行',
  bank_code: '0001',
  branch: '丸の内支店',
  branch_code: '004',
  type: 'checking',
  number: '1234567',
  holder: '山田商事（株）',
  holder_kana: 'ヤマダショウジ（カ',
};

describe('200', () => {
  test('who has changed nothing has the defaults, each kind its numbers', async () => {
    const client = await app.actor();
    const { invoice_settings: found } = (await client.get(PATH)).body;
    assert.deepEqual(
      [found.id, found.object, found.issuer_name, found.logo, found.seal, found.bank_account],
      [client.actor.organization_id, 'invoicing.invoice_settings', null, null, null, null],
    );
    assert.deepEqual(
      [found.time_zone, found.default_tax_display_mode, found.default_tax_rounding, found.locale],
      ['Asia/Tokyo', 'exclusive', 'floor', 'ja'],
    );
    assert.deepEqual([found.approval_required, found.window_envelope], [true, 'none']);
    assert.deepEqual(found.numbering.invoice, {
      pattern: 'INV-{YYYY}-{SEQ:4}',
      reset: 'year',
      assign_on: 'issue',
    });
    assert.deepEqual(
      Object.values(found.numbering).map((one) => Object.values(one as object).join(' ')),
      [
        'QUO-{YYYY}-{SEQ:4} year create',
        'INV-{YYYY}-{SEQ:4} year issue',
        'DN-{YYYY}-{SEQ:4} year create',
        'PO-{YYYY}-{SEQ:4} year create',
        'CN-{YYYY}-{SEQ:4} year issue',
      ],
    );
  });

  test('PATCH changes what is sent and tells it in the audit log, without an event', async () => {
    const client = await app.actor();
    const patch = {
      issuer_name: '山田商事株式会社',
      issuer_detail: '東京都千代田区1-1\nTEL 03-1234-5678',
      issuer_registration_number: 'T7000012050002',
      bank_account,
      time_zone: 'America/New_York',
      default_due: { closing_day: 20, months_later: 2, pay_day: 10 },
      memo_templates: { invoice: '振込手数料はご負担ください。' },
      approval_required: false,
    };
    const told = await toldBy(app, client.actor.organization_id, async () => {
      const reply = await client.patch(PATH, patch);
      assert.equal(reply.status, 200, reply.text);
    });
    assert.deepEqual(told.events, []);
    assert.deepEqual(
      told.audit.map((one) => [one.entity_type, one.action, one.changes.time_zone]),
      [['invoice_settings', 'update', ['Asia/Tokyo', 'America/New_York']]],
    );
    const { invoice_settings: found } = (await client.get(PATH)).body;
    for (const [field, value] of Object.entries(patch)) {
      if (field !== 'memo_templates') assert.deepEqual(found[field], value, field);
    }
    assert.deepEqual(found.memo_templates, {
      quotation: null,
      invoice: '振込手数料はご負担ください。',
      delivery_note: null,
      purchase_order: null,
    });
  });

  test('a PATCH that changes nothing records nothing', async () => {
    const client = await app.actor();
    const default_due = { closing_day: 20, months_later: 2, pay_day: 10 };
    await client.patch(PATH, { reply_to: 'seikyu@example.co.jp', bank_account, default_due });
    const { invoice_settings: found } = (await client.get(PATH)).body;
    for (const body of [
      {},
      { reply_to: 'seikyu@example.co.jp' },
      { numbering: found.numbering },
      { bank_account, default_due },
      { locale: 'ja' },
    ]) {
      const told = await toldBy(app, client.actor.organization_id, async () => {
        const reply = await client.patch(PATH, body);
        assert.deepEqual(reply.body.invoice_settings, found);
      });
      assert.deepEqual(told, { events: [], audit: [] });
    }
  });

  test('a part of a template or a numbering leaves the other parts, and null brings the standard back', async () => {
    const client = await app.actor();
    const before = (await client.get(PATH)).body.invoice_settings;
    await client.patch(PATH, {
      email_templates: { invoice: { subject: '【ご請求】{{ number }}' } },
      numbering: { quotation: { pattern: '見積{YY}{MM}-{SEQ:3}' } },
    });
    const second = (await client.patch(PATH, { numbering: { quotation: { reset: 'month' } } })).body
      .invoice_settings;
    assert.deepEqual(second.email_templates.invoice, {
      subject: '【ご請求】{{ number }}',
      message: before.email_templates.invoice.message,
    });
    assert.deepEqual(second.email_templates.quotation, before.email_templates.quotation);
    assert.deepEqual(second.numbering.quotation, {
      pattern: '見積{YY}{MM}-{SEQ:3}',
      reset: 'month',
      assign_on: 'create',
    });
    const third = await client.patch(PATH, { email_templates: { invoice: { subject: null } } });
    assert.deepEqual(third.body.invoice_settings.email_templates, before.email_templates);
    const english = (await client.patch(PATH, { locale: 'en' })).body.invoice_settings;
    assert.equal(english.email_templates.invoice.subject, 'Invoice {{number}}');
  });

  test('documents have the name of the organization where the settings give none', async () => {
    const client = await app.actor();
    const { organization_id } = client.actor;
    const name = () =>
      app.database.withConnection(organization_id, async (connection) => {
        const reader = { connection, organization_id, actor: systemActor, now: new Date() };
        return (await settingsOf({ ...reader, request_id: null, ip_address: null })).issuer_name;
      });
    assert.equal(await name(), (await client.get('/organization')).body.organization.name);
    await client.patch(PATH, { issuer_name: '山田商事' });
    assert.equal(await name(), '山田商事');
  });

  test('a registration number that is no corporation is taken with a warning', async () => {
    const client = await app.actor();
    const odd = await client.patch(PATH, { issuer_registration_number: 'T1234567890123' });
    assert.deepEqual(
      odd.body.invoice_settings.warnings.map((one: { code: string }) => one.code),
      ['registration_number_checksum'],
    );
    const right = await client.patch(PATH, { issuer_registration_number: 'T7000012050002' });
    assert.deepEqual(right.body.invoice_settings.warnings, []);
  });

  test('of parallel changes, the first ones too, none is lost', async () => {
    const client = await app.actor();
    const kinds = ['quotation', 'invoice', 'delivery_note', 'purchase_order', 'credit_note'];
    const patches = [
      ...kinds.map((kind) => ({ numbering: { [kind]: { pattern: `${kind.slice(0, 3)}-{YYYY}-{SEQ:5}` } } })),
      { issuer_name: 'A' },
      { bank_account },
      { fiscal_year_start_month: 1 },
      ...kinds.slice(0, 4).map((kind) => ({ memo_templates: { [kind]: kind } })),
    ];
    const told = await toldBy(app, client.actor.organization_id, async () => {
      const replies = await Promise.all(patches.map((patch) => client.patch(PATH, patch)));
      assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    });
    assert.equal(told.audit.length, patches.length);
    const { invoice_settings: found } = (await client.get(PATH)).body;
    assert.deepEqual(
      kinds.map((kind) => found.numbering[kind].pattern),
      kinds.map((kind) => `${kind.slice(0, 3)}-{YYYY}-{SEQ:5}`),
    );
    assert.deepEqual([found.issuer_name, found.fiscal_year_start_month], ['A', 1]);
    assert.deepEqual(found.bank_account, bank_account);
    assert.deepEqual(Object.values(found.memo_templates), kinds.slice(0, 4));
  });
});

describe('403', () => {
  test('reading needs invoicing, changing needs the settings', async () => {
    const writer = await app.actor({ scopes: ['invoicing:read', 'invoicing:write'] });
    assert.equal((await writer.get(PATH)).status, 200);
    const reply = await writer.patch(PATH, { locale: 'en' });
    assert.deepEqual([reply.status, reply.body.required_scope], [403, 'settings:write']);
  });
});

describe('412', () => {
  test('one of two changes with the same If-Match fails', async () => {
    const client = await app.actor();
    const etag = (await client.get(PATH)).headers.get('etag') ?? '';
    const replies = await Promise.all(
      ['A', 'B'].map((issuer_name) => client.patch(PATH, { issuer_name }, { 'If-Match': etag })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412]);
  });
});

describe('422', () => {
  const refused: [name: string, body: unknown, faults: string[]][] = [
    [
      'a place that no mail fills in',
      {
        email_templates: {
          invoice: { subject: '{{constructor}}', message: 'ok {{total}} {{__proto__}}' },
          quotation: { message: '{{number' },
          credit_note: { message: '{{ total + 1 }}' },
        },
      },
      [
        '/email_templates/credit_note/message unknown_placeholder',
        '/email_templates/invoice/message unknown_placeholder',
        '/email_templates/invoice/subject unknown_placeholder',
        '/email_templates/quotation/message unknown_placeholder',
      ],
    ],
    [
      'patterns that lack their place, their period, or may not stand in a file name',
      {
        numbering: {
          invoice: { pattern: 'INV-{YYYY}' },
          quotation: { pattern: 'Q-{SEQ:4}' },
          delivery_note: { reset: 'month' },
          purchase_order: { pattern: '..\\{YYYY}-{SEQ:4}' },
        },
      },
      [
        '/numbering/delivery_note/pattern pattern_lacks_period',
        '/numbering/invoice/pattern invalid_pattern',
        '/numbering/purchase_order/pattern invalid_pattern',
        '/numbering/quotation/pattern pattern_lacks_period',
      ],
    ],
    ['an offset for a zone', { time_zone: '+09:00' }, ['/time_zone invalid_time_zone']],
    ['a short form for a zone', { time_zone: 'JST' }, ['/time_zone invalid_time_zone']],
    ['half a name of a zone', { time_zone: 'Tokyo' }, ['/time_zone invalid_time_zone']],
    [
      'codes of a bank that are none',
      { bank_account: { ...bank_account, bank_code: '12', branch_code: '１２３', number: 'x' } },
      [
        '/bank_account/bank_code invalid_format',
        '/bank_account/branch_code invalid_format',
        '/bank_account/number invalid_format',
      ],
    ],
    [
      'half a bank account',
      { bank_account: { bank: 'みずほ銀行' } },
      ['/bank_account/holder required', '/bank_account/number required'],
    ],
    [
      'a closing day that many months lack',
      { default_due: { closing_day: 31, months_later: 1, pay_day: 'end' } },
      ['/default_due/closing_day too_large'],
    ],
    ['a kind that is none', { memo_templates: { receipt: 'x' } }, ['/memo_templates/receipt unknown_field']],
    ['the images', { logo: null }, ['/logo unknown_field']],
    [
      'what is computed',
      { warnings: [], updated_at: null },
      ['/updated_at unknown_field', '/warnings unknown_field'],
    ],
    [
      'a registration number that is too short',
      { issuer_registration_number: 'T123' },
      ['/issuer_registration_number invalid_format'],
    ],
    [
      'months and languages that are none',
      { fiscal_year_start_month: 13, locale: 'fr' },
      ['/fiscal_year_start_month too_large', '/locale invalid_value'],
    ],
    [
      'text without an end',
      { memo_templates: { invoice: 'x'.repeat(10_001) } },
      ['/memo_templates/invoice too_long'],
    ],
    [
      'null for what every document needs',
      { time_zone: null, numbering: null },
      ['/numbering invalid_type', '/time_zone invalid_type'],
    ],
  ];
  for (const [name, body, faults] of refused) {
    test(name, async () => {
      const client = await app.actor();
      const reply = await client.patch(PATH, body);
      assert.equal(reply.status, 422, reply.text);
      assert.deepEqual(faultsIn(reply.body), faults);
    });
  }
});
