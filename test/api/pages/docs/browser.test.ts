import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { watchedPage } from '../../../support/browser.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Runs the judge; answers each rule that is broken with the places where it is. */
const AXE = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, ...nodes.map(({ target, failureSummary }) => target + failureSummary)]))`;
const { base_url } = await startApp();

describe('the reference in a browser', () => {
  it('shows the API, asks nobody else for anything, and breaks no policy', async () => {
    const { page, urls, complaints } = await watchedPage();
    await page.goto(`${base_url}/docs/reference`, { waitUntil: 'networkidle0' });
    await page.waitForFunction(`document.body.textContent.includes('/api/v1/crm/companies/{id}')`);
    assert.deepEqual(
      urls.filter((url) => !url.startsWith(base_url) && !/^(data|blob):/.test(url)),
      [],
    );
    assert(urls.includes(`${base_url}/openapi.json`));
    assert.deepEqual(complaints, []);
  });
});

for (const path of [
  '/docs',
  '/docs/errors',
  '/docs/guides/events',
  '/docs?lang=ja',
  '/docs/guides/exports?lang=ja',
]) {
  for (const scheme of ['light', 'dark']) {
    for (const width of [360, 1280]) {
      it(`${path} is accessible, ${scheme}, ${width} pixels wide`, async () => {
        const { page, urls, complaints } = await watchedPage();
        await page.setViewport({ width, height: 800 });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        // The page's own policy lets no script in; the judge is one.
        await page.setBypassCSP(true);
        await page.goto(base_url + path);
        await page.addScriptTag({ path: axe });
        assert.deepEqual(await page.evaluate(AXE), []);
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        assert.equal(overflow, 0, 'the page is wider than the screen');
        assert.deepEqual(complaints, []);
        assert.deepEqual(
          urls.filter((url) => !url.startsWith(base_url) && !url.startsWith('data:')),
          [],
        );
      });
    }
  }
}
