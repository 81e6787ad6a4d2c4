import assert from 'node:assert/strict';
import { Failure } from '../../shared/kernel/failure.ts';
import { rulesOf } from '../../shared/platform/transitions/rules.ts';
import type {
  Asking,
  KindOf,
  Kinds,
  Standing,
  Transition,
  TransitionTable,
} from '../../shared/platform/transitions/table.ts';

/** The code with which a call is refused, or `allowed`. */
export function codeOf(run: () => unknown): string {
  try {
    run();
    return 'allowed';
  } catch (error) {
    assert.ok(error instanceof Failure);
    return error.code;
  }
}

/**
 * The ways that a table has twice: an action from one status of one kind. `apart` tells two apart that never hold
 * together.
 */
export function doubledWays<
  K extends Kinds,
  Action extends string,
  Need extends string,
  CallNeed extends string,
>(
  { rows }: { rows: readonly Transition<K, Action, Need, CallNeed>[] },
  apart: (row: Transition<K, Action, Need, CallNeed>) => string = () => '',
): string[] {
  const ways = rows.flatMap((row) =>
    row.from.map((status) => `${row.kind} ${row.action} ${status} ${apart(row)}`),
  );
  return ways.filter((way, place) => ways.indexOf(way) < place);
}

/** The statuses that no row leads to, but the first of each kind; `others` follow from amounts. */
export function unreachedStatuses<K extends Kinds>(
  { kinds, rows }: { kinds: K; rows: readonly { kind: KindOf<K>; to: string }[] },
  others: readonly string[] = [],
): string[] {
  return Object.entries(kinds).flatMap(([kind, { statuses }]) => {
    const reached = new Set([...rows.filter((one) => one.kind === kind).map(({ to }) => to), ...others]);
    return statuses
      .slice(1)
      .filter((status) => !reached.has(status))
      .map((status) => `${kind} ${status}`);
  });
}

/** For every kind, status and caller: `available_actions` lists exactly what a call lets through. */
export function requireAgreement<
  K extends Kinds,
  Action extends string,
  Need extends string,
  CallNeed extends string,
  S extends Standing<K>,
  A extends Asking,
  C,
>(
  table: TransitionTable<K, Action, Need, CallNeed, S, A, C>,
  { askings, standings }: { askings: readonly A[]; standings: (kind: KindOf<K>, status: string) => S[] },
): void {
  const rules = rulesOf(table);
  const kinds = Object.keys(table.kinds) as KindOf<K>[];
  for (const kind of kinds) {
    for (const standing of table.kinds[kind]!.statuses.flatMap((status) => standings(kind, status))) {
      for (const asking of askings) {
        const allowed = table.actions.filter(
          (action) => codeOf(() => rules.require(standing, action, asking)) === 'allowed',
        );
        assert.deepEqual(rules.available(standing, asking), allowed);
      }
    }
  }
}
