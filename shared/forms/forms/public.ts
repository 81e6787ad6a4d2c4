import { z } from 'zod';
import { compiledForm } from '../answers/compiled.ts';
import { acceptingOfGuest } from './accepting.ts';
import { GuestAccepting } from './record.ts';
import type { AnsweredForm } from './rows.ts';

/** A published form as anybody may read it. Its settings are for staff. */
export const PublicForm = z
  .strictObject({
    title: z.string().meta({ examples: ['お問い合わせ'] }),
    version: z.int().meta({ examples: [1] }),
    schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('null while the form takes no response, and without the invitation that it asks for.')
      .meta({ examples: [{ version: 1, locale: 'ja', pages: [{ id: 'page_1', fields: [] }] }] }),
    accepting: GuestAccepting,
  })
  .meta({ id: 'PublicForm' });

export type PublicForm = z.output<typeof PublicForm>;

export function publicForm(answered: AnsweredForm, now: Date, invited: { is_invited: boolean }): PublicForm {
  const { title, number, schema_json, sha256 } = answered.version!;
  const accepting = acceptingOfGuest(answered, now, invited);
  const schema = accepting.open ? compiledForm(schema_json, sha256).schema : null;
  return { title, version: number, schema, accepting };
}
