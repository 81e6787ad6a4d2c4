import { z } from 'zod';
import { timestamp } from '../../kernel/schema.ts';

const sha256 = () =>
  z.string().meta({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] });

/** The upload, as it came. */
export const OriginalFile = z
  .strictObject({
    file_name: z.string().meta({ examples: ['業務委託契約書.pdf'] }),
    size_bytes: z.int().meta({ examples: [48_213] }),
    sha256: sha256(),
    page_count: z.int().meta({ examples: [10] }),
    has_signatures: z
      .boolean()
      .describe('Whether it came with signatures of others: they are kept.')
      .meta({ examples: [false] }),
  })
  .meta({ id: 'SignFile' });

/** A file that the service made and sealed. */
export const SealedFile = z
  .strictObject({
    sha256: sha256(),
    size_bytes: z.int().meta({ examples: [112_640] }),
    page_count: z.int().meta({ examples: [12] }),
  })
  .meta({ id: 'SignSealedFile' });

/** The seal on the signed file. */
export const Seal = z
  .strictObject({
    level: z.enum(['B-B', 'B-LTA']).describe('Of PAdES (ETSI EN 319 142-1).'),
    sealed_at: timestamp(),
    certificate_sha256: sha256(),
    timestamp_at: timestamp()
      .nullable()
      .meta({ examples: [null] }),
  })
  .meta({ id: 'SignSeal' });
