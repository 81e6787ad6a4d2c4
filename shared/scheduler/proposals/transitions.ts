import type { FailureCode } from '../../kernel/failures.ts';
import { rulesOf } from '../../platform/transitions/rules.ts';
import type { Asking, Transition, TransitionTable } from '../../platform/transitions/table.ts';

export const proposalStatuses = ['open', 'accepted', 'declined', 'expired', 'withdrawn'] as const;

export type ProposalStatus = (typeof proposalStatuses)[number];

/** What can be done to a proposal, in the order of `available_actions`: the first two by the guest, the last by members. */
export const proposalActions = ['accept', 'decline', 'withdraw'] as const;

export type ProposalAction = (typeof proposalActions)[number];

const kinds = {
  proposal: { title: { en: 'proposal', ja: '日程の提案' }, statuses: proposalStatuses },
} as const;

/** What decides what can be done to a proposal. */
export type Standing = { kind: 'proposal'; status: ProposalStatus };

const GUESTS = [] as const;
const MEMBERS = ['scheduler:write'] as const;

/** The life of proposals. What is open expires at `expires_at`, whether or not a job ran. */
export const proposalTransitions: TransitionTable<
  typeof kinds,
  ProposalAction,
  never,
  never,
  Standing,
  Asking,
  never
> = {
  kinds,
  actions: proposalActions,
  needs: {},
  call_needs: {},
  rows: (
    [
      [
        'accept',
        'accepted',
        GUESTS,
        {
          en: 'one of its times is booked, the others are free',
          ja: '候補の1つを予約し、ほかを空きに戻します',
        },
      ],
      ['decline', 'declined', GUESTS, { en: 'its times are free', ja: '候補の時間を空きに戻します' }],
      ['withdraw', 'withdrawn', MEMBERS, { en: 'its times are free', ja: '候補の時間を空きに戻します' }],
    ] as const
  ).map(
    ([action, to, scopes, effect]): Transition<typeof kinds, ProposalAction> => ({
      kind: 'proposal',
      action,
      from: ['open'],
      to,
      scopes,
      effect,
    }),
  ) as Transition<typeof kinds, ProposalAction, never, never>[],
};

const rules = rulesOf(proposalTransitions);

const GUEST_ACTIONS = ['accept', 'decline'] as const;

/** What members can do to a proposal now. */
export function actionsFor(status: ProposalStatus, asking: Asking): ProposalAction[] {
  const available = rules.available({ kind: 'proposal', status }, asking);
  return available.filter((action) => action === 'withdraw');
}

/** What its guest can do to it now. */
export function guestActionsFor(status: ProposalStatus): (typeof GUEST_ACTIONS)[number][] {
  const available = rules.available({ kind: 'proposal', status }, { grants: null });
  return GUEST_ACTIONS.filter((action) => available.includes(action));
}

/** Sees that an action may be done to a locked proposal. Errors: `invalid_transition`, `insufficient_scope`. */
export function requireAction(status: ProposalStatus, action: ProposalAction, asking: Asking): void {
  rules.require({ kind: 'proposal', status }, action, asking);
}

/** The codes with which the table refuses an action. */
export function refusalsOf(action: ProposalAction): FailureCode[] {
  return rules.codes('proposal', action);
}
