import { z } from 'zod';
import { requestCopy } from '../../shared/cloud/copies/operations.ts';
import { copyInput } from '../../shared/cloud/copies/record.ts';
import { fileById } from '../../shared/cloud/files/queries.ts';
import { CloudFile } from '../../shared/cloud/files/record.ts';
import { fileSources } from '../../shared/domains.ts';
import { acceptedAs } from '../http/accepted.ts';
import { Answer } from '../http/declaration.ts';
import { write } from '../http/endpoint.ts';
import { JobReply } from '../http/schemas.ts';

const PATH = '/api/v1/cloud/files';

/** The file, or the job that copies it. */
export const CopyReply = z.union([z.strictObject({ file: CloudFile }), JobReply]);

/** The same path with JSON: the file comes from a record. */
export const fromRecord = write({
  id: 'cloud.files.create',
  method: 'post',
  path: PATH,
  scope: 'cloud:write',
  summary: 'Copy the file of a record',
  body: copyInput([...fileSources.keys()]),
  status: 202,
  also: [201],
  reply: CopyReply,
  raises: [
    'folder_permission',
    'already_exists',
    'quota_exceeded',
    'unknown_reference',
    'insufficient_scope',
  ],
  handle: async ({ body, cloud_quota_bytes }, work) => {
    const source = fileSources.get(body.source.type)!;
    return acceptedAs(await requestCopy(work, source, body, cloud_quota_bytes));
  },
  awaited: async ({ file_id }, reader) => {
    const file = await fileById(reader, file_id as string);
    return new Answer(201, { file }, { Location: `${PATH}/${file.id}` });
  },
});
