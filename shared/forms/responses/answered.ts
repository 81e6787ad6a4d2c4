import { z } from 'zod';
import { languages } from '../../kernel/language.ts';
import { id, timestamp } from '../../kernel/schema.ts';
import type { CompiledForm } from '../answers/compiled.ts';

const words = () =>
  z
    .union([z.string(), z.partialRecord(z.enum(languages), z.string())])
    .describe('One text for all languages, or one for each.')
    .meta({ examples: ['ありがとうございました'] });

/** How a form ends: what its schema says of the ending that was reached. */
export const ShownEnding = z
  .strictObject({
    id: z.string().meta({ examples: ['thanks'] }),
    title: words(),
    body: words().nullable(),
    redirect_url: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
  })
  .meta({ id: 'FormEnding' });

export type ShownEnding = z.output<typeof ShownEnding>;

/** A response as it is shown to who submitted it. */
export const OwnResponse = z
  .strictObject({
    id: id('resp'),
    object: z.literal('forms.response'),
    form_id: id('form'),
    data: z
      .record(z.string(), z.unknown())
      .describe('The answers as they are stored.')
      .meta({ examples: [{ kind: 'repair', seats: '12' }] }),
    submitted_at: timestamp(),
  })
  .meta({ id: 'OwnFormResponse' });

export type OwnResponse = z.output<typeof OwnResponse>;

/** A response as its sender sees it, spam or not. */
export function ownResponse({ id, form_id, data, submitted_at }: Omit<OwnResponse, 'object'>): OwnResponse {
  return { id, object: 'forms.response', form_id, data, submitted_at };
}

/** An ending of a form by its ID; null stands for the built-in one. */
export function endingOf({ schema }: CompiledForm, ending_id: string | null): ShownEnding | null {
  const ending = schema.endings?.find(({ id }) => id === ending_id);
  if (!ending) return null;
  const { id, title, body = null, redirect_url = null } = ending;
  return { id, title, body, redirect_url };
}
