import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newOffice } from '../../support/cloud.ts';
import { visitor } from '../../support/forms.ts';
import { share } from '../../support/shares.ts';

/** Milliseconds by which the clock goes ahead. */
let passed = 0;
const app = await startApp({ now: () => new Date(Date.now() + passed) });
const HOUR = 60 * 60_000;

/** A text of HTML without its marks. */
const plain = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

/** The addresses of links that are relative. */
const hrefs = (html: string) =>
  [...html.matchAll(/<a href="([^"]*)"/g)]
    .map(([, href]) => plain(href!))
    .filter((href) => !/^[#/]/.test(href));

async function sharedFolder(terms: object = {}) {
  const owner = await newOffice(app);
  const folder = await owner.folder('公開資料');
  const inner = await owner.folder('2026 年度', folder.id);
  await owner.file('a&b.txt', 'abc', folder.id);
  await owner.file('議事録 #1.txt', '議事', inner.id);
  return { owner, folder, inner, ...(await share(owner, { folder_id: folder.id, ...terms })) };
}

/** What a program gets, that asks for no HTML. */
async function fetched(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(app.base_url + path, { redirect: 'manual', method, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('the page of a folder', () => {
  test('200: a table of relative links, which lead to its folders and files', async () => {
    const { page } = await sharedFolder();
    const { status, headers, html } = await visitor(app).get(page, { 'Accept-Language': 'ja' });
    assert.equal(status, 200, html);
    assert.deepEqual(hrefs(html), ['2026%20%E5%B9%B4%E5%BA%A6/', 'a%26b.txt']);
    assert.match(html, /<h1>公開資料<\/h1>/);
    assert.match(html, /<a href="a%26b.txt">a&#38;b.txt<\/a>/);
    assert.match(html, /3 バイト/);
    assert.match(html, /<time datetime="\d{4}-/);
    for (const [name, value] of [
      ['referrer-policy', 'no-referrer'],
      ['x-robots-tag', 'noindex'],
      ['cache-control', 'no-store'],
      ['content-language', 'ja'],
    ] as const) {
      assert.equal(headers.get(name), value, name);
    }
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'.*form-action 'none'/);
    assert.doesNotMatch(policy, /script/);
    assert.doesNotMatch(html, /<script|javascript:|(file|fold|usr|org|shr)_[0-9a-z]{26}/);
    assert.deepEqual(headers.getSetCookie(), []);
    const inner = await visitor(app).get(`${page}2026%20%E5%B9%B4%E5%BA%A6/`);
    assert.deepEqual(hrefs(inner.html), ['../', '%E8%AD%B0%E4%BA%8B%E9%8C%B2%20%231.txt']);
    const file = await fetched(`${page}2026%20%E5%B9%B4%E5%BA%A6/%E8%AD%B0%E4%BA%8B%E9%8C%B2%20%231.txt`);
    assert.deepEqual([file.status, file.text], [200, '議事']);
    assert.equal(file.headers.get('content-language'), null);
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment/);
    assert.match(file.headers.get('content-security-policy') ?? '', /sandbox/);
  });

  test('503 for a file whose content is missing from the store: it says so, and asks nobody to try again at once', async () => {
    const { owner, folder, page } = await sharedFolder();
    await owner.lost('lost.txt', 'lost', folder.id);
    const { status, html } = await visitor(app).get(`${page}lost.txt`, { 'Accept-Language': 'en' });
    assert.equal(status, 503, html);
    assert.match(html, /The content of this file is missing\.[\s\S]* in 60 minutes\./);
    assert.doesNotMatch(html, /in a moment|org_/);
  });

  test('names whose it is in the place of the service, as the page that asks for the password does', async () => {
    for (const terms of [{}, { password: 'correct-horse' }]) {
      const { owner, page } = await sharedFolder(terms);
      const { organization } = (await owner.get('/organization')).body;
      const { html } = await visitor(app).get(page);
      assert.match(html, new RegExp(`<header class="top">(<a [^>]*>)?${organization.name}<`));
      assert.match(html, new RegExp(`<title>[^<]+ – ${organization.name}</title>`));
      assert.doesNotMatch(html, /Business Operations Service/);
    }
  });

  test('the language that is asked for stays', async () => {
    const { page } = await sharedFolder();
    const { html } = await visitor(app).get(`${page}?lang=en`);
    assert.match(html, /<html lang="en">/);
    assert.deepEqual(hrefs(html), ['2026%20%E5%B9%B4%E5%BA%A6/?lang=en', 'a%26b.txt']);
    const { html: inner } = await visitor(app).get(`${page}2026%20%E5%B9%B4%E5%BA%A6/?lang=en`);
    assert.ok(hrefs(inner).includes('../?lang=en'));
  });

  test('a path is an address of its own: 303 to it with its slash, 404 for what is none', async () => {
    const { page, token } = await sharedFolder();
    const folder = '2026%20%E5%B9%B4%E5%BA%A6';
    for (const [path, to] of [
      [`/s/${token}`, page],
      [`${page}${folder}`, `${page}${folder}/`],
      [`${page}${folder}?lang=en`, `${page}${folder}/?lang=en`],
    ] as const) {
      const { status, headers } = await fetched(path);
      assert.deepEqual([path, status, headers.get('location')], [path, 303, to]);
    }
    for (const path of [
      'missing.txt',
      'a%26b.txt/',
      '%2e%2e%2fa%26b.txt',
      `${folder}%2f%E8%AD%B0%E4%BA%8B%E9%8C%B2%20%231.txt`,
      'missing/',
      '/a%26b.txt',
      '%E3%81',
    ]) {
      const { status, text } = await fetched(page + path);
      assert.equal(status, 404, path);
      assert.match(text, /<h1>/);
    }
  });

  test('a folder of many: people get parts of it, a program all on one page', async () => {
    const owner = await newOffice(app);
    const folder = await owner.folder('多数');
    await owner.file('model.txt', 'x', folder.id);
    await app.database.withConnection(owner.organization_id, ({ query }) =>
      query(
        `INSERT INTO cloud_items SELECT (jsonb_populate_record(item, jsonb_build_object('id', 'file_0' || lpad(n::text, 25, '0'),
             'name', 'file ' || lpad(n::text, 5, '0'), 'name_key', 'file ' || lpad(n::text, 5, '0')))).*
           FROM cloud_items AS item, generate_series(1, 2500) AS n
          WHERE item.organization_id = $1 AND item.name = 'model.txt'`,
        [owner.organization_id],
      ),
    );
    const { page } = await share(owner, { folder_id: folder.id });
    const whole = await fetched(page);
    assert.equal(hrefs(whole.text).length, 2501);
    assert.equal(new Set(hrefs(whole.text)).size, 2501);
    assert.match(whole.text, /<\/table>[\s\S]*<\/html>\s*$/);
    const person = visitor(app);
    let next: string | undefined = page;
    const seen: string[] = [];
    while (next !== undefined) {
      const { html } = await person.get(next);
      const links = hrefs(html).filter((href) => !href.startsWith('./'));
      assert.ok(links.length <= 200);
      seen.push(...links);
      const [, href]: (string | undefined)[] = /<a href="([^"]*)" rel="next"/.exec(html) ?? [];
      next = href && new URL(plain(href), app.base_url + page).href.slice(app.base_url.length);
    }
    assert.deepEqual(seen, hrefs(whole.text));
  });

  test('an empty one says so', async () => {
    const owner = await newOffice(app);
    const { page } = await share(owner, { folder_id: (await owner.folder('空')).id });
    for (const after of ['file/%00', 'x', 'folder/']) {
      assert.equal(
        (await visitor(app).get(`${page}?after=${after}`)).status,
        200,
        'no place is the beginning',
      );
    }
    assert.match((await visitor(app).get(`${page}?lang=ja`)).html, /このフォルダーは空です/);
    assert.deepEqual(hrefs((await fetched(page)).text), []);
  });
});

describe('the page of a file', () => {
  test('200: its name, size, SHA-256 and a link to its bytes', async () => {
    const owner = await newOffice(app);
    const file = await owner.file('見積書.txt', 'abc'.repeat(20_000));
    const { page } = await share(owner, { file_id: file.id, max_downloads: 2 });
    const { html } = await visitor(app).get(`${page}?lang=ja`);
    const hash = createHash('sha256').update('abc'.repeat(20_000)).digest('hex');
    assert.match(html, new RegExp(`<h1>見積書.txt</h1>[\\s\\S]*${hash}`));
    assert.match(html, /60 KB（60,000バイト）/);
    assert.match(html, /あと2回/);
    const [, href = ''] = /class="button" href="([^"]*)"/.exec(html) ?? [];
    assert.equal((await fetched(page + href)).text, 'abc'.repeat(20_000));
    assert.match((await visitor(app).get(page)).html, /あと1回|left: 1/);
    await fetched(page + href);
    const ended = await visitor(app).get(`${page}?lang=ja`);
    assert.equal(ended.status, 410);
    assert.match(ended.html, /この共有は終了しました/);
  });
});

describe('the password of a page', () => {
  const password = 'quiet-river-42';

  test('is asked for by a form, and proven by a cookie of this path', async () => {
    const { owner, id, page } = await sharedFolder({ password });
    const person = visitor(app);
    const asked = await person.get(`${page}a%26b.txt?lang=ja`);
    assert.equal(asked.status, 403);
    assert.match(asked.html, /<form method="post"[\s\S]*type="password"/);
    assert.doesNotMatch(asked.html, /公開資料/);
    const wrong = await person.send(page, { password: 'another-river' });
    assert.equal(wrong.status, 403);
    assert.match(wrong.html, /role="alert"/);
    const right = await person.send(`${page}a%26b.txt`, { password });
    assert.deepEqual([right.status, right.headers.get('location')], [303, `${page}a%26b.txt`]);
    const [cookie = ''] = right.headers.getSetCookie();
    assert.match(
      cookie,
      new RegExp(`^service\\.share=[\\w.-]+; Max-Age=43200; Path=${page}; HttpOnly; SameSite=Lax$`),
    );
    assert.ok(!cookie.includes(password));
    assert.equal((await person.get(`${page}a%26b.txt`)).html, 'abc');
    assert.equal((await person.get(page)).status, 200);

    const other = await sharedFolder({ password });
    assert.equal((await person.get(other.page)).status, 403, 'it opens no other share');
    passed = 12 * HOUR;
    assert.equal((await person.get(page)).status, 403, 'it ends by itself');
    passed = 11 * HOUR;
    assert.equal((await person.get(page)).status, 200);
    await owner.patch(`/cloud/shares/${id}`, { password: 'another-river' });
    assert.equal((await person.get(page)).status, 403, 'another password ends it');
    passed = 0;
  });

  test('is taken from the header of a program too', async () => {
    const { page } = await sharedFolder({ password });
    assert.equal((await fetched(page)).status, 403);
    assert.equal((await fetched(page, { 'Share-Password': 'another' })).status, 403);
    assert.equal((await fetched(page, { 'Share-Password': password })).status, 200);
  });

  test('429: after 10 wrong ones the form says so; another site cannot send it', async () => {
    const { page } = await sharedFolder({ password });
    const opened = visitor(app);
    await opened.send(page, { password });
    const person = visitor(app);
    const foreign = await person.send(page, { password }, { Origin: 'https://elsewhere.example' });
    assert.equal(foreign.status, 403);
    assert.equal(foreign.headers.getSetCookie().length, 0);
    for (let n = 0; n < 10; n++)
      assert.equal((await person.send(page, { password: `wrong-${n}` })).status, 403);
    for (const sent of ['wrong-10', password]) {
      const { status, html } = await person.send(page, { password: sent });
      assert.equal(status, 429);
      assert.match(html, /<form/);
    }
    assert.equal((await opened.get(page)).status, 200, 'who has shown it goes on reading');
  });

  test('behind https the cookie is given to https alone', async () => {
    const secure = await startApp({ environment: { BASE_URL: 'https://service.example.co.jp' } });
    const owner = await newOffice(secure);
    const { page } = await share(owner, { folder_id: (await owner.folder('公開')).id, password });
    const { headers } = await visitor(secure).send(
      page,
      { password },
      { Origin: 'https://service.example.co.jp' },
    );
    assert.match(
      headers.getSetCookie()[0] ?? '',
      /^__Secure-service\.share=.*; HttpOnly; Secure; SameSite=Lax$/,
    );
  });
});

describe('what cannot be shown', () => {
  test('is a page that says why, in both languages', async () => {
    const { owner, id, page } = await sharedFolder();
    await owner.delete(`/cloud/shares/${id}`);
    for (const [path, status, ja, en] of [
      [page, 410, /この共有は終了しました/, /This share has ended/],
      [`/s/${'0'.repeat(64)}/`, 404, /このリンクは正しくありません/, /This link is not right/],
    ] as const) {
      for (const [language, words] of [
        ['ja', ja],
        ['en', en],
      ] as const) {
        const reply = await visitor(app).get(`${path}?lang=${language}`);
        assert.equal(reply.status, status);
        assert.match(reply.html, words);
        assert.equal(reply.headers.get('x-robots-tag'), 'noindex');
      }
    }
  });

  test('HEAD tells what GET would, and counts nothing', async () => {
    const { owner, id, page } = await sharedFolder({ max_downloads: 1 });
    const head = await fetched(`${page}a%26b.txt`, {}, 'HEAD');
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '3']);
    assert.ok(head.headers.get('last-modified'));
    assert.equal((await fetched(page, {}, 'HEAD')).status, 200);
    assert.equal((await owner.get(`/cloud/shares/${id}`)).body.share.download_count, 0);
  });
});
