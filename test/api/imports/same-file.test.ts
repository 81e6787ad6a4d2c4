import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { importedDeposits, statement } from '../../support/deposit-imports.ts';
import { documentsOf, importedDocuments, revertedDocuments } from '../../support/document-imports.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { formWith } from '../../support/uploads.ts';
import { startWorkers } from '../../support/workers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'csv-import',
]);

/** Two invoices, or two quotations, with nothing that they could be known by. */
const FILE = [
  '取引先名,発行日,品名,単価',
  '株式会社山田商店,2026-04-30,コーヒー豆,1000',
  '株式会社山田商店,2026-04-30,菓子,500',
].join('\r\n');

async function previewed(
  seller: Seller,
  path: string,
  content: string,
  headers?: Record<string, string>,
): Promise<Shown> {
  const reply = await seller.post(`${path}/import/preview`, formWith(content), headers);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.preview;
}

async function begun(seller: Seller, path: string, content: string, fields = {}): Promise<Shown> {
  const reply = await seller.post(`${path}/import`, formWith(content, fields));
  assert.equal(reply.status, 202, reply.text);
  return reply.body.import;
}

/** What was only looked at or tried is no second import: nobody is told to undo one of two. */
function assertNothingToUndo(warnings: Shown[]): void {
  for (const { message } of warnings) assert.doesNotMatch(message, /undo|取り消/);
}

const codesOf = ({ warnings }: Shown): string[] => warnings.map(({ code }: Shown) => code);

describe('a file that came in before', () => {
  test('is told by the preview and the import, in both languages, and is taken', async () => {
    const seller = await newSeller(app);
    const fresh = await previewed(seller, '/invoices', FILE);
    assert.deepEqual([fresh.same_file_as, fresh.warnings], [[], []]);
    const first = await importedDocuments(seller, 'invoice', FILE);
    assert.deepEqual([first.same_file_as, first.warnings], [[], []]);

    const preview = await previewed(seller, '/invoices', FILE);
    const [warning] = preview.warnings;
    assert.deepEqual(preview.same_file_as, [first.id]);
    assert.deepEqual([preview.warnings.length, warning.row, warning.code], [1, null, 'duplicate_file']);
    assert.ok(warning.message.startsWith(`This file came in before, as ${first.id}: `), warning.message);
    const japanese = await previewed(seller, '/invoices', FILE, { 'accept-language': 'ja' });
    assert.ok(japanese.warnings[0].message.startsWith(`このファイルは ${first.id} として取り込み済みです`));
    assertNothingToUndo([warning, japanese.warnings[0]]);

    const second = await importedDocuments(seller, 'invoice', FILE);
    assert.deepEqual(second.same_file_as, [first.id]);
    assert.deepEqual(codesOf(second), ['duplicate_file']);
    const [{ message }] = second.warnings;
    assert.ok(message.startsWith(`This file came in before, as ${first.id}: `), message);
    assert.match(message, /undo one of the two imports/);
    const { body } = await seller.get('/invoices/imports', { 'accept-language': 'ja' });
    const listed = body.items.find(({ id }: Shown) => id === second.id);
    assert.deepEqual(listed.same_file_as, [first.id]);
    const told = listed.warnings[0].message;
    assert.ok(told.startsWith(`このファイルは ${first.id} として取り込み済みです`), told);
    assert.match(told, /どちらか一方のインポートを取り消してください/);
    assert.equal((await documentsOf(seller, 'invoice')).length, 4);

    const other = await previewed(seller, '/invoices', `${FILE}\r\n`);
    assert.deepEqual([other.same_file_as, other.warnings], [[], []]);
  });

  test('is told without a warning where its rows are known again', async () => {
    const seller = await newSeller(app);
    const keyed =
      'number,company_name,issue_date,description,unit_price\nA-1,株式会社山田商店,2026-04-30,豆,1';
    const invoices = await importedDocuments(seller, 'invoice', keyed);
    const again = await previewed(seller, '/invoices', keyed);
    assert.deepEqual([again.same_file_as, again.warnings], [[invoices.id], []]);

    const lines = statement('2026/5/29,ｽｽﾞｷ,,5000');
    const deposits = await importedDeposits(seller, lines);
    const preview = await previewed(seller, '/deposits', lines);
    assert.deepEqual([preview.same_file_as, preview.warnings], [[deposits.id], []]);
  });

  test('is no word of an organization or a kind to another', async () => {
    const seller = await newSeller(app);
    await importedDocuments(seller, 'invoice', FILE);
    const neighbour = await newSeller(app);
    for (const [who, path] of [
      [neighbour, '/invoices'],
      [seller, '/quotations'],
    ] as const) {
      const preview = await previewed(who, path, FILE);
      assert.deepEqual([preview.same_file_as, preview.warnings], [[], []], path);
      const made = await begun(who, path, FILE);
      assert.deepEqual([made.same_file_as, made.warnings], [[], []], path);
    }
  });

  test('is forgotten once it was undone, unless something was left', async () => {
    const seller = await newSeller(app);
    const first = await importedDocuments(seller, 'invoice', FILE);
    await revertedDocuments(seller, 'invoice', first.id);
    assert.deepEqual((await previewed(seller, '/invoices', FILE)).same_file_as, []);

    const second = await importedDocuments(seller, 'invoice', FILE);
    assert.deepEqual([second.same_file_as, second.warnings], [[], []]);
    const [{ id }] = await documentsOf(seller, 'invoice');
    assert.equal((await seller.act('invoice', id, 'approve')).status, 200);
    const { revert } = await revertedDocuments(seller, 'invoice', second.id);
    assert.equal(revert.left_count, 1);
    assert.deepEqual((await previewed(seller, '/invoices', FILE)).same_file_as, [second.id]);
  });

  test('counts neither where it was only tried nor where all of its rows had faults', async () => {
    const seller = await newSeller(app);
    await importedDocuments(seller, 'invoice', FILE, { dry_run: 'true' });
    const unknown = FILE.replaceAll('株式会社山田商店', '株式会社佐藤工業');
    const faulty = await importedDocuments(seller, 'invoice', unknown);
    assert.deepEqual([faulty.processed_rows, faulty.error_count], [2, 2]);
    for (const content of [FILE, unknown])
      assert.deepEqual((await previewed(seller, '/invoices', content)).same_file_as, []);

    const real = await importedDocuments(seller, 'invoice', FILE);
    assert.deepEqual(real.same_file_as, []);
    const tried = await begun(seller, '/invoices', FILE, { dry_run: 'true' });
    assert.deepEqual([tried.same_file_as, codesOf(tried)], [[real.id], ['duplicate_file']]);
    const japanese = await seller.get(`/invoices/imports/${tried.id}`, { 'accept-language': 'ja' });
    const [told] = japanese.body.import.warnings;
    assert.ok(told.message.startsWith(`このファイルは ${real.id} として取り込み済みです`), told.message);
    assertNothingToUndo([...tried.warnings, told]);
  });

  test('names the five newest, the newest first, also those that have not begun', async () => {
    const seller = await newSeller(app);
    const ids: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const made = await begun(seller, '/quotations', FILE);
      assert.deepEqual(made.same_file_as, ids.slice(-5).toReversed());
      ids.push(made.id);
    }
    assert.deepEqual((await previewed(seller, '/quotations', FILE)).same_file_as, ids.slice(1).toReversed());
  });

  test('is told to one of two that are asked for at one moment', async () => {
    const seller = await newSeller(app);
    const made = await Promise.all([1, 2, 3].map(() => begun(seller, '/invoices', FILE)));
    const ids = made.map(({ id }) => id);
    const known = made.map(({ same_file_as }) => same_file_as.length).toSorted();
    assert.deepEqual(known, [0, 1, 2]);
    assert.ok(made.every(({ same_file_as }) => same_file_as.every((id: string) => ids.includes(id))));
  });
});

