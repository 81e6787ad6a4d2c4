import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { mailboxFolder } from '../../shared/platform/mailer/mailbox.ts';
import { monthOfWork } from '../../start/story/attendance/story.ts';
import { caller } from '../../start/story/caller.ts';
import { addressed } from '../../start/story/campaigns.ts';
import { teller } from '../../start/story/teller.ts';
import { startApp } from '../support/app.ts';
import { readPdf } from '../support/rendering.ts';
import { sealP12 } from '../support/seal-p12.ts';
import { startWorkers } from '../support/workers.ts';

const seal = await sealP12();
const app = await startApp({ environment: seal });
const own = {
  ...seal,
  DATABASE_URL: app.database_url,
  DATA_DIR: app.context.settings.dataDir,
  BASE_URL: app.base_url,
};
await startWorkers(own, [
  '--queues',
  'email,campaign,pdf-render,report-export,csv-import,signing-reminder,storage',
]);
const folder = mkdtempSync(join(tmpdir(), 'sale-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** npm run demo, as a person would. */
function demo(words: string[], environment: Record<string, string> = {}) {
  const command = resolve(import.meta.dirname, '../../start/story-command.ts');
  const env = { ...process.env, ...environment };
  return promisify(execFile)(process.execPath, [command, ...words], { env });
}

describe('the story of a sale', () => {
  test('is told to its end, by a company founded for it, and leaves the documents as PDF', async () => {
    const { stdout } = await demo(['--url', app.base_url, '--folder', folder]);
    assert.match(stdout, /200 INV-2\d{3}-0001, sent: ¥172,272, ¥13,272 of it tax/);
    assert.match(
      stdout,
      /201 CN-2\d{3}-0001, issued: ¥4,536, ¥336 of it tax; the invoice: partially_paid, ¥67,736/,
    );
    assert.match(stdout, /200 paid, ¥0 to be paid/);
    assert.match(stdout, /200 1 paid, 0 outstanding, ¥167,736 collected/);
    assert.match(
      stdout,
      /invoice\.created\s+conversion\.completed.+invoice\.approved\s+invoice\.sent.+invoice\.paid/s,
    );
    const texts = readdirSync(folder)
      .sort()
      .map((name) => [name, readPdf(readFileSync(join(folder, name))).text()] as const);
    const expected: [string, RegExp][] = [
      ['1 quotation, draft.pdf', /下書き/],
      ['2 quotation.pdf', /QUO-2\d{3}-0001/],
      ['3 delivery note.pdf', /DN-2\d{3}-0001/],
      ['4 delivery note.pdf', /▲3,000/],
      ['5 purchase order.pdf', /港南包装株式会社/],
      ['6 invoice.pdf', /¥172,272/],
      ['7 credit note.pdf', /袋の破損のため/],
    ];
    assert.deepEqual(
      texts.map(([name]) => name),
      expected.map(([name]) => name),
    );
    for (const [place, [name, words]] of expected.entries()) assert.match(texts[place]![1], words, name);
  });

  test('is told in the organization of a key that is named', async () => {
    const owner = await app.actor();
    await demo(['--mine', '--url', app.base_url, '--folder', folder], { API_KEY: owner.actor.secret });
    const { items } = (await owner.get('/invoices?limit=10')).body;
    assert.deepEqual(
      items.map(({ status, balance }: { status: string; balance: number }) => [status, balance]),
      [['paid', 0]],
    );
  });

  const nowhere: [string, string[], Record<string, string>, string][] = [
    ['--url', ['--url', 'http://127.0.0.1:9'], { PORT: '8' }, 'http://127.0.0.1:9'],
    ['BASE_URL', [], { BASE_URL: 'http://127.0.0.1:9/', PORT: '8' }, 'http://127.0.0.1:9'],
    ['PORT', [], { BASE_URL: '', PORT: '9' }, 'http://localhost:9'],
  ];
  for (const [name, words, environment, url] of nowhere) {
    test(`ends with a sentence where nothing answers at its ${name}`, async () => {
      await assert.rejects(demo(words, environment), (error: { code: number; stderr: string }) => {
        assert.equal(error.code, 1);
        assert.equal(error.stderr, `The service does not answer at ${url}: start it with npm start.\n`);
        return true;
      });
    });
  }
});

describe('the story of a month', () => {
  test('is told to its end, and leaves the invoices as one zip and three transfers to decide on', async () => {
    const { stdout } = await demo(['month', '--url', app.base_url, '--folder', folder]);
    assert.match(stdout, /300 drafts of 750 rows, 0 of them with a fault/);
    assert.match(stdout, /297 match\b/);
    assert.match(stdout, /3 no_match/);
    assert.match(stdout, /200 3 companies owe/);
    assert.ok(readdirSync(folder).includes('invoices.zip'));
  });
});

describe('the story of the books', () => {
  test('is told to its end, leaves the reports as files, and hledger agrees', async () => {
    const { stdout } = await demo(['books', '--url', app.base_url, '--folder', folder]);
    assert.match(stdout, /unposted_entries: 1/);
    assert.match(stdout, /FY2\d{3} is closed by no\. \d+; FY2\d{3} has begun/);
    assert.match(stdout, /assets ¥[\d,]+, balanced: true/);
    assert.match(stdout, /hledger has the same balance on each of \d+ accounts\./);
    for (const name of ['1 trial-balance.pdf', '4 cash-flow-statement.pdf', '6 journal-book.pdf']) {
      assert.match(readPdf(readFileSync(join(folder, name))).text(), /株式会社青葉珈琲/, name);
    }
  });
});

describe('the story of the files', () => {
  test('is told to its end, and its share is read without an account', async () => {
    const { stdout } = await demo(['files', '--url', app.base_url, '--folder', folder]);
    assert.match(stdout, /200 restricted: manager is editor/);
    assert.match(
      stdout,
      /201 業務委託契約書\.txt, version 1, SHA-256 ([0-9a-f]{64})\n.+version 3, SHA-256 \1\n/s,
    );
    assert.match(stdout, /200 1 linked: 請求書_.+\.pdf, application\/pdf/);
    const [, url] = /201 (http\S+\/s\/[0-9a-f]+\/)/.exec(stdout)!;
    const page = await (await fetch(url!)).text();
    assert.match(page, /請求書_.+\.pdf/);
    assert.doesNotMatch(page, /契約書/);
  });
});

/** The mail of a telling before, with a link that opens nothing of this one. */
function leaveMail(data_dir: string): void {
  const file = join(mailboxFolder(data_dir), 'mail_01m8crh4tpe539gar1gvxx4b5f.eml');
  const head = 'From: a@aoba.example.jp\r\nTo: order@konan.example.jp\r\nSubject: before\r\n\r\n';
  mkdirSync(mailboxFolder(data_dir), { recursive: true });
  writeFileSync(file, `${head}https://example.jp/sign/${'x'.repeat(43)}\r\n`);
}

describe('the story of signing', () => {
  test('is told to its end: signed, approved, sealed, and not what was sealed with a line more', async () => {
    const words = ['sign', '--url', app.base_url, '--folder', folder];
    leaveMail(own.DATA_DIR);
    const { stdout } = await demo(words, { DATA_DIR: own.DATA_DIR });
    assert.match(stdout, /200 港南 次郎 has signed/);
    assert.match(stdout, /200 青葉 花子 has signed/);
    assert.match(stdout, /file=@signed order\.pdf\n.*200 valid\n.*with a line more\n.*200 modified\n/s);
    assert.match(readPdf(readFileSync(join(folder, 'signed order.pdf'))).text(), /注文書/);
  });
});

describe('the story of received documents', () => {
  test('is told to its end: refused, corrected, booked, paid and proven', async () => {
    const { stdout } = await demo(['received', '--url', app.base_url, '--folder', folder]);
    assert.match(stdout, /200 confirmed: 38 of 40 ペーパーフィルター/);
    assert.match(stdout, /409 duplicate_document/);
    assert.match(stdout, /409 match_failed/);
    assert.match(stdout, /200 .+, approved: ¥26,532, ¥2,412 of it tax; match: matched/);
    assert.match(stdout, /200 no\. 1: 仕入高 ¥24,120, 仮払消費税等 ¥2,412, 買掛金 -¥26,532\n/);
    assert.match(stdout, /201 transitional: ¥[\d,]+ of ¥10,000 tax may be deducted/);
    assert.match(stdout, /200 1 transfer of ¥26,532, SHA-256 [0-9a-f]{64}\n/);
    assert.match(stdout, /409 in_transfer_file/);
    assert.match(stdout, /200 paid; ¥25,982 reach the supplier\n/);
    assert.match(stdout, /200 in all ¥0\n/);
    assert.match(stdout, /200 ok: true, \d+ entries, 2 files\n/);
    assert.match(readPdf(readFileSync(join(folder, '1 invoice.pdf'))).text(), /Total 26,532 yen/);
    assert.equal(readFileSync(join(folder, '2 transfers.txt')).length, 4 * 122);
  });
});

describe('the story of forms', () => {
  test('is told to its end: judged, flagged, taken back, published again and summed up', async () => {
    const { stdout } = await demo(['forms', '--url', app.base_url, '--folder', folder]);
    assert.match(stdout, /422 .*\/data\/model required/);
    assert.match(stdout, /201 stored: \{"kind":"new","seats":"12"\}; dropped: model\n/);
    assert.match(stdout, /200 1 flagged: honeypot\n/);
    assert.match(stdout, /200 taken back; 3 responses, 0 flagged\n/);
    assert.match(stdout, /200 published, version 2\n/);
    assert.match(stdout, /200 4 responses: new 2 \(50\.0 %\), repair 2 \(50\.0 %\)\n/);
    const lines = readFileSync(join(folder, '1 responses.csv'), 'utf8').trim().split('\r\n');
    assert.equal(lines.length, 5);
    const [, page] = /The form for guests: (\S+)\n/.exec(stdout)!;
    assert.match(await (await fetch(page!)).text(), /ご用件/);
  });
});

describe('the story of attendance', () => {
  test('is told to its end, and leaves the days, the months and a timesheet a member', async () => {
    const { stdout } = await demo(['attendance', '--url', app.base_url, '--folder', folder]);
    assert.match(stdout, /201 22:00 to 07:00, 480 minutes/);
    assert.match(stdout, /409 submission_blocked: missing_clock_out on \d{4}-\d{2}-\d{2}\n/);
    assert.match(stdout, /200 480 minutes worked, 1 revision, 3 punches as they were/);
    assert.match(stdout, /completed: \d+ days of \d+ rows.+unknown_employee in 社員番号/s);
    assert.match(stdout, /22:00 to 00:00 scheduled, night\n.+00:00 to 02:00 legal_holiday, night\n/);
    assert.match(stdout, /200 200, 200, 200\n.+409 month_locked/s);
    const days = readFileSync(join(folder, '1 days.csv'), 'utf8');
    assert.match(days, /^\ufeff社員番号,氏名,部署,役職,日付,/);
    const months = readFileSync(join(folder, '2 months.csv'), 'utf8').trim().split('\r\n');
    assert.equal(months.length, 4);
    const pages = readPdf(readFileSync(join(folder, '3 timesheets.pdf'))).layout();
    for (const [place, name] of ['佐藤 健', '田中 美咲', '鈴木 一郎'].entries()) {
      assert.ok(pages[place]!.includes(name) && pages[place]!.includes('確定'), pages[place]!);
    }
    assert.equal(pages.length, 3);
  });

  // The shortest month, the year's end with its holidays, a leap day, Golden Week, and the first of a month.
  const days = ['2026-03-31', '2026-01-01', '2026-02-10', '2024-03-01', '2026-06-30', '2026-10-01'];
  for (const [today, closing_day] of [...days.map((day) => [day, 'end']), ['2026-05-15', 20]] as const) {
    test(`is told as on ${today}, where periods end at ${closing_day}`, async () => {
      const owner = await app.actor();
      const settings = { closing_day, effective_from: '2020-01-01' };
      assert.equal((await owner.patch('/attendance/settings', settings)).status, 200);
      const credential = { Authorization: `Bearer ${owner.actor.secret}` };
      const lines: string[] = [];
      const tell = teller((line) => lines.push(line), { colour: false });
      const api = caller({ url: app.base_url, folder, credential }, tell);
      const { office, month } = await monthOfWork(api, tell, { today: `${today}`, tag: 'A' });
      const of = `/attendance/submissions?department_id=${office.department_id}`;
      assert.deepEqual(
        (await owner.get(of)).body.items.map((one: Record<string, string>) => [one['month'], one['status']]),
        Array.from({ length: 3 }, () => [month.month, 'confirmed']),
      );
      assert.match(lines.join('\n'), /A-1.+legal_holiday, night.+200 200, 200, 200.+409 month_locked/s);
    });
  }
});

describe('the story of bookings', () => {
  test('is told to its end, and prints the addresses of the pages', async () => {
    const { stdout } = await demo(['scheduler', '--url', app.base_url, '--folder', folder]);
    assert.match(stdout, /409 /);
    assert.match(stdout, /accepted: 2/);
    for (const [page] of stdout.matchAll(/http:\/\/\S+\/(?:p|b|pr)\/\S+/g)) {
      assert.equal((await fetch(page, { headers: { Accept: 'text/html' } })).status, 200, page);
    }
  });
});

describe('the story of a campaign', () => {
  test('is sent to those who agreed, and leaves the file of its recipients', async () => {
    const own_folder = mkdtempSync(join(tmpdir(), 'campaigns-'));
    const { stdout } = await demo(['campaigns', '--url', app.base_url, '--folder', own_folder]);
    assert.match(stdout, /ok: true; 2 of 3 get it; no_consent 1/);
    assert.match(stdout, /sent: 3 recipients, of whom 2 sent, 0 failed, 1 skipped, 0 unknown/);
    const file = readFileSync(join(own_folder, '1 recipients.csv'), 'utf8');
    rmSync(own_folder, { recursive: true });
    assert.equal(file.match(/-[0-9a-f]{6}@example\.jp/g)?.length, 3);
  });

  test('leaves the sender that an organization has as it is, and completes it', async () => {
    const owner = await app.actor();
    const own = { sender_name: '山田商店', default_from_email: 'office@yamada.example.jp' };
    assert.equal((await owner.patch('/mail/settings', own)).status, 200);
    const credential = { Authorization: `Bearer ${owner.actor.secret}` };
    const tell = teller(() => undefined, { colour: false });
    await addressed(caller({ url: app.base_url, folder, credential }, tell), tell, 'own');
    const { settings } = (await owner.get('/mail/settings')).body;
    assert.deepEqual(
      [settings.sender_name, settings.default_from_email, settings.sender_contact],
      [own.sender_name, own.default_from_email, '03-1234-5678'],
    );
  });
});
