import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { countsOf, documentsOf, importedDocuments } from '../../support/document-imports.ts';
import { newSeller } from '../../support/documents.ts';
import { startWorkers } from '../../support/workers.ts';

const app = await startApp();
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir }, [
  '--queues',
  'csv-import',
]);

const HEAD = 'external_id,company_name,issue_date,subject,description,quantity,unit_price,tax_category';

test('changes nothing of a line that its cells or the columns leave out', async () => {
  const seller = await newSeller(app);
  const head = `${HEAD},unit,withholding,item_code`;
  await importedDocuments(
    seller,
    'invoice',
    `${head}\nK-1,株式会社山田商店,2026-04-30,4月分,米,2,1000,軽減8%,袋,true,R-1\nK-1,,,,送料,1,500,10%,,,`,
  );
  const [before] = await documentsOf(seller, 'invoice');
  const short = `external_id,company_name,issue_date,description,unit_price\nK-1,,,米,1000\nK-1,,,送料,500`;
  const same = await importedDocuments(seller, 'invoice', short);
  assert.deepEqual((await documentsOf(seller, 'invoice'))[0], before);
  assert.deepEqual(countsOf(same), ['completed', 0, 0, 0, 2, 0, 0]);
  const blank = `${HEAD}\nK-1,,,,米,,1200,\nK-1,,,,送料,3,500,`;
  assert.deepEqual(countsOf(await importedDocuments(seller, 'invoice', blank)), [
    'completed',
    0,
    0,
    2,
    0,
    0,
    0,
  ]);
  const [after] = await documentsOf(seller, 'invoice');
  const expected = [
    { ...before.line_items[0], unit_price: '1200', amount: 2400 },
    { ...before.line_items[1], quantity: '3', amount: 1500 },
  ];
  assert.deepEqual(after.line_items, expected);
});
