import type { SecureContextOptions } from 'node:tls';
import { type Database, EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { inWork } from '../../shared/db/in-work.ts';
import { unavailableBy } from '../../shared/db/outage.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import type { InboundEvent } from '../../shared/mail/bounces/event.ts';
import { keepInbound } from '../../shared/mail/bounces/keep.ts';
import { FAILED, PROCESSED, type WaitingMail, withBounceMailbox } from '../../shared/mail/bounces/mailbox.ts';
import { readMail } from '../../shared/mail/bounces/reading/reader.ts';
import { provenOrganization } from '../../shared/mail/bounces/recipients.ts';
import { MINUTE } from '../../shared/platform/sweeps/expiry.ts';
import type { Sweep } from '../../shared/platform/sweeps/sweep.ts';

/** Mails of one step: when the process dies, so many are read again. Each may have 10 MiB, and all are in memory. */
const TOGETHER = 10;

/** Mails of one run. */
const MOST = 1_000;

/** Milliseconds after which a run begins no further step. */
const LONGEST = 4 * MINUTE;

const nobody = { actor: systemActor, request_id: null, ip_address: null };

const notKept = (count: number) =>
  `${count} mails of the mailbox could not be kept and are in its folder ${FAILED}`;

/**
 * Reads the mailbox for bounces every minute, by one process of all. A mail is put away once what it tells is committed: where
 * the process dies in between, it is read again and counts once. One that cannot be kept is put aside and keeps no other from being read.
 */
export function bounceMailboxSweep(
  url: string,
  { clock, ca }: { clock: () => Date } & Pick<SecureContextOptions, 'ca'>,
): Sweep {
  return {
    name: 'bounce_mailbox',
    description: {
      en: 'Reads delivery reports and complaints from the mailbox of BOUNCE_MAILBOX_URL',
      ja: 'BOUNCE_MAILBOX_URL のメールボックスから、不達と苦情の通知を読み取ります',
    },
    every: MINUTE,
    run: (database, _now, signal) => {
      const until = clock().getTime() + LONGEST;
      return withBounceMailbox(
        url,
        async (mailbox) => {
          const faults: unknown[] = [];
          let count = 0;
          while (count < MOST && clock().getTime() < until && !signal.aborted) {
            const mails = await mailbox.waiting(TOGETHER);
            if (mails.length === 0) break;
            const kept: number[] = [];
            const failed: number[] = [];
            for (const mail of mails) {
              const fault = await faultOf(() => keepMail(database, mail, clock(), signal), signal);
              (fault === null ? kept : failed).push(mail.uid);
              if (fault !== null) faults.push(fault.error);
            }
            await mailbox.putAway(kept, PROCESSED);
            await mailbox.putAway(failed, FAILED);
            count += kept.length;
          }
          // The schedule logs it once, and operators see it.
          if (faults.length > 0) throw new AggregateError(faults, notKept(faults.length));
          return count;
        },
        { signal, ca },
      );
    },
  };
}

/** Why a mail cannot be kept; null where it was. What would fail for every other one is thrown: all of them are read again. */
async function faultOf(keep: () => Promise<void>, signal: AbortSignal): Promise<{ error: unknown } | null> {
  try {
    await keep();
    return null;
  } catch (error) {
    const isAway = error instanceof Failure ? error.code === 'unavailable' : unavailableBy(error) !== null;
    if (isAway || signal.aborted) throw error;
    return { error };
  }
}

/** Keeps a mail for the organization that it proves to be about. One that proves none is nobody's: nothing is kept of it. */
async function keepMail(
  database: Database,
  { content, fault }: WaitingMail,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  if (fault !== undefined) throw fault;
  if (content === null) return;
  const event = await readMail(content, signal);
  const organization_id = await organizationOf(database, event, now);
  if (organization_id === null) return;
  await database.withConnection(organization_id, (connection) =>
    inWork(
      { ...nobody, organization_id, connection, now },
      (work) => keepInbound(work, 'mailbox', [{ content, event, identity: content }]),
      { may_change_nothing: true },
    ),
  );
}

async function organizationOf(database: Database, event: InboundEvent, now: Date): Promise<string | null> {
  if (!('traces' in event)) return null;
  const organization_id = EVERY_ORGANIZATION;
  return database.withConnection(organization_id, (connection) =>
    provenOrganization({ ...nobody, organization_id, connection, now }, event.traces),
  );
}
