import { z } from 'zod';
import type { Access } from '../../api/http/access.ts';
import { type FileField, upload } from '../../api/http/files/declarations.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import { createJob } from '../../shared/platform/jobs/operations.ts';

const MiB = 1024 * 1024;

/** An endpoint that takes a file and answers what it was handed. It refuses a file called `refused.csv`. */
export function uploading(
  difference: {
    path?: string;
    scope?: Access;
    file?: Partial<FileField>;
    together?: string;
    method?: 'post' | 'put' | 'patch';
  } = {},
) {
  const { path = 'files', scope = 'mail:write', file = {}, method = 'post', ...rest } = difference;
  return upload({
    id: `mail.${path}.create`,
    method,
    ...rest,
    path: `/api/v1/mail/${path}`,
    scope,
    summary: 'Take a file',
    file: { field: 'file', limit: 5 * MiB, keep: true, ...file },
    fields: z.strictObject({
      list_id: z.string().max(10).optional(),
      dry_run: z.boolean().optional(),
      rows: z.int().optional(),
      mapping: z.record(z.string(), z.enum(['email', 'name'])).optional(),
    }),
    status: 202,
    reply: z.strictObject({
      taken: z.record(z.string(), z.unknown()),
      names: z.array(z.string().meta({ examples: ['顧客一覧.csv'] })),
      fields: z.record(z.string(), z.unknown()),
    }),
    raises: ['already_exists'],
    async handle({ file, files, fields }, work) {
      createJob(work, { kind: 'mail.files', scope: 'mail:write', unit: null });
      if (file.file_name === 'refused.csv') throw new Failure('already_exists');
      const { head, ...rest } = file;
      const names = files.map(({ file_name }) => file_name);
      return { taken: { ...rest, head_size: head.length }, names, fields: fields ?? {} };
    },
  });
}

/** A form with one file and these fields. */
export function formWith(
  content: string | Uint8Array,
  { name = '顧客一覧.csv', ...fields }: Record<string, string> = {},
): FormData {
  const form = new FormData();
  for (const [field, text] of Object.entries(fields)) form.append(field, text);
  form.append('file', new Blob([content as Uint8Array<ArrayBuffer>], { type: 'text/csv' }), name);
  return form;
}
