import { z } from 'zod';
import { evidenceSources } from '../../shared/domains.ts';
import { day } from '../../shared/kernel/schema.ts';
import { exportEvidence, verifyEvidence } from '../../shared/platform/evidence/operations.ts';
import { receivedKinds } from '../../shared/received/documents/kinds.ts';
import { evidenceFilters } from '../accounting/documents.ts';
import { write } from '../http/endpoint.ts';
import { inBody } from '../http/exports.ts';
import { manyOf } from '../http/look-ups.ts';
import { JobReply } from '../http/schemas.ts';
import { anyKindFilters, anyStatuses, listFilters } from './list-filters.ts';

const { status: _, ...ofInvoices } = listFilters('invoice').shape;

/** The filters of the lists of received documents and of accounting's, where both have one under either name. */
const listed = { ...ofInvoices, ...anyKindFilters.shape, ...evidenceFilters.shape };

const filters: Record<string, z.core.$ZodType> = {
  ...Object.fromEntries(Object.entries(listed).map(([name, schema]) => [name, inBody(schema)])),
  kind: z
    .enum([...receivedKinds, 'document'])
    .describe('`document` is one of accounting.')
    .optional(),
  status: manyOf(z.enum([...anyStatuses, 'active']))
    .describe('One of them, or several with commas between; `active` is one of accounting.')
    .optional(),
  transaction_date_from: day().describe('The same as `date_from`.').optional(),
  total_min: z.int().describe('The same as `amount_min`.').optional(),
  total_max: z.int().optional(),
  has_file: z.boolean().describe('All that is exported has one.').optional(),
};

const Asked = z.strictObject(filters);

/** The originals of all domains together. */
export const evidence = [
  write({
    id: 'evidence.verify',
    method: 'post',
    path: '/api/v1/evidence/verify',
    scope: 'audit:read',
    domain_scope: 'accounting:read',
    either_domain_scope: 'received:read',
    status: 202,
    summary: 'Verify the evidence',
    description:
      'A worker recomputes the chain of hashes over all changes of evidence, and the SHA-256 of every file. `result` of the ' +
      'job has `ok`; `entries` of the chain and `files`; `unsealed[]`, changes that wait for their place in the chain; ' +
      '`head`, the last link: whoever keeps its `hash` elsewhere can tell later that nothing before it was changed; and ' +
      '`first_bad`, where something is not as it was: its `reason`, `sequence`, `audit_log_id`, `record_id`, `version` and ' +
      '`file_id`.',
    reply: JobReply,
    handle: async (_, work) => ({ job: verifyEvidence(work) }),
  }),
  write({
    id: 'evidence.export',
    method: 'post',
    path: '/api/v1/evidence/export',
    scope: 'accounting:read',
    either_scope: 'received:read',
    status: 202,
    summary: 'Export the evidence',
    description:
      'A worker puts the originals that the filters leave into a zip, all versions of them, with `index.csv`: a row a file, ' +
      'with its date, amount, partner, hash and path, and with `SHA256SUMS` for `sha256sum -c`. It has what you may read: ' +
      'received documents, documents of accounting, or both; a filter that one of them lacks leaves the other alone. It is at ' +
      '`/api/v1/jobs/{id}/file` when the job has succeeded, for 7 days. At most 50,000 files of 4 GB together: ask for a shorter time where there are more.',
    body: Asked,
    reply: JobReply,
    handle: async ({ body }, work) => ({ job: exportEvidence(work, askedOf(body), evidenceSources) }),
  }),
];

/** What is asked for under one name each; of two bounds the closer one counts. */
function askedOf(body: z.output<typeof Asked>): Record<string, unknown> {
  const { transaction_date_from, transaction_date_to, total_min, total_max, ...asked } = body as Bounds;
  return {
    ...asked,
    ...closer('date_from', [asked.date_from, transaction_date_from], (one, other) => one > other),
    ...closer('date_to', [asked.date_to, transaction_date_to], (one, other) => one < other),
    ...closer('amount_min', [asked.amount_min, total_min], (one, other) => one > other),
    ...closer('amount_max', [asked.amount_max, total_max], (one, other) => one < other),
  };
}

type Bound = string | number | undefined;

type Bounds = Record<string, Bound>;

function closer(
  name: string,
  [one, other]: [Bound, Bound],
  isCloser: (one: string | number, other: string | number) => boolean,
): Bounds {
  if (one === undefined || other === undefined) return { [name]: one ?? other };
  return { [name]: isCloser(one, other) ? one : other };
}
