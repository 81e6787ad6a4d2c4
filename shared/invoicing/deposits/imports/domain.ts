import { allows } from '../../../kernel/scope.ts';
import type { ImportDomain } from '../../../platform/imports/domain.ts';
import { depositFields } from './fields.ts';
import { remarkOnLine } from './line.ts';
import { depositSession } from './merge.ts';
import { DepositImportOptions } from './options.ts';
import { revertDeposits } from './revert.ts';

/** The statement of a bank, each line of which is money that came in or is left alone. */
export const depositImport: ImportDomain<DepositImportOptions> = {
  kind: 'invoicing.deposits',
  title: { en: 'Deposits of a statement', ja: '入金明細' },
  prefix: 'dimp',
  domain: 'invoicing',
  scope: 'invoicing:write',
  options: DepositImportOptions,
  async check(reader, options) {
    return { ...options, passes_soft_locks: allows(reader.actor.grants, 'settings:write') };
  },
  fields: async () => depositFields,
  has_preamble: true,
  remarkOn: remarkOnLine,
  open: (_, run, { bookkeeping }) => depositSession(run, bookkeeping),
  revert: (work, run, after, { bookkeeping }) => revertDeposits(work, run, after, bookkeeping),
};
