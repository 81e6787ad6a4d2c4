import { words } from '../kernel/vocabulary.ts';

/** The words of mail. Words are never renamed: callers store them. */
export const mailWords = words({
  prefixes: {
    mail_contact: 'mcont',
    mail_list: 'mlist',
    mail_import: 'mimp',
    suppression: 'supp',
  },
  failures: {
    suppressed: {
      status: 409,
      title: 'The address must not be mailed again',
      help: 'A suppression of it stands: see GET /api/v1/mail/suppressions?email=, and remove it only if the person asks.',
    },
    consent_required: {
      status: 422,
      title: 'The person has refused and not agreed again since',
      help: 'Send a consent whose "at" is later than the refusal, which "detail" names.',
    },
  },
  events: [],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    mail: typeof mailWords;
  }
}
