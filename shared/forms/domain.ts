import { domain } from '../platform/domain.ts';
import { formsReferences } from './crm/references.ts';
import { noticeMail } from './mails/notice.ts';
import { receiptMail } from './mails/receipt.ts';
import './settings/mailing-list.ts';
import { formsWords } from './words.ts';

export const forms = domain({
  name: 'forms',
  title: 'Forms',
  description:
    'Questionnaires, enquiries and applications: built as JSON, published in frozen versions, answered on a page or by API.',
  resources: {},
  references: formsReferences,
  mails: [noticeMail, receiptMail],
  words: formsWords,
  records: { ja: 'フォームとその回答', en: 'forms and their responses' },
  audit_log: { path: '/api/v1/forms/audit-logs', about: 'forms' },
});
