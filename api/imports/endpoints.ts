import { z } from 'zod';
import { byId } from '../../shared/kernel/schema.ts';
import type { Domain, DomainName } from '../../shared/kernel/scope.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { errorLanguages } from '../../shared/platform/imports/cell-errors.ts';
import type { ImportDomain } from '../../shared/platform/imports/domain.ts';
import {
  cancelImport,
  createImport,
  pauseImport,
  resumeImport,
  revertImport,
  type Started,
} from '../../shared/platform/imports/operations.ts';
import {
  ImportError,
  importById,
  importErrorPage,
  importPage,
} from '../../shared/platform/imports/queries.ts';
import { type ImportRecord, importStatuses } from '../../shared/platform/imports/record.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { type Endpoint, read, write } from '../http/endpoint.ts';
import { upload } from '../http/files/declarations.ts';
import { list } from '../http/list.ts';
import { errorReport, errorReportOf } from './error-report.ts';
import { type Guard, type ImportedKind, uploadPathOf } from './imported-kind.ts';
import { previewOfUpload } from './preview.ts';

const MIB = 1024 * 1024;

export type ImportsDeclaration = {
  /** The first word of the IDs and of the path: `mail`, `crm`. */
  area: Domain;
  /** Where an area has several collections with imports of their own: what begins the IDs, and the path. */
  collection?: { id: DomainName; path: string };
  kinds: readonly ImportedKind[];
  /** An import as the area shows it. */
  resource: z.ZodType;
  show: (row: ImportRecord) => unknown;
};

/** Everything about imports in an area of the API: uploads by kind of record, and what becomes of them. */
export function importEndpoints(declaration: ImportsDeclaration): Endpoint[] {
  const { kinds } = declaration;
  return [
    ...kinds.flatMap((kind) => [uploadOf(declaration, kind), previewOfUpload(kind)]),
    ...readingEndpoints(declaration),
    ...actions(declaration),
  ];
}

function uploadOf({ resource, show }: ImportsDeclaration, kind: ImportedKind): Endpoint {
  const { domain, options, description, raises = [], guard } = kind;
  return upload({
    id: `${domain.kind}.import`,
    method: 'post',
    path: uploadPathOf(kind),
    scope: domain.scope,
    summary: `Import ${domain.kind.split('.')[1]!.replaceAll('_', ' ')} from CSV`,
    description:
      'Takes a file as it comes from a spreadsheet: UTF-8, UTF-16 or Shift_JIS, with commas, tabs or semicolons. A ' +
      'worker merges it; follow `job` or the import. Faulty rows never stop it: they are in its report of errors.' +
      (description ? ` ${description}` : ''),
    file: {
      field: 'file',
      limit: 200 * MIB,
      keep: true,
      description: 'At most 2,000,000 rows and 64 columns, 256 where it is an export of the same records.',
    },
    fields: options,
    status: 202,
    reply: z.strictObject({ import: resource, job: JobResource }),
    raises: ['unsupported_media_type', 'unknown_reference', ...raises, ...(guard?.raises ?? [])],
    async handle({ fields, file }, work) {
      guard?.check(work);
      const started = await createImport(work, domain, { file, options: domain.options.parse(fields) });
      return shown(started, show);
    },
  });
}

/** What the IDs of calls about imports begin with, and where they stand. */
function placeOf({ area, collection }: ImportsDeclaration) {
  const { id, path } = collection ?? { id: area, path: `/api/v1/${area}` };
  return { id: `${id}.imports`, path: `${path}/imports` };
}

function readingEndpoints(declaration: ImportsDeclaration): Endpoint[] {
  const { area, kinds, resource, show } = declaration;
  const domains = kinds.map(({ domain }) => domain);
  const { id, path } = placeOf(declaration);
  const scope = `${area}:read` as const;
  const params = byId(domains[0]!.prefix);
  const names = domains.map(({ kind }) => kind) as [string, ...string[]];
  const { raises, check } = guardOf(kinds);
  return [
    list({
      id: `${id}.list`,
      path,
      scope,
      summary: 'List imports',
      description:
        'Those of every kind of record and status. Counters are those of the last chunk of rows that was written.',
      item: resource,
      filters: z.object({
        status: z.enum(importStatuses).optional(),
        kind: z.enum(names).describe('What is imported.').optional(),
      }),
      raises,
      handle: async ({ filters, window }, reader) => {
        check(reader);
        const page = await importPage(reader, domains, filters, window);
        return { ...page, rows: page.rows.map(show) };
      },
    }),
    read({
      id: `${id}.get`,
      method: 'get',
      path: `${path}/:id`,
      scope,
      summary: 'Read an import',
      description:
        'Counters are those of the last chunk of rows that was written. While it works, `/jobs/{id}/events` of its `job_id` follows it.',
      params,
      reply: z.strictObject({ import: resource }),
      raises,
      handle: async ({ params }, reader) => {
        check(reader);
        return { import: show(await importById(reader, domains, params.id)) };
      },
    }),
    list({
      id: `${id}.errors`,
      path: `${path}/:id/errors`,
      scope,
      summary: 'List the faulty rows of an import',
      description:
        'In the order of the file; a row with several faults is in it once for each, and each says what is expected. `format=csv` answers a file with the original cells, to be mended and sent again, as often as needed. Faulty rows hold what people are told by, so they are kept for 30 days after the import has ended (`expires_at`); then the list is empty.',
      params,
      item: ImportError,
      filters: z.object({
        format: z.enum(['json', 'csv']).describe('`csv` answers a file, for a spreadsheet.').optional(),
        lang: z
          .enum(errorLanguages)
          .describe(
            'The language of messages and of the headings of the file; that of `Accept-Language` unless said.',
          )
          .optional(),
      }),
      generates: errorReport(area),
      raises,
      handle: async ({ params, filters, window, language }, reader) => {
        check(reader);
        const row = await importById(reader, domains, params.id);
        const lang = filters.lang ?? language;
        if (filters.format === 'csv') return errorReportOf(row, lang);
        return importErrorPage(reader, params.id, window, lang);
      },
    }),
  ];
}

