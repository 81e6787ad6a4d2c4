import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openApi } from '../../api/openapi.ts';
import { startApp } from '../support/app.ts';
import { creatingCalls } from '../support/creating-calls.ts';
import { makePdf } from '../support/document-pdfs.ts';
import { newSeller, type Seller } from '../support/documents.ts';
import { evidenceForm, pdfBytes, RECEIPT } from '../support/evidence.ts';
import { lettersAbout } from '../support/letters.ts';
import { receivedCalls } from '../support/received-calls.ts';
import { bookingInput, proposalInput } from '../support/scheduler-calls.ts';
import { formWith } from '../support/uploads.ts';
import { WITHOUT_OWN_KEYS } from '../support/without-own-keys.ts';

/** What every call that makes a record promises about the client's own IDs: read from the list of all endpoints. */
const app = await startApp();
const calls = creatingCalls();

/** Lists that are answered whole: programs read all and look there. */
const ANSWERED_WHOLE = new Set(['crm.pipelines.create']);

/** Calls whose records stand in no list of their own, and where they are found. */
const WITHIN_OTHERS: Record<string, string> = {
  'attendance.leave_balances.create': 'a grant stands in the balance of its member',
};

const BOTH = ['external_id', 'metadata'];
const both = (members: readonly string[]) => BOTH.filter((name) => members.includes(name));

test('the calls that are named without keys of the client exist, and take none', () => {
  const taking = calls.filter(({ taken }) => both(taken).length > 0).map(({ id }) => id);
  const ids = new Set(calls.map(({ id }) => id));
  for (const id of [...Object.keys({ ...WITHOUT_OWN_KEYS, ...WITHIN_OTHERS }), ...ANSWERED_WHOLE])
    assert.ok(ids.has(id), id);
  assert.deepEqual(
    taking.filter((id) => id in WITHOUT_OWN_KEYS),
    [],
  );
});

const made = calls.filter(({ id }) => !(id in WITHOUT_OWN_KEYS));

for (const { id, taken, shown, changed, list } of made) {
  describe(id, () => {
    test('takes external_id and metadata, and answers them', () => {
      assert.deepEqual(both(taken), BOTH);
      assert.deepEqual(both(shown), BOTH);
    });

    if (id.endsWith('.convert')) return;
    test('has a PATCH that changes them', () => {
      assert.ok(changed, 'no PATCH');
      assert.deepEqual(both(changed), BOTH);
    });

    if (id in WITHIN_OTHERS) return;

    test('has a list that shows them and is looked up by external_id and by the last change', () => {
      assert.ok(list, 'no list');
      assert.deepEqual(both(list.shown), BOTH);
      if (ANSWERED_WHOLE.has(id)) return;
      const needed = ['external_id'];
      if (list.shown.includes('updated_at')) needed.push('updated_after', 'updated_before');
      assert.deepEqual(
        needed.filter((name) => !list.parameters.includes(name)),
        [],
      );
    });
  });
}

/** A text that stands nowhere else: in the ID, and in the key and the text of the metadata. */
const CANARY = 'zqxkanarienvogel';

const own = { external_id: `${CANARY}-1`, metadata: { [CANARY]: `${CANARY} 2` } };

