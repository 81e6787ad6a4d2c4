import { failureOf } from '../../shared/db/constraint.ts';
import { inWork } from '../../shared/db/in-work.ts';
import { bookkeeping } from '../../shared/domains.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import type { RecordAction } from '../../shared/platform/batches/action.ts';
import { noteOutcome } from '../../shared/platform/batches/operations.ts';
import type { BatchRequest, OpenEntry } from '../../shared/platform/batches/record.ts';
import type { SealSettings } from '../../shared/platform/settings/settings.ts';
import { type Delivery, Overtaken } from '../kernel/handler.ts';
import { presentActor, refusalOf } from './present-actor.ts';

/** A batch at work. */
export type Doing = {
  job_id: string;
  request: BatchRequest;
  action: RecordAction;
  /** What the settings say about the seals of signed documents. */
  seal: SealSettings;
  delivery: Delivery;
};

/**
 * Does the action of a batch to one record as its single call would: on behalf of who asked, with what they may do by
 * now, in one transaction with the outcome. A refusal is the record's outcome. What refuses for the moment (the database
 * is away, a lock was not had in time) is thrown, so that the batch is tried again from here; at its last try it is an
 * outcome too.
 */
export async function doToRecord(doing: Doing, entry: OpenEntry): Promise<void> {
  const { job_id, action, delivery } = doing;
  try {
    await act(doing, entry);
  } catch (error) {
    if (error instanceof Overtaken || delivery.signal.aborted) throw error;
    const failure = failureOf(error);
    if (failure.code === 'unavailable' && !delivery.is_last_attempt) throw error;
    if (failure.code === 'internal_error') {
      const about = { record_id: entry.record_id, action: doing.request.action, status: action.status };
      delivery.log.error({ ...about, error }, 'A record of a batch met an unexpected error');
    }
    await delivery.part(async (work) => noteOutcome(work, job_id, entry.position, refusalOf(failure.code)));
  }
}

async function act(
  { job_id, request, action, seal, delivery }: Doing,
  { position, record_id }: OpenEntry,
): Promise<void> {
  const { database, organization_id, clock, signal } = delivery;
  const { request_id, ip_address, mail_limits } = request;
  const run = async (connection: Reader['connection']) => {
    const actor = { ...request.actor, role: null, grants: [] };
    const asking: Reader = { connection, organization_id, actor, now: clock(), request_id, ip_address };
    const present = await presentActor(asking, request.actor, action.scope);
    if ('refused' in present) throw new Failure(present.refused);
    const body = action.body ? action.body.parse(request.body) : undefined;
    await inWork({ ...asking, actor: present.actor }, async (work) => {
      await delivery.fence(connection);
      await action.act(work, record_id, body, { mail_limits, bookkeeping, seal });
      noteOutcome(work, job_id, position, { status: action.status ?? 200, code: null });
    });
  };
  await database.withConnection(organization_id, run, signal);
}
