import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { livelyOperations } from '../../support/lively-operations.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../../support/operators.ts';

const app = await startApp({ environment: WITH_OPERATORS });
const lively = await livelyOperations(app.database, new Date());
const get = async (path: string, language: string) => {
  const response = await fetchAsOperator(app.base_url + path, {
    headers: { Accept: 'text/html', 'Accept-Language': language },
  });
  return { headers: response.headers, text: (await response.text()).replaceAll('&#61;', '=') };
};

const PATHS = [
  '/ops',
  '/ops/queues/email',
  '/ops/jobs',
  '/ops/jobs?state=running',
  '/ops/jobs?state=due&name=none',
  `/ops/jobs/${lively.organization_id}/${lively.failed[0]}`,
  '/ops/jobs/org_none/none',
  '/ops/schedules?asked=expired_sessions',
  '/ops/imports',
  `/ops/imports/${lively.organization_id}/${lively.import_id}`,
  '/ops/mails',
  '/ops/mails?status=unknown',
  '/ops/mailbox',
  '/ops/mailbox?search=none',
  '/ops/mailbox/empty',
  '/ops/queues/nothing',
];

/** Words of the pages in English, which are no names of queues, jobs or states that programs use. */
const ENGLISH = />[^<]*(?<![-/\w])(?:the|is|are|was|were|of|and|to|in|by|has|no|all|this|every)\b[^<]*</i;

for (const path of PATHS) {
  test(`${path} is in the language of the browser, and nothing of it in another`, async () => {
    const { text, headers } = await get(path, 'ja');
    assert.match(text, /<html lang="ja">/);
    assert.equal(headers.get('content-language'), 'ja');
    assert.match(headers.get('vary') ?? '', /Accept-Language/);
    // What failed is told as it was noted: by a library, a server, an operating system.
    const own = text.replaceAll(
      /The store does not answer[^<]*|PostgreSQL does not answer[^<]*|<pre[^>]*>.*?<\/pre>|<td[^>]*class="wide"[^>]*>.*?<\/td>|<code>.*?<\/code>/gs,
      '',
    );
    assert.equal(ENGLISH.exec(own)?.[0], undefined);
    assert.match((await get(path, 'en')).text, /<html lang="en">/);
  });
}

test('`lang` wins over the browser, and goes along with links, forms and changes', async () => {
  const { text } = await get('/ops/jobs?state=failed&lang=ja', 'en');
  assert.match(text, /<html lang="ja">/);
  const paths = [...text.matchAll(/ (?:href|action)="(\/ops[^"]*)"/g)].map(([, path]) => path!);
  const others = paths.filter((path) => !path.startsWith('/ops/style.css') && !path.includes('lang=en'));
  assert.deepEqual(
    others.filter((path) => !path.includes('lang=ja')),
    [],
  );
  assert.match(text, /<form class="filters"[^>]*><input type="hidden" name="lang" value="ja">/);
  const changed = await fetchAsOperator(`${app.base_url}/ops/queues/email/pause?lang=ja`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: app.base_url },
  });
  assert.equal(changed.headers.get('location'), '/ops/queues/email?lang=ja');
});
