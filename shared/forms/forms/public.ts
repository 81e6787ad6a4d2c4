import { z } from 'zod';
import { compiledForm } from '../answers/compiled.ts';
import { acceptingOf } from './accepting.ts';
import { Accepting } from './record.ts';
import type { AnsweredForm } from './rows.ts';

/** A published form as anybody may read it. Its settings are for staff. */
export const PublicForm = z
  .strictObject({
    title: z.string().meta({ examples: ['お問い合わせ'] }),
    version: z.int().meta({ examples: [1] }),
    schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('null while the form takes no response.')
      .meta({ examples: [{ version: 1, locale: 'ja', pages: [{ id: 'page_1', fields: [] }] }] }),
    accepting: Accepting,
  })
  .meta({ id: 'PublicForm' });

export type PublicForm = z.output<typeof PublicForm>;

export function publicForm({ form, settings, counts, version }: AnsweredForm, now: Date): PublicForm {
  const { title, number, schema_json, sha256 } = version!;
  const accepting = acceptingOf(form, settings, counts, now);
  const schema = accepting.open ? compiledForm(schema_json, sha256).schema : null;
  return { title, version: number, schema, accepting };
}
