import { z } from 'zod';
import { exportEvidence, verifyEvidence } from '../../shared/platform/evidence/operations.ts';
import { write } from '../http/endpoint.ts';
import { inBody } from '../http/exports.ts';
import { JobReply } from '../http/schemas.ts';
import { evidenceFilters } from './documents.ts';

const filters = Object.entries(evidenceFilters.shape).map(
  ([name, schema]) => [name, inBody(schema)] as const,
);

/** The originals of all domains together. */
export const evidence = [
  write({
    id: 'evidence.verify',
    method: 'post',
    path: '/api/v1/evidence/verify',
    scope: 'audit:read',
    domain_scope: 'accounting:read',
    status: 202,
    summary: 'Verify the evidence',
    description:
      'A worker recomputes the chain of hashes over all changes of evidence, and the SHA-256 of every file. `result` of the ' +
      'job has `ok`; `entries` of the chain and `files`; `unsealed[]`, changes that wait for their place in the chain; ' +
      '`head`, the last link: whoever keeps its `hash` elsewhere can tell later that nothing before it was changed; and ' +
      '`first_bad`, where something is not as it was: its `reason`, `sequence`, `audit_log_id`, `record_id` and `version`.',
    reply: JobReply,
    handle: async (_, work) => ({ job: verifyEvidence(work) }),
  }),
  write({
    id: 'evidence.export',
    method: 'post',
    path: '/api/v1/evidence/export',
    scope: 'accounting:read',
    status: 202,
    summary: 'Export the evidence',
    description:
      'A worker puts the originals that the filters leave into a zip, all versions of them, with `index.csv`: a row a file, ' +
      'with its date, amount, partner, hash and path, and with `SHA256SUMS` for `sha256sum -c`. It is at ' +
      '`/api/v1/jobs/{id}/file` when the job has succeeded, for 7 days. At most 50,000 files of 4 GB together: ask for a shorter time where there are more.',
    body: z.strictObject(Object.fromEntries(filters)),
    reply: JobReply,
    handle: async ({ body }, work) => {
      return { job: exportEvidence(work, body as Record<string, unknown>, 'accounting:read') };
    },
  }),
];
