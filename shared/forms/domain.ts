import { domain } from '../platform/domain.ts';
import { responseExport } from './exports/responses.ts';
import { summaryJob } from './summary/jobs.ts';
import { formsWords } from './words.ts';

export const forms = domain({
  name: 'forms',
  title: 'Forms',
  description:
    'Questionnaires, enquiries and applications: built as JSON, published in frozen versions, answered on a page or by API.',
  resources: {},
  words: formsWords,
  records: { ja: 'フォームとその回答', en: 'forms and their responses' },
  file_words: { 回答: 'responses' },
  exports: [responseExport],
  jobs: [summaryJob],
  audit_log: { path: '/api/v1/forms/audit-logs', about: 'forms' },
});
