import { resolve } from 'node:path';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { useJapaneseFonts } from '../support/japanese-fonts.ts';
import { livelyOperations } from '../support/lively-operations.ts';
import { operatorPage, WITH_OPERATORS } from '../support/operators.ts';

/** npm run pictures: takes the picture of the operators' page that the documentation shows. */
const app = await startApp({ environment: WITH_OPERATORS });
await livelyOperations(app.database, new Date());
await useJapaneseFonts();

test('docs/pictures/ops.png', async () => {
  const { page } = await operatorPage();
  await page.setViewport({ width: 1280, height: 1000, deviceScaleFactor: 1.25 });
  await page.goto(`${app.base_url}/ops`, { waitUntil: 'networkidle2' });
  // To the end of a part, whatever the parts above have become.
  const height = (await page.evaluate(
    "document.getElementById('database').closest('section').getBoundingClientRect().bottom + 20",
  )) as number;
  const path = resolve(import.meta.dirname, '../../docs/pictures/ops.png');
  await page.screenshot({ path, clip: { x: 0, y: 0, width: 1280, height }, captureBeyondViewport: true });
  await page.close();
});
