import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { id } from '../../kernel/schema.ts';
import { commonOptions, keepUnmapped } from '../../platform/imports/options.ts';
import { MailConsentInput } from '../contacts/record.ts';

const consent = MailConsentInput.refine(({ source }) => source !== null, {
  path: ['source'],
  params: { code: 'required' },
  error: says({ en: 'must say where the addresses come from', ja: 'にはアドレスの入手元を入力してください' }),
});

/** What an import of mail contacts takes. */
export const MailImportOptions = z.strictObject({
  ...commonOptions,
  list_id: id('mlist').optional().describe('A list that the contacts join.'),
  keep_unmapped: keepUnmapped,
  consent: consent
    .optional()
    .describe('Why all these contacts may be sent advertisements; `source` is required here.'),
});

export type MailImportOptions = z.output<typeof MailImportOptions>;