describe('rows that are made anew each time', () => {
  const kinds: [path: string, anew: string, known: string[], fields?: Record<string, string>][] = [
    [
      '/crm/companies',
      '会社名\n佐藤工業',
      ['会社名,法人番号\n佐藤工業,7000012050002', '会社名,外部ID\n佐藤工業,S-1'],
    ],
    [
      '/crm/contacts',
      '姓,名,メールアドレス\n山田,花子,hanako@example.co.jp',
      ['姓,名,外部ID\n山田,花子,C-1'],
    ],
    ['/crm/deals', '案件名\n更新', ['案件名,外部ID\n更新,D-1']],
    ['/mail/contacts', '', ['email\nhanako@example.co.jp']],
  ];

  for (const [path, anew, known] of kinds) {
    test(`are warned of in files for ${path}`, async () => {
      const seller = await newSeller(app);
      for (const content of anew === '' ? known : [anew, ...known]) {
        const { id } = await begun(seller, path, content);
        const preview = await previewed(seller, path, content);
        assert.deepEqual(preview.same_file_as, [id]);
        assert.deepEqual(codesOf(preview), content === anew ? ['duplicate_file'] : [], content);
      }
    });
  }

  test('are none of a file of contacts that are found by their addresses', async () => {
    const seller = await newSeller(app);
    const content = '姓,名,メールアドレス\n山田,花子,hanako@example.co.jp';
    const { id } = await begun(seller, '/crm/contacts', content, { match_by: 'email' });
    const again = await begun(seller, '/crm/contacts', content, { match_by: 'email' });
    assert.deepEqual([again.same_file_as, again.warnings], [[id], []]);
  });

  test('are all rows of a journal book', async () => {
    const client = await newSeller(app);
    const content =
      '日付,伝票番号,勘定科目コード,借方,貸方\n2026-04-01,1,6310,1000,\n2026-04-01,1,1110,,1000\n';
    const { id } = await begun(client, '/accounting/journals', content);
    const again = await begun(client, '/accounting/journals', content);
    assert.deepEqual([again.same_file_as, codesOf(again)], [[id], ['duplicate_file']]);
  });
});
