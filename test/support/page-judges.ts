import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Page } from 'puppeteer';
import { watchedPage } from './browser.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Runs the judge with the rules of WCAG 2.2 AA; answers each that is broken with the places where it is. */
const AXE = `axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, ...nodes.map(({ target, failureSummary }) => target + failureSummary)]))`;

/** Sees that a page breaks no rule and is not wider than the screen. Its policy must be bypassed: the judge is a script. */
export async function judge(page: Page): Promise<void> {
  await page.addScriptTag({ path: axe });
  assert.deepEqual(await page.evaluate(AXE), []);
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  assert.equal(overflow, 0, 'the page is wider than the screen');
}

/** Judges the page at an address light and dark, narrow and wide, with all that is folded open. */
export async function judgeAt(url: string): Promise<void> {
  const { page } = await watchedPage();
  // The page's own policy lets no script in; the judge is one.
  await page.setBypassCSP(true);
  for (const [scheme, width] of [
    ['light', 320],
    ['dark', 1280],
  ] as const) {
    await page.setViewport({ width, height: 800 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    await page.goto(url);
    await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    await judge(page);
  }
  await page.close();
}

/** Goes on with Tab until what has the focus fits; presses Enter there. */
export async function follow(page: Page, fits: string): Promise<void> {
  await tabTo(page, fits);
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
}

/** Goes on with Tab until what has the focus fits. */
export async function tabTo(page: Page, fits: string): Promise<void> {
  for (let pressed = 0; pressed < 200; pressed++) {
    await page.keyboard.press('Tab');
    const isThere = await page.evaluate(`document.activeElement?.matches(${JSON.stringify(fits)})`);
    if (isThere) return;
  }
  assert.fail(`Tab does not reach ${fits}`);
}
