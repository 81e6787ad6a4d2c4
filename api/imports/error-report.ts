import type { Domain } from '../../shared/kernel/scope.ts';
import type { Work } from '../../shared/kernel/work.ts';
import type { ErrorLanguage } from '../../shared/platform/imports/cell-errors.ts';
import { writeErrorReportJob } from '../../shared/platform/imports/jobs.ts';
import type { ImportRecord } from '../../shared/platform/imports/record.ts';
import type { Content } from '../../shared/platform/jobs/generated.ts';

/** What a worker makes: the faulty rows as a file for a spreadsheet. */
export function errorReport(area: Domain) {
  return { kind: `${area}.imports.errors` as const, unit: 'rows', media_types: ['text/csv'] };
}

/** The content of the file for an import as it is now: a new one whenever it has more faulty rows. */
export function errorReportOf({ id: import_id, error_count }: ImportRecord, lang: ErrorLanguage): Content {
  return {
    key: `imports/${import_id}/errors/${error_count}/${lang}`,
    enqueue: (work: Work, job_id: string) => {
      work.enqueue(writeErrorReportJob, { import_id, job_id, lang }, { job_id });
    },
  };
}
