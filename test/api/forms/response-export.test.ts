import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { exported, startExportWorkers } from '../../support/exports.ts';
import { schemaWith, seedForm, seedResponses } from '../../support/many-responses.ts';

const app = await startApp();
await startExportWorkers(app);
const client = await app.actor();

const choice = (id: string, options: Record<string, string>) => ({
  id,
  type: 'choice',
  label: '用件',
  allow_other: true,
  options: Object.entries(options).map(([id, label]) => ({ id, label })),
});
const kind = (options: Record<string, string>) => choice('kind', options);
const several = { ...kind({ a: 'あ', b: 'い; う' }), id: 'several', type: 'multi_choice', label: '=複数' };
const grid = {
  id: 'grid',
  type: 'matrix',
  label: '評価',
  rows: [
    { id: 'speed', label: '速さ' },
    { id: 'price', label: '値段' },
  ],
  columns: [
    { id: 'good', label: '良い' },
    { id: 'bad', label: '悪い' },
  ],
};
const schemas = [
  schemaWith([kind({ old: '旧' }), { id: 'gone_first', type: 'short_text', label: '用件' }]),
  schemaWith([kind({ repair: '修理（旧）' }), { id: 'gone_last', type: 'number', label: '台数' }]),
  schemaWith(
    [
      several,
      kind({ repair: '修理', other_one: '別' }),
      { id: 'who', type: 'name', label: 'お名前' },
      grid,
      { id: 'agreed', type: 'yes_no', label: { ja: '同意', en: 'Agreed' } },
      { id: 'note', type: 'statement', label: '説明', text: '説明' },
    ],
    { hidden: ['campaign'], scores: [{ name: 'fit', initial: 0, add: [] }] },
  ),
];
const { form_id } = await seedForm(app.database, client.actor, schemas);
const answers = [
  { form_version: 1, data: { kind: 'old', gone_first: '=SUM(A1)' } },
  { form_version: 2, data: { kind: 'repair', gone_last: '-3' } },
  {
    form_version: 3,
    data: {
      several: ['a', 'b', { other: '+そ\nの他' }],
      kind: { other: '@相談, "急ぎ"' },
      who: { last_name: '佐藤', first_name: '花子' },
      grid: { speed: 'good', price: 'bad' },
      agreed: false,
    },
    hidden: { campaign: '-spring' },
    scores: { fit: '-1.5' },
    ending_id: 'thanks',
  },
  { form_version: 3, data: { several: ['a'] }, is_spam: true },
];
const ids = await seedResponses(
  app.database,
  client.actor,
  { form_id, fields: [] },
  answers.length,
  (n) => answers[n]!,
);
const PATH = `/forms/${form_id}/responses`;

/** The cells of a file as Python reads them. */
function readByPython(bytes: Buffer, encoding: string): string[][] {
  const program = `import csv, io, json, sys
text = sys.stdin.buffer.read().decode('${encoding}')
json.dump(list(csv.reader(io.StringIO(text, newline=''))), sys.stdout)`;
  return JSON.parse(execFileSync('python3', ['-c', program], { input: bytes, encoding: 'utf8' }));
}

