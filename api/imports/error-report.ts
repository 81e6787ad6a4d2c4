import type { Reader } from '../../shared/kernel/reader.ts';
import type { Domain } from '../../shared/kernel/scope.ts';
import type { Work } from '../../shared/kernel/work.ts';
import type { ErrorLanguage } from '../../shared/platform/imports/cell-errors.ts';
import type { ImportDomain } from '../../shared/platform/imports/domain.ts';
import { writeErrorReportJob } from '../../shared/platform/imports/jobs.ts';
import { importById } from '../../shared/platform/imports/queries.ts';

type Asked = {
  params: { id: string };
  filters: { format?: 'json' | 'csv' | undefined; lang?: ErrorLanguage | undefined };
};

/** The faulty rows as a file for a spreadsheet: a new one whenever there are more of them. */
export function errorReport(area: Domain, domains: readonly ImportDomain[]) {
  return {
    kind: `${area}.imports.errors` as const,
    unit: 'rows',
    media_types: ['text/csv'],
    content: async ({ params, filters: { format, lang = 'en' } }: Asked, reader: Reader) => {
      const { id: import_id, error_count } = await importById(reader, domains, params.id);
      if (format !== 'csv') return null;
      return {
        key: `imports/${import_id}/errors/${error_count}/${lang}`,
        enqueue: (work: Work, job_id: string) => {
          work.enqueue(writeErrorReportJob, { import_id, job_id, lang }, { job_id });
        },
      };
    },
  };
}