/** Bodies by call; documents and payments are made by `makeAll`, since they need what was made before. */
const BODIES: Record<string, Record<string, unknown>> = {
  'crm.companies.create': { name: '山田商店' },
  'crm.contacts.create': { first_name: '花子', last_name: '山田' },
  'crm.pipelines.create': { name: '営業' },
  'crm.deals.create': { name: '更新' },
  'crm.activities.create': { type: 'note', content: '電話した' },
  'crm.tags.create': { name: '重要' },
  'crm.custom_fields.create': { kind: 'company', key: 'rank', type: 'text' },
  'mail.contacts.create': { email: 'hanako@example.co.jp' },
  'mail.lists.create': { name: '会員' },
  'mail.campaigns.create': { name: '春のお知らせ' },
  'mail.segments.create': { name: '全員', filter: { all: [] } },
  'mail.templates.create': { name: '月刊ニュース' },
  'attendance.members.create': { name: '佐藤 一郎' },
  'attendance.departments.create': { name: '営業部' },
  'attendance.positions.create': { name: '課長' },
  'attendance.schedules.create': { name: '早番', start: '07:00', end: '15:00' },
  'attendance.holidays.create': { date: '2026-12-30', name: '年末休業' },
  'attendance.corrections.create': { work_date: '2026-11-02', sessions: [], reason: '打刻忘れ' },
  'attendance.overtime_requests.create': {
    work_date: '2026-12-01',
    kind: 'after',
    planned_start_at: '2026-12-01T18:00:00+09:00',
    planned_end_at: '2026-12-01T20:00:00+09:00',
    reason: '月次決算のため',
  },
  'attendance.leave_requests.create': { type: 'sick', start_date: '2026-12-01' },
  'attendance.submissions.create': { month: '2026-10', accept_absences: true },
  'attendance.leave_balances.create': { days: 1, granted_on: '2026-04-01' },
  'invoicing.quotations.create': { due_date: '2099-12-31' },
  'invoicing.invoices.create': {},
  'invoicing.delivery_notes.create': {},
  'invoicing.purchase_orders.create': {},
  'accounting.accounts.create': { code: 'C-1', name: '口座', account_type: 'asset' },
  'accounting.documents.create': RECEIPT,
  'accounting.journals.create': {
    date: '2026-04-01',
    lines: [
      { account_code: 'C-1', debit: 100 },
      { account_code: 'C-1', credit: 100 },
    ],
  },
  'cloud.folders.create': { name: '契約書' },
  'cloud.files.create': { name: '契約書.pdf' },
  'sign.documents.create': { title: '業務委託契約書' },
  'forms.forms.create': { title: 'お問い合わせ' },
  'scheduler.event_types.create': { title: '面談', duration_minutes: 30 },
  'scheduler.availability.create': { name: '平日' },
  'scheduler.calendar_events.create': {
    start: '2026-12-01T09:00:00+09:00',
    end: '2026-12-01T12:00:00+09:00',
  },
  ...Object.fromEntries(Object.keys(receivedCalls).map((id) => [id, {}])),
  'invoicing.invoices.payments.create': { amount: 100 },
  'invoicing.deposits.create': { amount: 100, received_on: '2026-05-31' },
  'invoicing.invoices.credit_notes.create': { reason: '返品' },
};

/** Bodies that name what must be there before. */
const BODIES_OF: Record<string, (seller: Seller) => Promise<Record<string, unknown>>> = {
  'scheduler.bookings.create': bookingInput,
  'scheduler.proposals.create': proposalInput,
};

const documentFor = (seller: Seller) => ({
  company_id: seller.company.id,
  issue_date: '2026-04-01',
  line_items: [{ description: 'コーヒー豆', unit_price: '1000' }],
});

const formTexts = (body: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );

/** A body as the call takes it: files come with forms. */
function sent(id: string, body: Record<string, unknown>): unknown {
  if (id === 'cloud.files.create') return formWith('file', formTexts(body));
  if (id !== 'accounting.documents.create') return body;
  return evidenceForm({ bytes: pdfBytes(1), name: '領収書.pdf' }, body);
}

async function bodyOf(id: string, seller: Seller): Promise<Record<string, unknown> | undefined> {
  return BODIES_OF[id] ? BODIES_OF[id](seller) : BODIES[id];
}

/** A record of every kind with the canary in both members; by call, its ID. */
async function makeAll(seller: Seller): Promise<Record<string, string>> {
  const document = documentFor(seller);
  const { id: invoice_id } = await seller.after('invoice', ['approve']);
  await seller.make('/accounting/fiscal-years', { start_date: '2026-01-01', end_date: '2026-12-31' });
  const ids: Record<string, string> = {};
  for (const { id, path, taken } of made.filter(({ id }) => !id.endsWith('.convert'))) {
    assert.ok(BODIES[id] ?? BODIES_OF[id], `${id} has no body here`);
    const needed = taken.includes('line_items') && !path.includes('{id}') ? document : {};
    const place = path.replace('/api/v1', '').replace('{id}', invoice_id);
    const sending = sent(id, { ...needed, ...(await bodyOf(id, seller)), ...own });
    const { body, text, headers } = await seller.post(place, sending);
    const record_id = headers.get('location')?.split('/').at(-1);
    const record = Object.values<Shown>(body).find((one) => one?.id === record_id);
    assert.ok(record_id && record, `${id}: ${text}`);
    assert.deepEqual([record.external_id, record.metadata], [own.external_id, own.metadata], id);
    ids[id] = record.id;
  }
  return ids;
}

