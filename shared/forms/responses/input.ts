import { z } from 'zod';
import { HONEYPOT } from '../tokens/token.ts';

const data = z
  .record(z.string(), z.unknown())
  .describe('The answers by the IDs of their fields.')
  .meta({ examples: [{ kind: 'repair', seats: 12 }] });

const hidden = z
  .record(z.string(), z.unknown())
  .describe('Values of the hidden names.')
  .meta({ examples: [{ campaign: 'spring' }] })
  .default({});

const locale = z
  .enum(['ja', 'en'])
  .describe("The language of who answers; the form's unless said.")
  .meta({ examples: ['ja'] })
  .optional();

/** What a member or a key submits. */
export const StaffSubmissionInput = z
  .strictObject({
    data,
    hidden,
    locale,
    version: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .describe('Any version that was published; the present one unless said.')
      .meta({ examples: [1] })
      .optional(),
  })
  .meta({ id: 'FormResponseInput' });

/** The text of a form token. */
export const formTokenText = z
  .string()
  .max(1_000)
  .describe('What `POST .../tokens` answered.')
  .meta({ examples: ['WzEsImZvcm1fMDFrYWoyIl0.V2s9kq3nXb1rT7mZ0aYc4eHd6fJg8iLk5oPq2uRw3xE'] });

/** What a guest submits. The honeypot's name is another with each form token. */
export const GuestSubmissionInput = z
  .object({
    form_token: formTokenText,
    data,
    hidden,
    locale,
    proof: z
      .string()
      .max(100)
      .describe('The number that solves the challenge, in decimal digits.')
      .meta({ examples: ['115236'] })
      .optional(),
  })
  .catchall(z.unknown())
  .superRefine((body, issues) => {
    for (const name of Object.keys(body)) {
      if (NAMES.has(name) || HONEYPOT.test(name)) continue;
      issues.addIssue({ code: 'unrecognized_keys', keys: [name], input: body, path: [] });
    }
  })
  .meta({ id: 'GuestFormResponseInput' });

const NAMES = new Set(['form_token', 'data', 'hidden', 'locale', 'proof']);

/** The answers that take the place of those before. */
export const EditInput = z.strictObject({ data }).meta({ id: 'FormResponseEdit' });
