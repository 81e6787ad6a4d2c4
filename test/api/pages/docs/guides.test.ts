import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { guideNames } from '../../../../api/pages/docs/guides.ts';
import { sealFile } from '../../../../shared/sign/sealing/sealed-file.ts';
import { stampAuthorityOf } from '../../../../shared/sign/sealing/stamping.ts';
import { startApp } from '../../../support/app.ts';
import { pdfOfPages } from '../../../support/made-pdfs.ts';
import { testSealKey } from '../../../support/seal-keys.ts';
import { announcedErrors, blocksIn, runShell } from '../../../support/shell-blocks.ts';
import { startStampAuthority } from '../../../support/stamp-authority.ts';
import { until } from '../../../support/until.ts';
import { startWorkers } from '../../../support/workers.ts';

const app = await startApp({ environment: { RATE_LIMIT_PER_MINUTE: '1200' } });
const { dataDir } = app.context.settings;
// A document for signing needs the key of an embedded installation, and its mails lead to this service.
app.context.settings.embeddedDatabase = true;
await startWorkers({
  DATABASE_URL: app.database_url,
  DATA_DIR: dataDir,
  BASE_URL: app.base_url,
  EMBEDDED_DATABASE: 'true',
});
const guide = (name: string) =>
  readFileSync(resolve(import.meta.dirname, `../../../../docs/guides/${name}.md`), 'utf8').replaceAll(
    'http://localhost:3000',
    app.base_url,
  );

/** Guides to rules, which have figures and no commands. */
const WITHOUT_COMMANDS = [
  'how-a-day-is-classified',
  'leave',
  'booking-transitions',
  'sign-transitions',
  'form-transitions',
  'campaign-transitions',
  'calendars',
];

/** Guides of which one goes on from the other: they are run together below. */
const TOGETHER = ['signing', 'verifying-signed-documents'];

/** Guides that are run below, where more is looked at than their answers' statuses. */
const RUN_BELOW = [...TOGETHER, 'received'];

describe('every command of the guide to', () => {
  for (const name of guideNames) {
    if (WITHOUT_COMMANDS.includes(name) || RUN_BELOW.includes(name)) continue;
    it(`${name.replaceAll('-', ' ')} does what the guide says`, async () => {
      const { actor, post } = await app.actor();
      for (const last_name of ['佐藤', '鈴木', '田中'])
        await post('/crm/contacts', { first_name: '翔', last_name });
      const script = blocksIn(guide(name), 'sh').join('\n');
      const { statuses } = await runShell(script, { API_KEY: actor.secret });
      assert(statuses.length > 0);
      assert.deepEqual(
        statuses.filter((status) => status >= 300),
        announcedErrors(script),
      );
    });
  }
});

describe('the guide to getting started', () => {
  it('shows a client that finds somebody by the sound of the name', async () => {
    const { actor, post } = await app.actor();
    await post('/crm/contacts', { first_name: '花子', last_name: '山田', last_name_kana: 'ヤマダ' });
    const [client = ''] = blocksIn(guide('getting-started'), 'ts');
    const modules = resolve(import.meta.dirname, '../../../../node_modules');
    const lines = `ln -s '${modules}' node_modules\ncat > first.ts <<'END'\n${client}END\nnode first.ts`;
    const { output } = await runShell(lines, { API_KEY: actor.secret });
    assert.match(output, /full_name: '山田 花子'/);
  });
});

