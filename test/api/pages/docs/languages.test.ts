import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { guideNames, guideText } from '../../../../api/pages/docs/guides.ts';
import { withSamples } from '../../../../api/pages/docs/samples.ts';
import { startApp } from '../../../support/app.ts';

const { anonymous } = await startApp();
const get = (path: string, headers = {}) => anonymous.get(`/${path}`, headers);
const JA = { 'Accept-Language': 'ja' };

/** What a guide is made of, in its order: headings by their depth, samples, tables by their rows, pictures. */
function outline(markdown: string): string[] {
  const parts: string[] = [];
  let is_sample = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) {
      is_sample = !is_sample;
      if (is_sample) parts.push(line);
    } else if (!is_sample && line.startsWith('#')) parts.push(line.replace(/ .*/, ''));
    else if (!is_sample && line.startsWith('|')) parts.push(`row of ${line.split(' | ').length}`);
    if (!is_sample) parts.push(...[...line.matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].map(([, path]) => path!));
  }
  return parts;
}

/** What stands as code in the text of a guide and is one word or path of the API. */
function wordsOfApi(markdown: string): string[] {
  const prose = markdown.replace(/```.*?```/gs, '');
  return [...prose.matchAll(/`(\/?[a-z][a-z_/-]*)`/g)].map(([, word]) => word!);
}

describe('the guides in Japanese', () => {
  it('are one for each guide', () => {
    const files = readdirSync(resolve(import.meta.dirname, '../../../../docs/guides/ja'));
    assert.deepEqual(files.toSorted(), guideNames.map((name) => `${name}.md`).toSorted());
  });

  for (const name of guideNames) {
    it(`have the headings, samples, rows and pictures of the English one: ${name}`, () => {
      const text = guideText(name, 'ja');
      assert.deepEqual(outline(text), outline(guideText(name, 'en')));
      assert.match(text, /[ぁ-ん]/);
    });
  }

  for (const name of guideNames) {
    it(`name the fields, codes and paths that the English one names: ${name}`, () => {
      const text = guideText(name, 'ja');
      assert.deepEqual(
        wordsOfApi(guideText(name, 'en')).filter((word) => !text.includes(word)),
        [],
      );
    });
  }

  it('take each sample from the English guide, in its order', () => {
    const english = '# One\n\n```sh\none\n```\n\n## Two\n\n```text\ntwo\n```\n';
    const place = '```sample\n```';
    assert.equal(
      withSamples(`# 一\n\n${place}\n\n## 二\n\n${place}\n`, english),
      '# 一\n\n```sh\none\n```\n\n## 二\n\n```text\ntwo\n```\n',
    );
  });
});

describe('the language of the documentation', () => {
  for (const path of ['/docs', '/docs/errors', '/docs/guides/getting-started', '/docs/reference']) {
    it(`is that of the browser, unless \`lang\` says another: ${path}`, async () => {
      const japanese = await get(path, JA);
      assert.match(japanese.text, /<html lang="ja">/);
      assert.equal(japanese.headers.get('content-language'), 'ja');
      assert.match(japanese.headers.get('vary') ?? '', /Accept-Language/);
      assert.match((await get(`${path}?lang=en`, JA)).text, /<html lang="en">/);
      assert.match((await get(`${path}?lang=ja`)).text, /<html lang="ja">/);
      assert.match((await get(path)).text, /<html lang="en">/);
    });
  }

  it('goes along with the links where it was asked for, to places that are there', async () => {
    const { text } = await get('/docs/guides/exports?lang=ja');
    assert.match(text, /href="\/docs\/guides\/long-work\?lang=ja"/);
    assert.match(text, /<h2 id="reports">帳票/);
    assert.doesNotMatch((await get('/docs/guides/exports', JA)).text, /href="[^"]*lang(=|&#61;)ja"/);
  });
});
