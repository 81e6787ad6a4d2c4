import { randomUUID } from 'node:crypto';
import { arrivedBytes } from '../../../shared/cloud/uploads/arrived.ts';
import type { UploadRow } from '../../../shared/cloud/uploads/record.ts';
import { askForTurn, giveTurnBack, isTurnWanted, type Writer } from '../../../shared/cloud/uploads/turns.ts';
import { Failure } from '../../../shared/kernel/failure.ts';
import type { Work } from '../../../shared/kernel/work.ts';
import type { JobWatch, Presence } from '../../../shared/platform/jobs/notices.ts';
import type { Steps } from '../../http/steps.ts';

/** The turn of one request at an upload: only it adds bytes, and nobody else looks at the store. */
export type Turn = Writer & {
  id: string;
  /** Aborted when another request wants the turn, or this process may not have it any more. */
  over: AbortSignal;
  /** Gives the turn back with what has arrived; null where only the store knows. */
  giveBack(received: number | null): Promise<void>;
  /** The turn went with a transaction of its own. */
  left(): void;
};

/** Milliseconds until the turn is looked at again without a notice. */
const LOOK = 60_000;

/** What this process signs its turns with. Errors: `unavailable`. */
export async function newWriter({ context }: Steps): Promise<{ signed: Writer; presence: Presence }> {
  const presence = await context.notices.presence(context.time_limits.takeover);
  return { signed: { writer: randomUUID(), process: presence.number }, presence };
}

/**
 * Takes the turn at an upload that is receiving, and answers with null for others. An older request that has it is asked to
 * end, and waited for. `may_act` says whose uploads the caller may touch. Errors: `not_found`; `upload_locked` where it
 * does not end in time.
 */
export async function takeTurn(
  steps: Steps,
  id: string,
  may_act: (row: UploadRow) => boolean,
): Promise<{ row: UploadRow; turn: Turn | null }> {
  const { context } = steps;
  const { signed, presence } = await newWriter(steps);
  const watch = context.notices.watch(id);
  const ends_at = performance.now() + context.time_limits.takeover;
  try {
    for (;;) {
      const asked = await inUpload(steps, (work) => askForTurn(work, id, signed, may_act));
      if (asked.is_taken) {
        const turn = turnAt(steps, { id, signed, presence, watch });
        return { row: asked.was_left ? await lookedAt(steps, asked.row, turn) : asked.row, turn };
      }
      if (asked.row.status !== 'receiving') {
        watch.end();
        return { row: asked.row, turn: null };
      }
      const patience = ends_at - performance.now();
      if (patience <= 0) throw new Failure('upload_locked', { headers: { 'Retry-After': '1' } });
      await watch.changed(patience, context.ending);
    }
  } catch (error) {
    watch.end();
    throw error;
  }
}

/** The turn of the request that has made the upload, or taken it by now. */
export function turnAt(
  steps: Steps,
  { id, signed, presence, watch }: { id: string; signed: Writer; presence: Presence; watch: JobWatch },
): Turn {
  const { context } = steps;
  const wanted = new AbortController();
  const done = new AbortController();
  let owed: { received: number | null } | null = null;

  async function giveBack(received: number | null): Promise<void> {
    owed = { received };
    await inUpload(steps, async (work) =>
      giveTurnBack(work, id, signed.writer, { received, at: context.now() }),
    );
    done.abort();
  }

  /** Looks at each notice whether somebody wants the turn; one that could not be given back is then. */
  async function follow(): Promise<void> {
    while (!done.signal.aborted) {
      const isTold = await watch.changed(LOOK, done.signal);
      if (done.signal.aborted) break;
      if (!isTold) continue;
      if (owed) await giveBack(owed.received).catch(() => undefined);
      else if (await steps.read((reader) => isTurnWanted(reader, id, signed.writer)).catch(() => false)) {
        wanted.abort(new Failure('upload_locked', { headers: { 'Retry-After': '1' } }));
      }
    }
    watch.end();
  }

  follow();
  const endings = [
    [presence.lost, () => new Failure('unavailable', { headers: { 'Retry-After': '1' } })],
    [context.ending, processEnds],
  ] as const;
  for (const [signal, failure] of endings) {
    const end = () => wanted.abort(failure());
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true, signal: done.signal });
  }
  presence.lost.addEventListener('abort', () => done.abort(), { once: true, signal: done.signal });
  return { ...signed, id, over: wanted.signal, giveBack, left: () => done.abort() };
}

/** This process ends as it was told to: another one goes on with the upload. */
function processEnds(): Failure {
  return new Failure('unavailable', {
    is_expected: true,
    detail: {
      en: 'This process ends. Ask by HEAD how far the upload has come, after the seconds in Retry-After, and go on there.',
      ja: 'このプロセスは終了します。Retry-Afterの秒数が経過してから、HEADでアップロードの進み具合を確認し、続きから送信してください。',
    },
    headers: { 'Retry-After': '1' },
  });
}

/** A process died in the turn before: the store knows how far it came. */
async function lookedAt(steps: Steps, row: UploadRow, turn: Turn): Promise<UploadRow> {
  const { storage } = steps.context;
  const received_bytes = await arrivedBytes(storage, row).catch(async (error) => {
    await turn.giveBack(null);
    throw error;
  });
  return { ...row, received_bytes };
}

/** One transaction about an upload, which may leave no fact. */
export function inUpload<T>({ caller, write }: Steps, run: (work: Work) => Promise<T>): Promise<T> {
  return write({ organization_id: caller.organization_id, may_change_nothing: true }, run);
}
