import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openApi } from '../../../../api/openapi.ts';
import { guideNames } from '../../../../api/pages/docs/guides.ts';
import { failures } from '../../../../shared/domains.ts';
import { startApp } from '../../../support/app.ts';

const { anonymous, base_url } = await startApp();
const paths = ['/docs', '/docs/errors', ...guideNames.map((name) => `/docs/guides/${name}`)];
const pages = paths.flatMap((path) => [path, `${path}?lang=ja`]);
const get = (path: string, headers = {}) => anonymous.get(`/${path}`, headers);

describe('200', () => {
  it('answers the OpenAPI text to everybody', async () => {
    const { status, body, headers } = await get('/openapi.json');
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.deepEqual(body, JSON.parse(JSON.stringify(openApi())));
  });

  it('names every guide at the head of the reference', () => {
    const { description } = (openApi() as { info: { description: string } }).info;
    const linked = [...description.matchAll(/\]\(\/docs\/guides\/([a-z-]+)\)/g)].map(([, name]) => name);
    assert.deepEqual(linked, [...guideNames]);
  });

  for (const path of pages) {
    it(`answers ${path} as a page that loads nothing but its stylesheet and the script that copies`, async () => {
      const { status, text, headers } = await get(path);
      assert.equal(status, 200);
      assert.match(headers.get('content-type') ?? '', /^text\/html; charset=utf-8/);
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; style-src 'self'/);
      assert.doesNotMatch(text.replace(/<script src="\/pages\/copy.js"/, ''), /<script|undefined|\[object/);
      assert.match(text, /<h1[ >]/);
    });
  }

  it('explains every error code at the anchor that a problem names', async () => {
    const { text } = await get('/docs/errors');
    for (const code of Object.keys(failures)) assert(text.includes(`<dt id="${code}">`), code);
  });

  it('leads nowhere that is not there, also within a page', async () => {
    const texts = new Map<string, string>();
    for (const path of pages) texts.set(path, (await get(path)).text);
    for (const [path, text] of texts) {
      for (const [, written = ''] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
        const href = written.replaceAll('&#61;', '=');
        if (/^(https:|data:)/.test(href)) continue;
        const [target = '', anchor] = href.split('#');
        const there = texts.get(target || path);
        if (there === undefined) assert((await get(target)).status < 400, `${path} leads to ${href}`);
        if (anchor) assert(there?.includes(`id="${anchor}"`), `${path} leads to ${href}`);
      }
    }
  });

  it('compresses for those who can read it', async () => {
    const response = await fetch(`${base_url}/openapi.json`);
    assert.equal(response.headers.get('content-encoding'), 'gzip');
  });
});

describe('302', () => {
  it('leads from the root to the documentation', async () => {
    const { status, headers } = await get('/');
    assert.equal(status, 302);
    assert.equal(headers.get('location'), '/docs');
  });
});

describe('304', () => {
  it('answers who has the text already', async () => {
    const first = await get('/openapi.json');
    const second = await get('/openapi.json', { 'If-None-Match': first.headers.get('etag') });
    assert.equal(second.status, 304);
    assert.equal(second.text, '');
  });
});

describe('404', () => {
  it('is told for a guide that does not exist', async () => {
    assert.equal((await get('/docs/guides/../../package')).body.code, 'no_such_endpoint');
    assert.equal((await get('/docs/guides/none')).status, 404);
  });
});
