import { z } from 'zod';
import { accountTypes, sectionNames } from '../../shared/accounting/accounts/kinds.ts';
import { createAccount, deleteAccount, updateAccount } from '../../shared/accounting/accounts/operations.ts';
import { accountById, accountPage } from '../../shared/accounting/accounts/queries.ts';
import { Account, AccountInput, AccountPatch, accountKind } from '../../shared/accounting/accounts/record.ts';
import { seedAccounts } from '../../shared/accounting/accounts/seed.ts';
import { booleanParameter } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { deleting, FIELDS_SENT, resource } from '../http/resource.ts';

const account = resource({
  id: 'accounting.accounts',
  path: '/api/v1/accounting/accounts',
  domain: 'accounting',
  one: 'an account',
  prefix: 'acc',
});

const AccountReply = z.strictObject({ account: Account });

const Seeded = z
  .strictObject({
    created: z.int().describe('How many accounts were made.'),
    skipped: z.int().describe('How many codes of the chart were there.'),
    differing: z
      .array(z.string().meta({ examples: ['1140'] }))
      .describe('Those of them that are of another type.'),
  })
  .meta({ id: 'SeededAccounts' });

export const accounts = [
  list({
    ...account.list,
    summary: 'List accounts',
    description: '`search` looks at code and names.',
    item: Account,
    looked_up: accountKind,
    limit: { default: 100, most: 500 },
    filters: z.object({
      search: z.string().max(200).optional(),
      account_type: z.enum(accountTypes).optional(),
      section: z.enum(sectionNames).optional(),
      is_active: booleanParameter().optional(),
    }),
    sorts: ['code', 'name'],
    handle: ({ filters, window }, reader) => accountPage(reader, filters, window),
  }),
  write({
    id: 'accounting.accounts.seed',
    method: 'post',
    path: '/api/v1/accounting/accounts/seed',
    scope: 'accounting:write',
    summary: 'Add the standard chart of accounts',
    description:
      'Makes those of the 150 accounts of a Japanese company whose codes are free, and fills the empty places of the account map. A second call makes none.',
    reply: Seeded,
    handle: (_, work) => seedAccounts(work),
  }),
  read({
    ...account.get,
    description: '`has_lines` says whether entries name it.',
    reply: AccountReply,
    handle: async ({ params }, reader) => ({ account: await accountById(reader, params.id) }),
  }),
  write({
    ...account.create,
    description: 'Section and class follow from the parent or the type unless they are said.',
    body: AccountInput,
    reply: AccountReply,
    raises: ['already_exists', 'unknown_reference', 'cycle'],
    handle: async ({ body }, work) => ({ account: await createAccount(work, body) }),
  }),
  write({
    ...account.update,
    description: `${FIELDS_SENT} The type stays once lines are posted; section and what the cash flow takes it for once a line is in a closed year.`,
    body: AccountPatch,
    reply: AccountReply,
    raises: ['already_exists', 'unknown_reference', 'cycle', 'in_use'],
    handle: async ({ params, body }, work) => ({ account: await updateAccount(work, params.id, body) }),
  }),
  write({
    ...account.delete,
    description: 'One with lines, sub-accounts or a place in the account map stays: 409 `in_use`.',
    raises: ['in_use'],
    handle: deleting(deleteAccount),
  }),
];
