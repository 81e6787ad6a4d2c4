import { z } from 'zod';
import { factsOf } from '../../kernel/fact.ts';
import { freeText, id } from '../../kernel/schema.ts';
import { permissions } from '../permissions.ts';

/** Grants that one folder may have. */
export const MOST_GRANTS = 100;

const Grant = z.strictObject({
  type: z.enum(['user', 'department', 'role']),
  id: freeText(100)
    .describe(
      '`usr_...`, the name of a role, or the ID of a department: that counts for its members and for those of the departments below it.',
    )
    .meta({ examples: ['usr_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
  role: z.enum(permissions).meta({ examples: ['editor'] }),
});

const fields = {
  mode: z
    .enum(['inherited', 'restricted'])
    .describe(
      '`restricted`: who has a grant sees the folder and what is below it, and nobody else but owner and admins.',
    )
    .meta({ examples: ['restricted'] }),
  grants: z.array(Grant).max(MOST_GRANTS).describe('Of several for one person the highest counts.'),
};

/** Who sees a folder, as the API shows it. */
export const FolderAccess = z
  .strictObject({ id: id('fold'), object: z.literal('cloud.access'), ...fields })
  .meta({ id: 'CloudFolderAccess' });

export type FolderAccess = z.output<typeof FolderAccess>;

export const FolderAccessInput = z.strictObject({ mode: fields.mode, grants: fields.grants.optional() });

export type FolderAccessInput = z.output<typeof FolderAccessInput>;

export const accessFacts = factsOf({ domain: 'cloud', entity_type: 'access' });
