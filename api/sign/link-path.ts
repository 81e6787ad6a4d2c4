import { z } from 'zod';

/** Where guests call who have the link of a signer. */
export const PATH = '/api/v1/sign/s/:token';

export const token = z
  .string()
  .describe("The token of the link: the last part of the address in the signer's mails.")
  .meta({ examples: ['V2s9kq3nXb1rT7mZ0aYc4eHd6fJg8iLk5oPq2uRw3xE'] });

export const linkParams = z.strictObject({ token });

/** What a call raises by the state of the document: to open it, and with access. */
export const OPENING = ['signing_expired', 'not_your_turn', 'invalid_transition', 'access_locked'] as const;
export const ACTING = ['signing_expired', 'not_your_turn', 'access_required', 'invalid_transition'] as const;
