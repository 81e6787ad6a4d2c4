import type { ImportDomain } from '../../platform/imports/domain.ts';
import { dayFields } from './fields.ts';
import { daySession } from './merge.ts';
import { DayImportOptions } from './options.ts';
import { revertDays } from './revert.ts';

/** Days of members, a row a session. */
export const dayImport: ImportDomain<DayImportOptions> = {
  kind: 'attendance.records',
  title: { en: 'Days of attendance', ja: '勤怠' },
  prefix: 'aimp',
  domain: 'attendance',
  scope: 'attendance:write',
  options: DayImportOptions,
  check: async (_, options) => options,
  fields: async () => dayFields,
  open: (_, run) => daySession(run),
  revert: revertDays,
};