/** How far the import of an example is; rows of each outcome add up to those that were read. */
const PART = {
  file_bytes: 96_400,
  has_header: true,
  total_rows: null,
  processed_rows: 1_200,
  created_count: 900,
  updated_count: 250,
  unchanged_count: 30,
  skipped_count: 0,
  duplicate_count: 5,
  suppressed_count: 0,
  error_count: 15,
  rows_per_second: 4_800,
  error: null,
  revert: null,
  started_at: '2026-04-01T00:30:01.000Z',
};

const OPEN = { ...PART, finished_at: null, expires_at: null };

const ENDED = {
  ...PART,
  total_rows: 1_200,
  finished_at: '2026-04-01T00:30:02.000Z',
  expires_at: '2026-05-01T00:30:02.000Z',
};

const NOTHING_UNDONE = { deleted_count: 0, restored_count: 0, removed_membership_count: 0, left_count: 0 };

type Action = {
  name: string;
  /** The import as it is then, in the example. */
  example: Record<string, unknown>;
  summary: string;
  description: string;
  act: (work: Work, domain: ImportDomain, id: string) => Promise<ImportRecord | Started>;
  raises?: readonly ['expired'];
};

const ACTIONS: readonly Action[] = [
  {
    name: 'cancel',
    example: { ...ENDED, total_rows: null, status: 'cancelled' },
    summary: 'Cancel an import',
    description:
      'It stops at its next chunk of rows; what it has written by then stays, and can be reverted.',
    act: cancelImport,
  },
  {
    name: 'pause',
    example: { ...OPEN, status: 'paused' },
    summary: 'Pause an import',
    description: 'It stops at its next chunk of rows, and its job is `paused` until it is resumed.',
    act: pauseImport,
  },
  {
    name: 'resume',
    example: { ...OPEN, status: 'queued' },
    summary: 'Resume an import',
    description: 'A paused import goes on where it was, with the same job.',
    act: resumeImport,
  },
  {
    name: 'revert',
    example: { ...ENDED, status: 'reverting', revert: NOTHING_UNDONE },
    summary: 'Undo an import',
    description:
      'Within 30 days of its end: deletes the records that it made, gives those that it changed their values back, and removes the memberships that it added. What somebody has changed since is left as it is, and counted.',
    act: revertImport,
    raises: ['expired'],
  },
];

function actions(declaration: ImportsDeclaration): Endpoint[] {
  const { area, kinds, resource, show } = declaration;
  const { id, path } = placeOf(declaration);
  const domains = kinds.map(({ domain }) => domain);
  const params = byId(domains[0]!.prefix);
  const guard = guardOf(kinds);
  return ACTIONS.map(({ name, example, summary, description, act, raises = [] }) => {
    const startsJob = name === 'resume' || name === 'revert';
    const only = z.strictObject({ import: resource });
    return write({
      id: `${id}.${name}`,
      method: 'post',
      path: `${path}/:id/${name}`,
      scope: `${area}:write` as const,
      summary,
      description,
      params,
      status: startsJob ? 202 : 200,
      reply: startsJob ? only.extend({ job: JobResource }) : only,
      example: { import: example },
      raises: ['invalid_transition', ...raises, ...guard.raises],
      async handle({ params }, work) {
        guard.check(work);
        const { kind } = await importById(work, domains, params.id);
        const acted = await act(work, domains.find((domain) => domain.kind === kind)!, params.id);
        return 'job' in acted ? shown(acted, show) : { import: show(acted) };
      },
    });
  });
}

/** An import may be of any of the kinds: who reads or stops it must be let by all of them. */
function guardOf(kinds: readonly ImportedKind[]): Guard {
  const guards = kinds.flatMap(({ guard }) => guard ?? []);
  return {
    raises: [...new Set(guards.flatMap(({ raises }) => raises))],
    check: (reader) => {
      for (const guard of guards) guard.check(reader);
    },
  };
}

function shown({ row, job }: Started, show: ImportsDeclaration['show']) {
  return { import: show(row), job };
}
