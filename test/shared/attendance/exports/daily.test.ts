import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dailyReportColumns } from '../../../../shared/attendance/exports/daily.ts';

describe('the file of days', () => {
  for (const language of ['ja', 'en'] as const) {
    test(`has a header of its own for each column (${language})`, () => {
      const headers = dailyReportColumns({ language }).map(({ name }) => name);
      assert.deepEqual(
        headers.filter((header, index) => headers.indexOf(header) !== index),
        [],
      );
    });
  }
});
