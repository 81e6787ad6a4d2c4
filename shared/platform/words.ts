import { words } from '../kernel/vocabulary.ts';
import { queues } from './queues.ts';

/** The words of the platform. Words are never renamed: callers store them. */
export const platformWords = words({
  prefixes: {
    organization: 'org',
    user: 'usr',
    session: 'ses',
    account: 'acct',
    verification: 'ver',
    member: 'mbr',
    invitation: 'invt',
    api_key: 'ak',
    request: 'req',
    job: 'job',
    file: 'file',
    installation: 'inst',
    mail: 'mail',
    import_error: 'ierr',
  },
  failures: {
    wrong_account: {
      status: 403,
      title: 'The invitation is for another e-mail address',
      help: 'Sign out, or sign in with the address that was invited.',
    },
    sign_up_closed: {
      status: 403,
      title: 'Sign-up is by invitation only',
      help: 'Ask an owner or admin of the organization for an invitation.',
    },
    email_not_verified: {
      status: 403,
      title: 'The e-mail address is not verified yet',
      help: 'Open the link in the mail that was sent to it, or ask for a new one.',
    },
    operators_only: {
      status: 403,
      title: 'This page is for operators',
      help: 'It is closed because OPERATOR_PASSWORD is not set: set it and start the service again.',
    },
    too_many_keys: {
      status: 409,
      title: 'The organization has as many API keys as it may have',
      help: 'Revoke keys that nobody uses; "last_used_at" tells which. Expired and revoked ones do not count.',
    },
    last_owner: {
      status: 409,
      title: 'The organization would be without an owner',
      help: 'Make another member an owner first.',
    },
    job_finished: {
      status: 409,
      title: 'The job has ended already',
      help: 'A job can be cancelled while it is queued or running.',
    },
    job_not_finished: {
      status: 409,
      title: 'The job has not ended yet',
      help: 'Wait for it: GET /api/v1/jobs/{id}/events tells when it has.',
    },
    too_many: {
      status: 422,
      title: 'The filter matches more records than one call takes',
      help: 'Ask for fewer with the filter, for example by days, and call several times. "matching" tells how many it matches.',
    },
    too_many_rows: {
      status: 422,
      title: 'The report has more lines than it can be answered with',
      help: 'Ask for fewer with the filters, or for "format=csv", which has no such bound.',
    },
  },
  events: [],
  queues,
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    platform: typeof platformWords;
  }
}
