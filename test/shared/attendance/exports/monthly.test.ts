import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { monthlyReportColumns } from '../../../../shared/attendance/exports/monthly.ts';

describe('the file of months', () => {
  for (const language of ['ja', 'en'] as const) {
    test(`has a header of its own for each column (${language})`, () => {
      const headers = monthlyReportColumns({ language }).map(({ name }) => name);
      assert.deepEqual(
        headers.filter((header, index) => headers.indexOf(header) !== index),
        [],
      );
    });
  }
});
