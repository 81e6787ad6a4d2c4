import { z } from 'zod';
import { Blocker } from '../../shared/accounting/closing/blockers.ts';
import { closeFiscalYear, reopenFiscalYear } from '../../shared/accounting/closing/operations.ts';
import { Journal } from '../../shared/accounting/journals/record.ts';
import { createPeriodLock, deletePeriodLock } from '../../shared/accounting/locks/operations.ts';
import { periodLockPage } from '../../shared/accounting/locks/queries.ts';
import { PeriodLock, PeriodLockInput } from '../../shared/accounting/locks/record.ts';
import {
  createFiscalYear,
  deleteFiscalYear,
  updateFiscalYear,
} from '../../shared/accounting/years/operations.ts';
import { yearById, yearPage } from '../../shared/accounting/years/queries.ts';
import { FiscalYear, FiscalYearInput, FiscalYearPatch } from '../../shared/accounting/years/record.ts';
import { byId, day, text } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { deleting, FIELDS_SENT, resource } from '../http/resource.ts';

const year = resource({
  id: 'accounting.fiscal_years',
  path: '/api/v1/accounting/fiscal-years',
  domain: 'accounting',
  one: 'a fiscal year',
  prefix: 'fy',
});

const lock = resource({
  id: 'accounting.period_locks',
  path: '/api/v1/accounting/period-locks',
  domain: 'accounting',
  one: 'a period lock',
  prefix: 'lock',
});

const YearReply = z.strictObject({ fiscal_year: FiscalYear });

const ClosedReply = z.strictObject({
  fiscal_year: FiscalYear,
  closing_journal: Journal.nullable(),
  next_fiscal_year: FiscalYear.nullable(),
  blockers: z.array(Blocker),
});

const SETTINGS = { scope: 'settings:write' } as const;

export const fiscalYears = [
  list({
    ...year.list,
    summary: 'List fiscal years',
    description: 'Open and closed ones.',
    item: FiscalYear,
    sorts: ['start_date'],
    handle: ({ window }, reader) => yearPage(reader, window),
  }),
  read({
    ...year.get,
    description: '`closing_journal_id` names the entry that closed it.',
    reply: YearReply,
    handle: async ({ params }, reader) => ({ fiscal_year: await yearById(reader, params.id) }),
  }),
  write({
    ...year.create,
    ...SETTINGS,
    description: 'Years follow each other without gap or overlap, each of at most 18 months.',
    body: FiscalYearInput,
    reply: YearReply,
    raises: ['not_contiguous', 'opening_exists'],
    handle: async ({ body }, work) => ({ fiscal_year: await createFiscalYear(work, body) }),
  }),
  write({
    ...year.update,
    ...SETTINGS,
    description: `${FIELDS_SENT} Once entries are in the year only its name changes.`,
    body: FiscalYearPatch,
    reply: YearReply,
    raises: ['not_contiguous', 'in_use'],
    handle: async ({ params, body }, work) => ({
      fiscal_year: await updateFiscalYear(work, params.id, body),
    }),
  }),
  write({
    ...year.delete,
    ...SETTINGS,
    description: 'An open one without entries, the first or the last: one that was made by mistake.',
    raises: ['in_use', 'invalid_transition'],
    handle: deleting(deleteFiscalYear),
  }),
  write({
    ...SETTINGS,
    id: 'accounting.fiscal_years.close',
    method: 'post',
    path: '/api/v1/accounting/fiscal-years/:id/close',
    summary: 'Close a fiscal year',
    description:
      'In one commit its profit goes to retained earnings, a hard lock lies over it, and a year of 12 months follows. `dry_run` says what stands in the way and shows the entry.',
    params: byId('fy'),
    body: z.strictObject({ dry_run: z.boolean().optional() }).optional(),
    reply: ClosedReply,
    raises: ['invalid_transition', 'close_blocked', 'amount_too_large'],
    handle: ({ params, body }, work) => closeFiscalYear(work, params.id, { dry_run: body?.dry_run ?? false }),
  }),
  write({
    ...SETTINGS,
    id: 'accounting.fiscal_years.reopen',
    method: 'post',
    path: '/api/v1/accounting/fiscal-years/:id/reopen',
    summary: 'Reopen a fiscal year',
    description: 'The last closed one alone: a mirror takes its closing entry back, and its lock goes.',
    params: byId('fy'),
    body: z.strictObject({ reason: text(500).meta({ examples: ['監査による修正'] }) }),
    reply: ClosedReply,
    raises: ['invalid_transition'],
    handle: ({ params, body }, work) => reopenFiscalYear(work, params.id, body.reason),
  }),
];

export const periodLocks = [
  list({
    ...lock.list,
    summary: 'List period locks',
    description: '`date` leaves those that hold the day.',
    item: PeriodLock,
    filters: z.object({ date: day().optional() }),
    sorts: ['to'],
    handle: ({ filters, window }, reader) => periodLockPage(reader, filters, window),
  }),
  write({
    ...lock.create,
    ...SETTINGS,
    description:
      'What is being posted on these days ends first. `unposted_count` says how many entries of them wait to be posted.',
    body: PeriodLockInput,
    reply: z.strictObject({ period_lock: PeriodLock, unposted_count: z.int() }),
    handle: ({ body }, work) => createPeriodLock(work, body),
  }),
  write({
    ...lock.delete,
    ...SETTINGS,
    description: 'That of a closed year goes when the year is reopened.',
    raises: ['fiscal_year_closed'],
    handle: deleting(deletePeriodLock),
  }),
];
