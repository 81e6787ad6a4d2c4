import { Failure } from '../../kernel/failure.ts';
import { allows } from '../../kernel/scope.ts';
import type { ImportDomain } from '../../platform/imports/domain.ts';
import { findAccountingSettings } from '../settings/queries.ts';
import { journalFields } from './fields.ts';
import { journalSession } from './merge.ts';
import { JournalImportOptions } from './options.ts';
import { revertEntries } from './revert.ts';

/** Entries of several rows each, as the CSV of the journal book has them. */
export const journalImport: ImportDomain<JournalImportOptions> = {
  kind: 'accounting.journals',
  title: { en: 'Journal entries', ja: '仕訳' },
  prefix: 'jimp',
  domain: 'accounting',
  scope: 'accounting:write',
  options: JournalImportOptions,
  async check(reader, options) {
    const { approval } = await findAccountingSettings(reader);
    if (options.post && approval.required) throw new Failure('approval_required');
    return { ...options, passes_soft_locks: allows(reader.actor.grants, 'settings:write') };
  },
  fields: async () => journalFields,
  // The number of a row is that of another program, and no entry is known by it.
  makesAnew: (rows) => rows.length > 0,
  open: (_, run) => journalSession(run),
  revert: revertEntries,
};
