import { z } from 'zod';
import { byId, id } from '../../shared/kernel/schema.ts';
import { createProposal } from '../../shared/scheduler/proposals/create.ts';
import { updateProposal, withdrawProposal } from '../../shared/scheduler/proposals/life.ts';
import { proposalLink } from '../../shared/scheduler/proposals/links.ts';
import { proposalPage } from '../../shared/scheduler/proposals/queries.ts';
import {
  Proposal,
  ProposalInput,
  ProposalPatch,
  proposalKind,
} from '../../shared/scheduler/proposals/record.ts';
import { proposalRow } from '../../shared/scheduler/proposals/rows.ts';
import { shownProposal } from '../../shared/scheduler/proposals/shown.ts';
import { proposalStatuses, refusalsOf } from '../../shared/scheduler/proposals/transitions.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { resource } from '../http/resource.ts';

const PATH = '/api/v1/scheduler/proposals';

const proposal = resource({
  id: 'scheduler.proposals',
  path: PATH,
  domain: 'scheduler',
  one: 'a proposal',
  prefix: 'prop',
});

const Reply = z.strictObject({ proposal: Proposal });

/** Proposals of several times, of which a guest accepts one. */
export const proposals = [
  list({
    ...proposal.list,
    summary: 'List proposals',
    description: 'As they stand by now: what nobody answered in time is `expired`.',
    item: Proposal,
    looked_up: proposalKind,
    filters: z.object({
      status: manyOf(z.enum(proposalStatuses))
        .describe('Several with commas.')
        .meta({ examples: ['open,accepted'] })
        .optional(),
      user_id: id('usr').describe('Who hosts.').optional(),
    }),
    handle: ({ filters, window }, reader) => proposalPage(reader, filters, window),
  }),
  write({
    ...proposal.create,
    summary: 'Propose times',
    description:
      'Several times of which the guest accepts one, by the page at `guest_url`, which the mail names. With `hold: tentative` all of them are kept for every host while it is open, all or none: 409 `slot_taken` has an entry for each that is not free. Buffers, hours and limits of an event type are not asked about.',
    body: ProposalInput,
    reply: z.strictObject({
      proposal: Proposal,
      guest_url: z
        .string()
        .describe('The page for the guest, the same in every mail.')
        .meta({ examples: ['https://service.example.co.jp/pr/3q2x0Zr1V8w4kQ6mT9bYd5nLhUe7sPcJaRoXfGiKvNM'] }),
    }),
    secrets: ['guest_url'],
    renew: async ({ proposal }, { connection, organization_id, now }, { base_url }) => ({
      guest_url: await proposalLink(
        { connection, now, base_url },
        { organization_id, ...(proposal as Proposal) },
      ),
    }),
    raises: [
      'unknown_reference',
      'members_mismatch',
      'already_exists',
      'not_bookable',
      'slot_taken',
      'unavailable',
    ],
    handle: async ({ body, base_url }, work) => {
      const row = await createProposal(work, body);
      await work.flush();
      const { connection, organization_id, now } = work;
      return {
        proposal: await shownProposal(work, row),
        guest_url: await proposalLink({ connection, now, base_url }, { organization_id, ...row }),
      };
    },
  }),
  read({
    ...proposal.get,
    description: 'With which of its times are free now.',
    reply: Reply,
    handle: async ({ params }, reader) => ({
      proposal: await shownProposal(reader, await proposalRow(reader, params.id)),
    }),
  }),
  write({
    ...proposal.update,
    description: 'Your own IDs alone: a proposal itself is withdrawn and made anew.',
    body: ProposalPatch,
    reply: Reply,
    raises: ['already_exists'],
    handle: async ({ params, body }, work) => {
      const row = await updateProposal(work, params.id, body);
      await work.flush();
      return { proposal: await shownProposal(work, row) };
    },
  }),
  write({
    id: 'scheduler.proposals.withdraw',
    method: 'post',
    path: `${PATH}/:id/withdraw`,
    scope: 'scheduler:write',
    summary: 'Withdraw a proposal',
    description: 'Its times are free at once, and the guest is told by mail.',
    params: byId('prop'),
    reply: Reply,
    raises: refusalsOf('withdraw'),
    handle: async ({ params }, work) => {
      const row = await withdrawProposal(work, params.id);
      await work.flush();
      return { proposal: await shownProposal(work, row) };
    },
  }),
];
