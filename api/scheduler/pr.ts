import { z } from 'zod';
import { freeText } from '../../shared/kernel/schema.ts';
import { declineProposal } from '../../shared/scheduler/proposals/life.ts';
import { proposalLinks } from '../../shared/scheduler/proposals/links.ts';
import { GuestProposal } from '../../shared/scheduler/proposals/record.ts';
import { proposalRow } from '../../shared/scheduler/proposals/rows.ts';
import { proposalForGuest } from '../../shared/scheduler/proposals/shown.ts';
import { refusalsOf } from '../../shared/scheduler/proposals/transitions.ts';
import { read, write } from '../http/endpoint.ts';

const PATH = '/api/v1/scheduler/pr/:token';

const token = z
  .string()
  .describe("The token of the proposal: the last part of its page's address.")
  .meta({ examples: ['3q2x0Zr1V8w4kQ6mT9bYd5nLhUe7sPcJaRoXfGiKvNM'] });

const guests = { scope: 'link', link: proposalLinks, params: z.strictObject({ token }) } as const;

const Reply = z.strictObject({ proposal: GuestProposal });

/** What the guest of a proposal calls, who has its link. */
export const pr = [
  read({
    ...guests,
    id: 'scheduler.guest_proposals.get',
    method: 'get',
    path: PATH,
    summary: 'Read a proposal as its guest',
    description:
      'It needs neither credentials nor an account, and changes nothing. The link works until 30 days after `expires_at`.',
    reply: Reply,
    handle: async ({ link }, reader) => ({
      proposal: await proposalForGuest(reader, await proposalRow(reader, link!.record_id)),
    }),
  }),
  write({
    ...guests,
    id: 'scheduler.guest_proposals.decline',
    method: 'post',
    path: `${PATH}/decline`,
    summary: 'Decline a proposal as its guest',
    description: 'None of its times fits: they are free at once, and the hosts are told by mail.',
    body: z.strictObject({
      reason: freeText(1_000)
        .nullable()
        .default(null)
        .describe('Told to the hosts.')
        .meta({ examples: ['その週は出張のため'] }),
    }),
    reply: Reply,
    raises: refusalsOf('decline'),
    handle: async ({ link, body }, work) => {
      const row = await declineProposal(work, link!.record_id, body.reason);
      await work.flush();
      return { proposal: await proposalForGuest(work, row) };
    },
  }),
];
