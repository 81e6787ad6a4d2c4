import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY } from '../../../../shared/kernel/days.ts';
import { newId } from '../../../../shared/kernel/id.ts';
import { reasons } from '../../../../shared/platform/operators/reasons.ts';
import { startApp } from '../../../support/app.ts';
import { visitor } from '../../../support/forms.ts';
import { finishWithFile, newJob } from '../../../support/jobs.ts';
import { newMember, newOwner, newPerson } from '../../../support/people.ts';

const app = await startApp();

/** Ends a job with a file of that name, and answers the ID of the job. */
async function fileOf(organization_id: string, file_name: string): Promise<string> {
  const { id } = await newJob(app, organization_id, 'crm:read');
  await finishWithFile(app, { organization_id, job_id: id }, '姓,名\r\n山田,花子\r\n', file_name);
  return id;
}

describe('/downloads', () => {
  test('200: files with their day of removal, and what is being made, in both languages', async () => {
    const owner = await newOwner(app);
    const browser = visitor(app, owner.cookie);
    assert.match((await browser.get('/downloads?lang=ja')).html, /ファイルはありません/);
    const id = await fileOf(owner.organization_id, '連絡先.csv');
    await newJob(app, owner.organization_id, 'crm:read');
    const { html } = await browser.get('/downloads?lang=ja');
    assert.match(html, /連絡先\.csv/);
    assert.match(html, /エクスポート（会社・担当者・案件・活動）/);
    assert.match(html, /順番待ち/);
    assert.match(html, /保存期限 <time/);
    assert.match(html, new RegExp(`href="/downloads/${id}\\?lang(=|&#61;)ja"`));
    const english = await browser.get('/downloads?lang=en');
    assert.match(english.html, /Export \(companies, contacts, deals and activities\)/);
    const { status, html: text, headers } = await browser.get(`/downloads/${id}`);
    assert.equal(status, 200);
    assert.match(text, /山田,花子/);
    assert.match(headers.get('content-disposition') ?? '', /attachment/);
    assert.match((await browser.get('/account')).html, /href="\/downloads/);
  });

  test('an export that was asked for and failed is told, other jobs are not', async () => {
    const owner = await newOwner(app);
    const browser = visitor(app, owner.cookie);
    const { id } = (await owner.post('/crm/contacts/export', {})).body.job;
    await app.database.withConnection('*', ({ query }) =>
      query("UPDATE jobs SET status = 'failed', finished_at = now() WHERE id = $1", [id]),
    );
    assert.match((await browser.get('/downloads?lang=en')).html, /Failed <span[^>]*>Ask for it again\./);
    const explains = async (error: unknown, language: string) => {
      await app.database.withConnection('*', ({ query }) =>
        query('UPDATE jobs SET error = $2 WHERE id = $1', [id, JSON.stringify(error)]),
      );
      return (await browser.get(`/downloads?lang=${language}`)).html;
    };
    const too_large = { code: 'too_large', message: reasons.too_large_zip(9, 4).en };
    const told = await explains(too_large, 'ja');
    assert.match(told, /作成できませんでした <span[^>]*>ファイルの合計が9 MBで、ZIPの上限の4 MBを超えて/);
    assert.match(told, /件数を減らして依頼してください。</);
    assert.doesNotMatch(told, /もう一度依頼/);
    const given_up = { code: 'gave_up', message: reasons.unexpected_after(3).en };
    assert.match(await explains(given_up, 'ja'), /管理者が確認できます。もう一度依頼してください。</);
    assert.match(await explains(given_up, 'en'), /operator can look up\. Ask for it again\.</);
    await app.database.withConnection('*', ({ query }) =>
      query("UPDATE jobs SET kind = 'crm.contacts.import' WHERE id = $1", [id]),
    );
    assert.match((await browser.get('/downloads?lang=en')).html, /There are no files/);
  });

  test('what was asked for longer ago than a file is kept is told no more', async () => {
    const owner = await newOwner(app);
    const browser = visitor(app, owner.cookie);
    const { id } = (await owner.post('/crm/contacts/export', {})).body.job;
    const since = async (days: number) => {
      const older = newId('job', new Date(Date.now() - days * DAY));
      await app.database.withConnection('*', ({ query }) =>
        query(
          `INSERT INTO jobs SELECT (jsonb_populate_record(jobs, jsonb_build_object('id', $2::text, 'status', 'failed'))).*
             FROM jobs WHERE id = $1`,
          [id, older],
        ),
      );
      const { html } = await browser.get('/downloads?lang=ja');
      await app.database.withConnection('*', ({ query }) => query('DELETE FROM jobs WHERE id = $1', [older]));
      return html.includes('作成できませんでした');
    };
    assert.deepEqual([await since(7.9), await since(8.1)], [true, false]);
  });

  test('a page has fifty, and the next one goes on after them', async () => {
    const owner = await newOwner(app);
    const browser = visitor(app, owner.cookie);
    for (let index = 0; index < 51; index += 1) await newJob(app, owner.organization_id, 'crm:read');
    const first = await browser.get('/downloads?lang=en');
    assert.equal(first.html.match(/<progress/g)?.length, 50);
    const [, before] = /before(?:=|&#61;)(job_[0-9a-z]{26})/.exec(first.html) ?? [];
    const second = await browser.get(`/downloads?lang=en&before=${before}`);
    assert.equal(second.html.match(/<progress/g)?.length, 1);
    assert.match(second.html, /Back to the newest/);
  });

  test('404: files of other organizations, and those of jobs that a member may not see, are not there', async () => {
    const owner = await newOwner(app);
    const id = await fileOf(owner.organization_id, 'own.csv');
    const { id: secret } = await newJob(app, owner.organization_id, '*');
    const stranger = visitor(app, (await newOwner(app)).cookie);
    assert.ok(!(await stranger.get('/downloads')).html.includes('own.csv'));
    const foreign = await stranger.get(`/downloads/${id}?lang=en`);
    assert.equal(foreign.status, 404);
    assert.match(foreign.html, /no longer kept, or not ready yet/);
    const member = visitor(app, (await newMember(app, owner, 'member')).cookie);
    assert.ok(!(await member.get('/downloads')).html.includes(secret));
    assert.equal((await member.get(`/downloads/${secret}`)).status, 404);
    assert.equal((await stranger.get('/downloads/none')).status, 404);
  });

  test('303: to the sign-in for who is not signed in; without an organization it says so', async () => {
    const anybody = visitor(app);
    assert.equal((await anybody.get('/downloads')).headers.get('location'), '/sign-in');
    assert.equal((await anybody.get('/downloads/job_x')).headers.get('location'), '/sign-in');
    const person = visitor(app, (await newPerson(app)).cookie);
    assert.match((await person.get('/downloads?lang=en')).html, /do not belong to an organization/);
  });
});