describe('202: the responses of a form as a file', () => {
  test('have a column for each field of all versions, and read back as they were given', async () => {
    const { bytes, job } = await exported(app, client, PATH, { header: 'both' });
    const [labels, names, ...rows] = readByPython(bytes, 'utf-8-sig');
    assert.deepEqual(names, [
      'response_id',
      'submitted_at',
      'form_version',
      'source',
      'locale',
      'ending_id',
      'status',
      'campaign',
      'fit',
      'several',
      'kind',
      'who.last_name',
      'who.first_name',
      'grid.speed',
      'grid.price',
      'agreed',
      'gone_last',
      'gone_first',
    ]);
    assert.deepEqual(labels!.slice(9), [
      "'=複数",
      '用件 [kind]',
      'お名前 - 姓',
      'お名前 - 名',
      '評価 - 速さ',
      '評価 - 値段',
      '同意',
      '台数',
      '用件 [gone_first]',
    ]);
    const { body } = await client.get(PATH);
    const times = body.items.map(({ submitted_at }: { submitted_at: string }) => submitted_at);
    const own = (n: number, place: number, ending = '') => [
      ids[n],
      times[place],
      String(answers[n]!.form_version),
      'public',
      'ja',
      ending,
      'open',
    ];
    assert.deepEqual(rows, [
      [
        ...own(2, 0, 'thanks'),
        "'-spring",
        '-1.5',
        'あ; い; う; +そ\nの他',
        '\'@相談, "急ぎ"',
        '佐藤',
        '花子',
        '良い',
        '悪い',
        'いいえ',
        '',
        '',
      ],
      [...own(1, 1), '', '', '', '修理', '', '', '', '', '', '-3', ''],
      [...own(0, 2), '', '', '', '旧', '', '', '', '', '', '', "'=SUM(A1)"],
    ]);
    assert.equal(job.kind, 'forms.responses.export');
    assert.equal(job.result!['rows'], 3);
  });

  test('with IDs, with spam, of what the filters leave, in the encoding that was asked for', async () => {
    const { bytes } = await exported(app, client, PATH, {
      header: 'ids',
      values: 'ids',
      is_spam: 'all',
      form_version: 3,
      status: 'open,in_progress',
      encoding: 'shift_jis',
      line_ending: 'lf',
    });
    assert.ok(!bytes.includes('\r'));
    const [names, ...rows] = readByPython(bytes, 'cp932');
    assert.equal(names![7], 'is_spam');
    assert.deepEqual(
      rows.map((row) => [row[0], row[7], row[10], row[14], row[16]]),
      [
        [ids[3], 'true', 'a', '', ''],
        [ids[2], 'false', 'a; b; +そ\nの他', 'good', 'false'],
      ],
    );
  });

  test('of a form without any have the header alone', async () => {
    const empty = await seedForm(app.database, client.actor, [schemas[0]!]);
    const { bytes } = await exported(app, client, `/forms/${empty.form_id}/responses`, { encoding: 'utf-8' });
    assert.match(bytes.toString(), /^response_id,.*,用件 \[kind\],用件 \[gone_first\]\r\n$/);
  });
});

test('422 and 404: a field that no version has; a form of another organization', async () => {
  const unknown = await client.post(`${PATH}/export`, { field: 'nothing', value: 'x' });
  assert.equal(unknown.status, 422);
  assert.equal(unknown.body.errors[0].path, '/field');
  const stranger = await app.actor();
  assert.equal((await stranger.post(`${PATH}/export`, {})).status, 404);
});

test('202: more columns than PostgreSQL sends at once, of 200 matrices', async () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({ id: `r${n}`, label: `行${n}` }));
  const columns = [{ id: 'good', label: '"良い", =1' }];
  const matrices = Array.from({ length: 200 }, (_, n) => ({
    id: `m${n}`,
    type: 'matrix',
    label: '表',
    rows,
    columns,
  }));
  const wide = await seedForm(app.database, client.actor, [
    schemaWith(matrices),
    schemaWith([{ id: 'text', type: 'short_text', label: '文' }, ...matrices.slice(1)]),
  ]);
  const text = '=一行目\n"二"\u0001\u0001行目\u0002';
  const data = { text, m0: { r0: 'good' }, m199: { r19: 'good' } };
  await seedResponses(app.database, client.actor, { ...wide, fields: [] }, 2, (n) => ({
    data: n === 0 ? { m1: { r1: 'good' } } : data,
  }));
  const { bytes, job } = await exported(app, client, `/forms/${wide.form_id}/responses`, { header: 'ids' });
  const [names, first, second] = readByPython(bytes, 'utf-8-sig');
  assert.equal(names!.length, 7 + 1 + 200 * 20);
  const cell = (row: string[], name: string) => row[names!.indexOf(name)];
  assert.match(cell(first!, 'submitted_at')!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(cell(first!, 'text'), `'${text}`);
  for (const name of ['m0.r0', 'm199.r19']) assert.equal(cell(first!, name), '"良い", =1');
  assert.equal(first!.filter((value) => value === '"良い", =1').length, 2);
  assert.equal(cell(second!, 'm1.r1'), '"良い", =1');
  assert.equal(job.result!['rows'], 2);
});
