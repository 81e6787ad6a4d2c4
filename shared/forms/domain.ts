import { domain } from '../platform/domain.ts';
import { formsReferences } from './crm/references.ts';
import { eraseJob, removeRestJob } from './erasing/jobs.ts';
import { formSweeps } from './erasing/sweeps.ts';
import { responseExport } from './exports/responses.ts';
import { invitationMail } from './invitations/mail.ts';
import { noticeMail } from './mails/notice.ts';
import { receiptMail } from './mails/receipt.ts';
import { formsMeasures } from './measures.ts';
import { pointless } from './pointless-mails.ts';
import { formsPeople } from './settings/leaving.ts';
import { summaryJob } from './summary/jobs.ts';
import './settings/mailing-list.ts';
import { formsWords } from './words.ts';

export const forms = domain({
  name: 'forms',
  title: 'Forms',
  description:
    'Questionnaires, enquiries and applications: built as JSON, published in frozen versions, answered on a page or by API.',
  resources: {
    forms: { title: 'Forms', description: 'Built as JSON, published, answered and archived.' },
    versions: { title: 'Versions of forms', description: 'What was published, frozen.' },
    settings: { title: 'Settings of forms', description: 'When and from whom a form takes responses.' },
    responses: {
      title: 'Responses of forms',
      description: 'What was answered, by people or with credentials.',
    },
    form_tokens: { title: 'Form tokens', description: 'What a guest submits a form with, once.' },
    public_forms: { title: 'Public forms', description: 'What anybody reads of a published form.' },
    public_responses: {
      title: 'Submissions of guests',
      description: 'Stored once, flagged where they look like spam.',
    },
    receipts: { title: 'Receipts', description: 'The ending and the own answers, by their link.' },
    invitations: {
      title: 'Invitations to forms',
      description: 'Addresses of which each takes one response.',
    },
    files: { title: 'Files of responses', description: 'Uploaded for a field, claimed by a response.' },
    public_files: {
      title: 'Files of guests',
      description: 'Uploaded for a form token, before its response.',
    },
    partials: { title: 'Saved answers', description: 'What guests continue later, by their link.' },
  },
  guides: ['forms', 'form-transitions'],
  jobs: [eraseJob, removeRestJob, summaryJob],
  sweeps: formSweeps,
  references: formsReferences,
  pointless_mails: Object.values(pointless),
  mails: [noticeMail, receiptMail, invitationMail],
  people: formsPeople,
  measures: formsMeasures,
  words: formsWords,
  records: { ja: 'フォームとその回答', en: 'forms and their responses' },
  file_words: { 回答: 'responses' },
  exports: [responseExport],
  audit_log: { path: '/api/v1/forms/audit-logs', about: 'forms' },
});
