import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dailyReport, monthlyReport } from '../../../../shared/attendance/exports/reports.ts';

for (const report of [dailyReport, monthlyReport]) {
  for (const language of ['ja', 'en']) {
    test(`no two columns of ${report.name} have the same head in ${language}`, () => {
      const heads = report.columns({ month: '2026-09', language }).map(({ name }) => name);
      assert.deepEqual(
        heads.filter((head, place) => heads.indexOf(head) !== place),
        [],
      );
    });
  }
}
