import type { Failure } from '../../kernel/failure.ts';
import type { FailureCode } from '../../kernel/failures.ts';
import type { Text } from '../../kernel/language.ts';
import type { Grant, Scope } from '../../kernel/scope.ts';

/** The kinds of record that a table is about; `title` is the kind in words, in the singular. */
export type Kinds = Readonly<Record<string, { title: Text; statuses: readonly [string, ...string[]] }>>;

export type KindOf<K extends Kinds> = keyof K & string;

export type StatusOf<K extends Kinds, Kind extends KindOf<K> = KindOf<K>> = K[Kind]['statuses'][number];

/** `same` where the status stays, `gone` where the record ends, `by balance` where it follows from amounts. */
export type OtherEnd = 'same' | 'gone' | 'by balance';

/** What every table asks of a record; a domain adds what its conditions read. */
export type Standing<K extends Kinds = Kinds> = { kind: KindOf<K>; status: string };

/** Who asks: the scopes of the caller, or null to answer without regard to any caller. */
export type Asking = { grants: readonly Grant[] | null };

/** What must hold of a record beside its status. */
export type Condition<S, A> = {
  /** Follows the statuses in the guide, and the kind in the refusal: `with open quantity`. */
  text: Text;
  code: FailureCode;
  holds: (standing: S, asking: A) => boolean;
  /** A sentence that says more than `text`, and its facts for programs. */
  reason?: (standing: S) => { sentence: Text; members: Record<string, unknown> };
};

/** What must hold of a call. Its body can make it true, so `available_actions` lists the action either way. */
export type CallCondition<S, C> = {
  /** Stands in the guide's column of effects, before `, else 409` and the code. */
  text: Text;
  code: FailureCode;
  /** Null where the call may go on. */
  refuse: (standing: S, call: C) => Failure | null;
};

/** One thing that can be done to records of a kind. */
export type Transition<
  K extends Kinds = Kinds,
  Action extends string = string,
  Need extends string = string,
  CallNeed extends string = string,
> = {
  kind: KindOf<K>;
  action: Action;
  from: readonly StatusOf<K>[];
  to: StatusOf<K> | OtherEnd;
  /** All of these are asked for. */
  scopes: readonly Scope[];
  /** Asked for in this order, before the scopes. */
  needs?: readonly Need[];
  /** Asked for in this order, after the scopes. */
  call_needs?: readonly CallNeed[];
  /** Statuses that are refused with a code that says more than `invalid_transition`. */
  barred?: Readonly<Partial<Record<StatusOf<K>, FailureCode>>>;
  /** What it does, for the guide; null where that follows from the statuses. */
  effect: Text | null;
};

/** Everything that can be done to the records of a domain, as that domain declares it. What has no row is refused. */
export type TransitionTable<
  K extends Kinds = Kinds,
  Action extends string = string,
  Need extends string = string,
  CallNeed extends string = string,
  S = never,
  A = never,
  C = never,
> = {
  kinds: K;
  /** In the order of `available_actions`. */
  actions: readonly Action[];
  needs: Readonly<Record<Need, Condition<S, A>>>;
  call_needs: Readonly<Record<CallNeed, CallCondition<S, C>>>;
  rows: readonly Transition<K, Action, Need, CallNeed>[];
};

/** One row as a domain writes it: action, statuses before, status after, effect, and what differs from the default. */
export type Row<
  K extends Kinds,
  Kind extends KindOf<K>,
  Action extends string,
  Need extends string,
  CallNeed extends string,
> = [
  action: Action,
  from: readonly StatusOf<K, Kind>[],
  to: StatusOf<K, Kind> | OtherEnd,
  effect: Text | null,
  more?: Partial<Pick<Transition<K, Action, Need, CallNeed>, 'scopes' | 'needs' | 'call_needs' | 'barred'>>,
];

/** An effect of several parts, in their order. */
export function effectOf(...parts: readonly Text[]): Text {
  return { en: parts.map(({ en }) => en).join('; '), ja: parts.map(({ ja }) => ja).join('。') };
}