describe('the guide to long work', () => {
  it('shows a bar that reaches its end, and leaves the file that was asked for', async () => {
    const { actor, post } = await app.actor();
    await post('/crm/contacts', { first_name: '翔', last_name: '佐藤' });
    const script = blocksIn(guide('long-work'), 'sh').join('\n');
    const { output } = await runShell(`${script}\ncat contacts.csv`, { API_KEY: actor.secret });
    assert.match(output, /\[#{50}\] 1 of 1/);
    assert.match(output, /佐藤/);
  });
});

describe('the guide to importing companies, contacts and deals', () => {
  it('makes the good row and its company, tells the faulty one, and undoes all', async () => {
    const { actor, get } = await app.actor();
    const script = blocksIn(guide('import-crm'), 'sh').join('\n');
    const { output } = await runShell(script, { API_KEY: actor.secret });
    assert.match(output, /invalid_format/);
    const { body } = await get('/crm/imports');
    const { status, created_count, error_count, revert } = body.items[0];
    assert.deepEqual([status, created_count, error_count], ['reverted', 1, 1]);
    assert.deepEqual([revert.deleted_count, revert.left_count], [2, 0]);
    // Of the customer that is there twice, once it is merged.
    const companies = (await get('/crm/companies')).body;
    assert.equal(companies.total, 1);
    assert.match(companies.items[0].name, /山本製作所$/);
  });
});

describe('the guide to importing mail contacts', () => {
  it('makes the good row, tells the faulty one in Japanese, and undoes all', async () => {
    const { actor, get } = await app.actor();
    const script = blocksIn(guide('import-mail'), 'sh').join('\n');
    const { output } = await runShell(script, { API_KEY: actor.secret });
    assert.match(output, /メールアドレスの形になっていません/);
    const { status, created_count, error_count, revert } = (await get('/mail/imports')).body.items[0];
    assert.deepEqual([status, created_count, error_count], ['reverted', 1, 1]);
    assert.deepEqual([revert.deleted_count, revert.left_count], [1, 0]);
  });
});

describe('the guide to importing entries', () => {
  it('tells the faulty entry at both of its rows, makes the good one, and undoes it', async () => {
    const { actor, get } = await app.actor();
    const script = blocksIn(guide('import-journals'), 'sh').join('\n');
    const { output } = await runShell(script, { API_KEY: actor.secret });
    assert.match(output, /借方合計は8000円、貸方合計は8800円です/);
    const { status, journal_count, created_count, error_count, revert } = (await get('/accounting/imports'))
      .body.items[0];
    assert.deepEqual([status, journal_count, created_count, error_count], ['reverted', 1, 3, 2]);
    assert.deepEqual([revert.deleted_count, revert.left_count], [1, 0]);
  });
});

describe('the guide to importing days', () => {
  it('tells the faulty day, makes the others, and undoes them', async () => {
    const { actor, get } = await app.actor();
    const script = blocksIn(guide('import-attendance'), 'sh').join('\n');
    const { output } = await runShell(script, { API_KEY: actor.secret });
    assert.match(output, /E-0013,2026\/11\/4,18:00,9:00,,6,invalid_time,退勤: 終了が開始より前です/);
    const { status, day_count, created_count, skipped_count, error_count, revert } = (
      await get('/attendance/imports')
    ).body.items[0];
    assert.deepEqual([status, day_count], ['reverted', 3]);
    assert.deepEqual([created_count, skipped_count, error_count], [4, 1, 1]);
    assert.deepEqual([revert.deleted_count, revert.left_count], [3, 0]);
  });
});

describe('the guide to evidence', () => {
  it('recomputes the chain, verifies it, and exports originals that have the hashes of their index', async () => {
    const { actor, post } = await app.actor();
    // Its change comes before those of the guide, in the same chain.
    assert.equal((await post('/received-invoices', { number: '2026-118' })).status, 201);
    const script = blocksIn(guide('evidence'), 'sh').join('\n');
    const { output } = await runShell(script, { API_KEY: actor.secret });
    assert.match(output, /1 [0-9a-f]{64} sound\n2 [0-9a-f]{64} sound\n/);
    assert.match(output, /"ok":true/);
    assert.match(output, /領収書\.pdf: OK$/m);
    assert.doesNotMatch(output, /BROKEN|FAILED/);
  });
});

describe('the guide from an invoice to its payment', () => {
  it('finds what is wrong, corrects it, pays it less a fee, and proves that nothing else was changed', async () => {
    const { actor } = await app.actor();
    const script = blocksIn(guide('received'), 'sh').join('\n');
    const { output, statuses } = await runShell(script, { API_KEY: actor.secret });
    assert.deepEqual(
      statuses.filter((status) => status >= 300),
      announcedErrors(script),
    );
    assert.match(output, /"missing":\["issue_date","line_items"\]$/m);
    assert.match(output, /"match":\{"status":"mismatch",.+"codes":\["over_accepted"\]/m);
    assert.match(output, /"warnings":\[\{[^}]+"code":"registration_number_checksum"[^}]+\}\]$/m);
    assert.match(output, /"match":\{"status":"matched"$/m);
    assert.match(output, /20001 {15}292 {15}000017654321ｺｳﾅﾝﾎｳｿｳ\(ｶ {20}0000027060/m);
    assert.match(output, /"transferred_amount":26510$/m);
    assert.match(output, /"groups":\[\],"balance":0/);
    assert.match(output, /"ok":true\n.+請求書\.pdf: OK\n.+訂正\.pdf: OK$/ms);
    assert.doesNotMatch(output, /FAILED/);
  });
});

describe('the guides to signing and to verifying', () => {
  it('sign a contract by the link of its mail, and show by other programs that it is genuine', async () => {
    const { actor } = await app.actor();
    const script = TOGETHER.flatMap((name) => blocksIn(guide(name), 'sh')).join('\n');
    const { output, statuses } = await runShell(script, { API_KEY: actor.secret, DATA_DIR: dataDir });
    assert.deepEqual(
      statuses.filter((status) => status >= 300),
      [],
    );
    assert.match(output, /^valid\noriginal\n/m);
    assert.match(output, /- Total document signed\n.+Signature is Valid\.\n.+- Not total document signed\n/s);
    assert.match(output, /- Certificate Validation: Certificate is Trusted\.\n/);
    assert.match(output, /^\d+ completed sound\nthe head fits$/m);
    assert.match(output, /^([0-9a-f]{64}) +signed\.pdf\n\1\nvalid\nmodified\nvalid\nvalid\nvalid\n$/m);
    assert.doesNotMatch(output, /BROKEN/);
  });

  it('check the stamp of a file that has one by openssl', async () => {
    const { key, settings } = await testSealKey();
    const stamps = await startStampAuthority();
    const authority = stampAuthorityOf({ ...settings, signTsaUrl: stamps.url });
    const drawing = { pdf: pdfOfPages([{}]), fields: [], values: {}, is_signed: false };
    const sealed = await sealFile(
      { drawing: { ...drawing, append: null, attachment: null }, field: 'Seal_doc_x' },
      { key, authority, stamp_required: true, now: new Date(), signal: new AbortController().signal },
    );
    const folder = mkdtempSync(join(tmpdir(), 'stamped-'));
    writeFileSync(join(folder, 'signed.pdf'), sealed.bytes);
    writeFileSync(join(folder, 'authority.pem'), stamps.ca);
    const [, section = ''] = guide('verifying-signed-documents').split('## Time stamps');
    const script = ['cp "$FILES"/* .', ...blocksIn(section, 'sh')].join('\n');
    const { output } = await runShell(script, { FILES: folder });
    rmSync(folder, { recursive: true });
    assert.match(output, /^Time stamp: .+ \d{4} GMT$/m);
    assert.match(output, /^Verification: OK$/m);
  });
});

describe('the guide to errors', () => {
  it('shows the answer that its command gets', async () => {
    const { actor } = await app.actor();
    const script = blocksIn(guide('errors'), 'sh')[0]!.replace('curl -i', 'curl');
    const { output } = await runShell(script, { API_KEY: actor.secret });
    const shown = JSON.parse(blocksIn(guide('errors'), 'json')[0]!);
    assert.deepEqual({ ...JSON.parse(output), request_id: shown.request_id }, shown);
  });
});

describe('the poller of the guide to events', () => {
  it('prints every event once, also those that come while it runs, and goes on where it was', async (test: TestContext) => {
    const { actor, get, post } = await app.actor();
    const folder = mkdtempSync(join(tmpdir(), 'poller-'));
    writeFileSync(join(folder, 'poller.mjs'), blocksIn(guide('events'), 'js')[0]!);
    const create = async (first_name: string): Promise<string> =>
      (await post('/crm/contacts', { first_name, last_name: '林' })).body.contact.id;
    const line = (contact_id: string) => `crm.contact.created ${contact_id}\n`;
    let output = '';
    const children: ChildProcess[] = [];
    test.after(() => {
      for (const child of children) child.kill();
      rmSync(folder, { recursive: true, force: true });
    });
    const poll = () => {
      const child = spawn(process.execPath, ['poller.mjs'], {
        cwd: folder,
        env: { ...process.env, API_KEY: actor.secret },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      child.stdout.on('data', (chunk) => {
        output += chunk;
      });
      return child;
    };
    const ids = [await create('一')];
    const first = poll();
    await until('the event is printed', () => output.includes(line(ids[0]!)));
    ids.push(await create('二'));
    await until('the event is printed', () => output.includes(line(ids[1]!)));
    const last = () =>
      existsSync(join(folder, 'last-event')) ? readFileSync(join(folder, 'last-event'), 'utf8') : '';
    const { data } = (await get('/events?limit=1')).body;
    await until('the event is kept as the last one', () => last() === data[0].id);
    first.kill();
    ids.push(await create('三'));
    const second = poll();
    await until('the event is printed', () => output.includes(line(ids[2]!)));
    second.kill();
    assert.equal(output, ids.map(line).join(''));
  });
});
