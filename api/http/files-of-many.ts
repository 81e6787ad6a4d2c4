import { z } from 'zod';
import { id } from '../../shared/kernel/schema.ts';
import type { FileSet } from '../../shared/platform/batches/file-set.ts';
import { requestFiles } from '../../shared/platform/batches/files.ts';
import { MOST_RECORDS } from '../../shared/platform/batches/selection.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { type Endpoint, write } from './endpoint.ts';
import type { ListEndpoint } from './list.ts';
import { selectedIds, selectionFields } from './selection.ts';

/** The call for the PDFs of many records of a list together: a POST below its path, for holders of the same scope. */
export function filesOf(list: ListEndpoint, set: FileSet): Endpoint {
  const { name, prefix, scope } = set;
  return write({
    id: `${name}.files`,
    method: 'post',
    path: `${list.path}/files`,
    scope,
    summary: `Download the PDFs of many ${name.split('.')[1]!.replaceAll('_', ' ')}`,
    description:
      `Those of the records in \`ids\`, in that order, or of all that \`filter\` leaves, ${MOST_RECORDS} at most: as a ` +
      '`zip`, each under the name that it is downloaded by alone, or as one `pdf`. What is not there yet is made first, ' +
      'drafts with their mark. The file is at `/api/v1/jobs/{id}/file` when the job has succeeded, for 7 days. The ' +
      "result lists as `entries` each record's `id`, the `status` that its download would have answered, and its `code` " +
      'where it has no file; the others are in the file.',
    body: z
      .strictObject({
        ...selectionFields(list, prefix),
        form: z.enum(['zip', 'pdf']).describe('`zip` unless said.').optional(),
      })
      .meta({ examples: [{ ids: id(prefix).meta()!['examples'], form: 'zip' }] }),
    status: 202,
    reply: z.strictObject({ job: JobResource }),
    raises: ['too_many'],
    async handle({ body: { form = 'zip', ...selection } }, work) {
      const ids = await selectedIds(work, set.list, selection);
      return { job: requestFiles(work, set, { ids, form }) };
    },
  });
}
