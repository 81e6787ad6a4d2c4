import { z } from 'zod';
import { freeText } from '../../shared/kernel/schema.ts';
import { liveBusyAt } from '../../shared/scheduler/bookings/live.ts';
import { guestView } from '../../shared/scheduler/bookings/queries.ts';
import { GuestBooking } from '../../shared/scheduler/bookings/record.ts';
import { acceptProposal, liveOfAcceptance } from '../../shared/scheduler/proposals/accept.ts';
import { declineProposal } from '../../shared/scheduler/proposals/life.ts';
import { proposalLinks } from '../../shared/scheduler/proposals/links.ts';
import { Acceptance, GuestProposal } from '../../shared/scheduler/proposals/record.ts';
import { proposalRow } from '../../shared/scheduler/proposals/rows.ts';
import { proposalForGuest } from '../../shared/scheduler/proposals/shown.ts';
import { refusalsOf } from '../../shared/scheduler/proposals/transitions.ts';
import { Answer } from '../http/declaration.ts';
import { read, write } from '../http/endpoint.ts';
import { type Ended, linkOf } from './book.ts';
import { ANSWERS_LIMITS } from './bookings.ts';

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
    id: 'scheduler.guest_proposals.accept',
    method: 'post',
    path: `${PATH}/accept`,
    summary: 'Accept a time of a proposal as its guest',
    description:
      'It is booked, and the other times are free at once. The same start again answers the same booking (200). Where it was taken meanwhile, 409 `slot_taken` has the times that are free yet in `alternatives`. `guest_url` is the link of the booking; a replay answers it again.',
    body: Acceptance,
    body_limits: ANSWERS_LIMITS,
    status: 201,
    also: [200],
    reply: z.strictObject({
      proposal: GuestProposal,
      booking: GuestBooking,
      token: z.string().meta({ examples: ['V2s9kq3nXb1rT7mZ0aYc4eHd6fJg8iLk5oPq2uRw3xE'] }),
      guest_url: z.string().meta({
        examples: ['https://service.example.co.jp/b/V2s9kq3nXb1rT7mZ0aYc4eHd6fJg8iLk5oPq2uRw3xE'],
      }),
    }),
    secrets: ['token', 'guest_url'],
    renew: async ({ booking }, work, { base_url }) => linkOf(work, booking as Ended, base_url),
    raises: [...refusalsOf('accept'), 'slot_taken', 'not_bookable', 'calendar_unavailable', 'unavailable'],
    prepare: ({ link, body, outside }, { caller, database }) =>
      liveBusyAt({ database, services: outside, clock: () => caller.now }, caller.organization_id, (reader) =>
        liveOfAcceptance(reader, link!.record_id, body),
      ),
    handle: async ({ link, body, base_url, prepared: live }, work) => {
      const { proposal, booking, is_new } = await acceptProposal(work, link!.record_id, body, live);
      await work.flush();
      const reply = {
        proposal: await proposalForGuest(work, proposal),
        booking: await guestView(work, booking),
        ...(await linkOf(work, booking, base_url)),
      };
      return is_new ? reply : new Answer(200, reply);
    },
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
