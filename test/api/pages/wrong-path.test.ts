import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';

const app = await startApp();

/** What Chromium sends for an address that a person typed. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

const get = (path: string, headers: Record<string, string>) =>
  fetch(`${app.base_url}${path}`, { headers: { 'Accept-Language': 'ja', ...headers } });

for (const path of ['/nihon/go', '/docs/guides/none', '/%3Cscript%3E?x=1']) {
  test(`in a browser ${path} is a page, in the language of its reader`, async () => {
    const reply = await get(path, { Accept: BROWSER });
    const text = await reply.text();
    assert.equal(reply.status, 404);
    assert.match(reply.headers.get('content-type')!, /^text\/html/);
    assert.match(reply.headers.get('content-security-policy')!, /default-src 'none'/);
    assert.match(reply.headers.get('vary')!, /Accept\b.*Accept-Language/);
    assert.match(text, /<html lang="ja"[\s\S]*ページが見つかりません/);
    assert.doesNotMatch(text, /<script/);
    const english = await (await get(`${path.split('?')[0]}?lang=en`, { Accept: BROWSER })).text();
    assert.match(english, /<html lang="en"[\s\S]*There is no such page/);
  });
}

test('programs are answered with a problem, and so is everybody below /api/', async () => {
  for (const [path, accept] of [
    ['/nihon/go', '*/*'],
    ['/nihon/go', 'application/json'],
    ['/api/v1/nothing', BROWSER],
  ] as const) {
    const reply = await get(path, { Accept: accept });
    assert.equal(reply.status, 404);
    assert.equal(((await reply.json()) as { code: string }).code, 'no_such_endpoint');
  }
  const posted = await fetch(`${app.base_url}/nihon/go`, { method: 'POST', headers: { Accept: BROWSER } });
  assert.equal(posted.headers.get('content-type'), 'application/problem+json');
});
