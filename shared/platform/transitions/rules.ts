import { Failure } from '../../kernel/failure.ts';
import type { FailureCode } from '../../kernel/failures.ts';
import type { Text } from '../../kernel/language.ts';
import { allows, type Scope } from '../../kernel/scope.ts';
import type { Asking, KindOf, Kinds, Standing, Transition, TransitionTable } from './table.ts';

/** What follows from a table of transitions. */
export type Rules<
  K extends Kinds,
  Action extends string,
  Need extends string,
  CallNeed extends string,
  S,
  A,
  C,
> = {
  /** What can be done to a record now, in the order of the table's actions. */
  available: (standing: S, asking: A) => Action[];
  /**
   * The row that an action is, for a record that was locked. `call` is what the body says; without it the conditions of
   * calls are left aside, as in `available`. Errors: `invalid_transition` and the codes of the table, those of needs
   * with `current_status` and `available_actions`; `insufficient_scope` where the status asks for more than the action
   * does elsewhere.
   */
  require: (standing: S, action: Action, asking: A, call?: C) => Transition<K, Action, Need, CallNeed>;
  /** The codes with which the table refuses an action on records of a kind. */
  codes: (kind: KindOf<K>, action: Action) => FailureCode[];
};

/** The rules of a table: the endpoints' refusals, `available_actions`, and the codes of the reference. */
export function rulesOf<
  K extends Kinds,
  Action extends string,
  Need extends string,
  CallNeed extends string,
  S extends Standing<K>,
  A extends Asking,
  C,
>(table: TransitionTable<K, Action, Need, CallNeed, S, A, C>): Rules<K, Action, Need, CallNeed, S, A, C> {
  type Way = Transition<K, Action, Need, CallNeed>;
  const byStatus = waysByStatus<K, Way>(table);

  function available(standing: S, asking: A): Action[] {
    const open = new Set<Action>();
    for (const way of byStatus.get(standing.kind)?.get(standing.status) ?? []) {
      if (missingNeed(way, standing, asking) !== undefined) continue;
      if (missingScope(way, asking) === undefined) open.add(way.action);
    }
    return [...open];
  }

  function require(standing: S, action: Action, asking: A, call?: C): Way {
    const { kind, status } = standing;
    const { title } = table.kinds[kind]!;
    const named = withArticle(title.en);
    const ways = table.rows.filter((one) => one.kind === kind && one.action === action);
    const found = ways.find(({ from }) => from.some((one) => one === status));
    if (!found) {
      const sentence = {
        en: `${action} is not for ${named} that is ${status.replaceAll('_', ' ')}`,
        ja: `状態が ${status} の${title.ja}に ${action} は実行できません`,
      };
      throw refusal(barredBy(ways, status) ?? 'invalid_transition', standing, asking, { sentence });
    }
    const missing = missingNeed(found, standing, asking);
    if (missing !== undefined) {
      const { code, text, reason } = table.needs[missing];
      const sentence = {
        en: `${action} takes ${named} ${text.en.replaceAll('`', '')}`,
        ja: `${action} を実行できるのは、${text.ja.replaceAll('`', '')}${title.ja}だけです`,
      };
      throw refusal(code, standing, asking, reason?.(standing) ?? { sentence });
    }
    const lacking = missingScope(found, asking);
    if (lacking !== undefined) throw insufficient(lacking);
    const refused = call === undefined ? null : refusedCall(found, standing, call);
    if (refused) throw refused;
    return found;
  }

  function refusedCall({ call_needs = [] }: Way, standing: S, call: C): Failure | undefined {
    return call_needs
      .map((name) => table.call_needs[name].refuse(standing, call))
      .find((failure) => failure !== null);
  }

  function missingNeed({ needs = [] }: Way, standing: S, asking: A): Need | undefined {
    return needs.find((need) => !table.needs[need].holds(standing, asking));
  }

  function refusal(code: FailureCode, standing: S, asking: A, { sentence, members }: Reason): Failure {
    const available_actions = available(standing, asking);
    return new Failure(code, {
      detail: {
        en: `${sentence.en}; now it takes ${available_actions.join(', ') || 'nothing'}`,
        ja: `${sentence.ja}。いま実行できる操作：${available_actions.join('、') || 'なし'}`,
      },
      members: { current_status: standing.status, available_actions, ...members },
    });
  }

  function codes(kind: KindOf<K>, action: Action): FailureCode[] {
    const ways = table.rows.filter((one) => one.kind === kind && one.action === action);
    return [...new Set(['invalid_transition' as const, ...ways.flatMap((way) => codesOfRow(table, way))])];
  }

  return { available, require, codes };
}

/** The codes of a row, those of its needs before those of its statuses. */
export function codesOfRow<Need extends string, CallNeed extends string>(
  { needs, call_needs }: Codes<Need, CallNeed>,
  row: Refusing<Need, CallNeed>,
): FailureCode[] {
  return [
    ...(row.needs ?? []).map((name) => needs[name].code),
    ...(row.call_needs ?? []).map((name) => call_needs[name].code),
    ...Object.values(row.barred ?? {}).filter((code) => code !== undefined),
  ];
}

/** The part of a row that says with which codes it refuses. */
type Refusing<Need extends string, CallNeed extends string> = {
  needs?: readonly Need[] | undefined;
  call_needs?: readonly CallNeed[] | undefined;
  barred?: Readonly<Partial<Record<string, FailureCode>>> | undefined;
};

type Codes<Need extends string, CallNeed extends string> = {
  needs: Readonly<Record<Need, { code: FailureCode }>>;
  call_needs: Readonly<Record<CallNeed, { code: FailureCode }>>;
};

type Reason = { sentence: Text; members?: Record<string, unknown> };

/** The rows of each status of each kind, in the order of the actions: lists ask for every record. */
function waysByStatus<K extends Kinds, Way extends Transition<K>>({
  kinds,
  actions,
  rows,
}: {
  kinds: K;
  actions: readonly string[];
  rows: readonly Way[];
}): Map<string, Map<string, Way[]>> {
  return new Map(
    Object.entries(kinds).map(([kind, { statuses }]) => {
      const ways = actions.flatMap((action) =>
        rows.filter((one) => one.kind === kind && one.action === action),
      );
      const from = (status: string) => ways.filter((one) => one.from.some((each) => each === status));
      return [kind, new Map(statuses.map((status) => [status, from(status)]))];
    }),
  );
}

function barredBy(ways: readonly Pick<Transition, 'barred'>[], status: string): FailureCode | undefined {
  for (const { barred } of ways) {
    const known: Partial<Record<string, FailureCode>> = barred ?? {};
    if (known[status]) return known[status];
  }
  return undefined;
}

function missingScope({ scopes }: Pick<Transition, 'scopes'>, { grants }: Asking): Scope | undefined {
  return scopes.find((scope) => grants !== null && !allows(grants, scope));
}

function insufficient(scope: Scope): Failure {
  return new Failure('insufficient_scope', {
    detail: { en: `This needs the scope ${scope}`, ja: `スコープ ${scope} が必要です` },
    members: { required_scope: scope },
  });
}

function withArticle(title: string): string {
  return `${/^[aeiou]/.test(title) ? 'an' : 'a'} ${title}`;
}
