import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { politePace } from '../../../../../shared/platform/imports/run/pace.ts';
import { freshDatabase } from '../../../../support/database.ts';

const own = await freshDatabase();
after(() => own.drop());

const MOST = 1_000;
const signal = AbortSignal.abort();

/** The size of the next chunk after some of 1,000 rows, each with the microseconds of a row and the rows that wrote. */
async function sizeAfter(...chunks: readonly [each: number, written: number][]): Promise<number> {
  const pace = politePace(own.database, MOST);
  for (const [each, written] of chunks) {
    await pace.rest({ milliseconds: each, rows: MOST, written }, signal);
  }
  return pace.size();
}

describe('chunks of an import', () => {
  test('stay long where new rows follow upon known ones, which take far less', async () => {
    assert.equal(await sizeAfter([50, 0], [400, MOST]), MOST);
    assert.equal(await sizeAfter([50, 0], [130, 300], [250, 600], [400, MOST], [50, 0]), MOST);
  });

  test('become short where rows of one kind take more than four times as long as before', async () => {
    assert.equal(await sizeAfter([50, 0], [200, 0]), MOST);
    assert.equal(await sizeAfter([50, 0], [201, 0]), 199);
    assert.equal(await sizeAfter([100, MOST], [401, MOST]), 100);
    assert.equal(await sizeAfter([100, MOST], [50, 0], [401, 900]), 100);
    assert.equal(await sizeAfter([100, 400], [401, 600]), 100);
  });

  test('grow again once the rows are as quick as they were', async () => {
    assert.equal(await sizeAfter([100, MOST], [401, MOST], [100, MOST]), 400);
    assert.equal(await sizeAfter([100, MOST], [401, MOST], [100, MOST], [100, MOST]), MOST);
  });

  test('begin with 500 rows and grow fourfold at most', async () => {
    const pace = politePace(own.database, 10_000);
    assert.equal(pace.size(), 500);
    await pace.rest({ milliseconds: 1, rows: 500, written: 500 }, signal);
    assert.equal(pace.size(), 2_000);
    await pace.rest({ milliseconds: 4, rows: 2_000, written: 2_000 }, signal);
    assert.equal(pace.size(), 8_000);
  });
});
