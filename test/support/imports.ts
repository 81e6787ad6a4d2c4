import { Readable } from 'node:stream';
import { inWork } from '../../shared/db/in-work.ts';
import { bookkeeping, references } from '../../shared/domains.ts';
import type { Actor } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { mailContactImport } from '../../shared/mail/imports/domain.ts';
import type { ImportDomain } from '../../shared/platform/imports/domain.ts';
import { createImport } from '../../shared/platform/imports/operations.ts';
import type { CommonOptions } from '../../shared/platform/imports/options.ts';
import type { ImportRecord } from '../../shared/platform/imports/record.ts';
import { type Pace, steadyPace } from '../../shared/platform/imports/run/pace.ts';
import { runRevert } from '../../shared/platform/imports/run/revert.ts';
import { runImport } from '../../shared/platform/imports/run/run.ts';
import { keepFile, storeFile } from '../../shared/platform/storage/loose-files.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import type { TestActor } from './actors.ts';
import type { TestDatabase } from './database.ts';

export const mailImport: ImportDomain = mailContactImport;

const given = { references, bookkeeping };

/** Imports as the API and a worker's process would do them, step by step in this process. */
export type TestImports = ReturnType<typeof importsOf>;

export type ImportsOptions = {
  database: TestDatabase;
  storage: Storage;
  actor: TestActor;
  domain?: ImportDomain;
  clock?: () => Date;
};

export function importsOf({
  database: { database, url },
  storage,
  actor,
  domain = mailImport,
  clock = () => new Date(),
}: ImportsOptions) {
  const { organization_id, user_id } = actor;
  const who: Actor = { type: 'user', id: user_id, user_id, role: 'owner', grants: ['*'] };

  /** Runs `write` in a work of its own, for the actor. */
  function act<T>(write: (work: Work) => Promise<T>): Promise<T> {
    return database.withConnection(organization_id, (connection) => {
      const reader = {
        connection,
        organization_id,
        actor: who,
        now: clock(),
        request_id: null,
        ip_address: null,
      };
      return inWork(reader, write, { may_change_nothing: true });
    });
  }

  const part = async (write: (work: Work) => Promise<void>) => {
    await act(write);
  };
  /** There is one run at a time here. */
  const fence = async () => {};

  async function create(
    content: string | Buffer,
    options: Record<string, unknown> = {},
  ): Promise<ImportRecord> {
    const bytes = Buffer.from(content);
    const files = { database, storage };
    const stored = await storeFile(files, {
      organization_id,
      area: 'uploads',
      body: Readable.from([bytes]),
      limit: 300 * 2 ** 20,
      now: clock(),
    });
    const file = {
      ...stored,
      file_name: 'list.csv',
      media_type: 'text/csv',
      content_type: 'text/plain',
      scan: 'off' as const,
      finding: null,
      head: bytes.subarray(0, 2 ** 20),
    };
    return act(async (work) => {
      await keepFile(work, stored.storage_key);
      const parsed = domain.options.parse(options) as CommonOptions;
      return (await createImport(work, domain, { file, options: parsed })).row;
    });
  }

  /** One run of the import's job: to its end, or until `signal` aborts it as a kill would. */
  async function run(
    row: Pick<ImportRecord, 'id' | 'job_id'>,
    {
      pace = steadyPace(1_000),
      signal = new AbortController().signal,
      draining = new AbortController().signal,
    }: { pace?: Pace | (() => Pace); signal?: AbortSignal; draining?: AbortSignal } = {},
  ): Promise<void> {
    const paceOf = () => (typeof pace === 'function' ? pace() : pace);
    const runner = { direct_url: url, storage, domains: [domain], given, pace: paceOf, clock };
    const named = { import_id: row.id, job_id: row.job_id! };
    await runImport(runner, named, { organization_id, signal, draining, part, fence });
  }

  async function revert(row: Pick<ImportRecord, 'id' | 'job_id'>): Promise<void> {
    const named = { import_id: row.id, job_id: row.job_id! };
    const { signal } = new AbortController();
    await runRevert({ imports: [domain], given }, named, {
      organization_id,
      signal,
      draining: signal,
      part,
      fence,
    });
  }

  async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return database.withConnection(organization_id, (connection) => connection.query<Row>(text, values));
  }

  async function read(id: string): Promise<ImportRecord> {
    return (
      await query<ImportRecord>('SELECT * FROM imports WHERE organization_id = $1 AND id = $2', [
        organization_id,
        id,
      ])
    )[0]!;
  }

  return { organization_id, act, create, run, revert, query, read };
}