/** Searches of records that guests make, or that follow from contacts, which have no keys. */
const WITHOUT_KEYS: ReadonlySet<string> = new Set([
  '/api/v1/forms/{id}/responses',
  '/api/v1/mail/campaigns/{id}/recipients',
]);

describe('what a program keeps with a record of any kind', () => {
  test('is found by no search', async () => {
    const seller = await newSeller(app);
    await makeAll(seller);
    const searches = Object.entries(openApi().paths as Record<string, Searched>).flatMap(([path, { get }]) =>
      (get?.parameters ?? []).flatMap(({ name }) =>
        (name === 'search' || name === 'q') && !WITHOUT_KEYS.has(path)
          ? [`${path.replace('/api/v1', '')}?${name}`]
          : [],
      ),
    );
    assert.ok(searches.includes('/crm/search?q') && searches.includes('/invoices?search'), searches.join());
    for (const search of searches) {
      for (const text of [own.external_id, CANARY]) {
        const reply = await seller.get(`${search}=${text}`);
        assert.equal(reply.status, 200, reply.text);
        assert.ok(!reply.text.includes(CANARY), `${search} found ${reply.text}`);
      }
    }
    // The same search finds what is no canary, so that none of this is empty by itself.
    const found = await seller.get(`/crm/companies?search=${encodeURIComponent('山田商店')}`);
    assert.ok(found.text.includes(CANARY));
  });

  test('stands in no mail of a document', async () => {
    const seller = await newSeller(app);
    const ids = await makeAll(seller);
    const documents = Object.entries(ids).filter(
      ([id]) => id.startsWith('invoicing.') && !/payments|deposits/.test(id),
    );
    assert.equal(documents.length, 5);
    for (const [call, id] of documents) {
      const kind = call.split('.').at(-2)!.replaceAll('_', '-');
      if (kind === 'invoices') await seller.act('invoice', id, 'approve');
      if (kind === 'delivery-notes') await seller.act('delivery_note', id, 'deliver');
      const sent = await seller.post(`/${kind}/${id}/send-email`, { to: ['hanako@example.co.jp'] });
      assert.equal(sent.status, 202, sent.text);
      await makePdf(app, seller.organization_id, id);
      const [letter] = await lettersAbout(app, 'invoicing.document', id);
      assert.ok(letter, kind);
      assert.ok(!JSON.stringify(letter).includes(CANARY), kind);
    }
  });
});

describe('a refusal for a key in use', () => {
  test('names the record that has it for those who may read it alone', async () => {
    const seller = await newSeller(app);
    const ids = await makeAll(seller);
    const { organization_id } = seller;
    const scopes = [
      'crm:write',
      'mail:write',
      'attendance:write',
      'invoicing:write',
      'received:write',
      'accounting:write',
      'cloud:write',
      'scheduler:write',
      'sign:write',
      'forms:write',
      'settings:write',
    ] as const;
    const writer = await app.actor({ organization_id, scopes: [...scopes] });
    const document = documentFor(seller);
    for (const { id, path, taken } of made.filter(({ id }) => ids[id])) {
      // Another name, so that only the ID is in use.
      const others = { name: 'もう一つ', key: 'other', code: 'C-2', date: '2026-12-31', month: '2026-09' };
      const name = Object.fromEntries(Object.entries(others).filter(([member]) => taken.includes(member)));
      const needed = taken.includes('line_items') ? document : {};
      const body = { ...(await bodyOf(id, seller)), ...needed, ...name, ...own };
      const place = path.replace('/api/v1', '').replace('{id}', ids['invoicing.invoices.create']!);
      if (path.includes('{id}')) continue;
      for (const [client, expected] of [
        [seller, ids[id]],
        [writer, null],
      ] as const) {
        const reply = await client.post(place, sent(id, body));
        assert.deepEqual([reply.status, reply.body.existing_id], [409, expected], `${id}: ${reply.text}`);
      }
    }
    const again = await writer.post('/mail/contacts', BODIES['mail.contacts.create']!);
    assert.deepEqual(
      [again.body.code, again.body.existing_id, again.body.contact_id],
      ['already_exists', null, null],
    );
  });
});

type Shown = { id: string; external_id: string; metadata: object } | null;

type Searched = { get?: { parameters?: { name?: string }[] } };
