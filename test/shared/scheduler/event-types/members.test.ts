import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Assignment, memberRoles } from '../../../../shared/scheduler/event-types/fields.ts';
import { isHosted } from '../../../../shared/scheduler/event-types/shape.ts';

/** Who hosts, by the first letters of their roles, as the page says it of each assignment. */
const RULES: Record<Assignment, (roles: string) => boolean> = {
  single: (roles) => roles === 'r',
  collective: (roles) => /^[ro]*$/.test(roles) && roles.includes('r'),
  round_robin: (roles) => roles.includes('t'),
};

const LETTERS: Record<string, (typeof memberRoles)[number]> = {
  r: 'required',
  o: 'optional',
  t: 'rotating',
};

/** All combinations of up to three roles. */
const combinations = [
  '',
  ...['r', 'o', 't'].flatMap((one) => [one, ...pairs(one).flatMap((two) => [two, ...pairs(two)])]),
];

function pairs(before: string): string[] {
  return Object.keys(LETTERS).map((letter) => before + letter);
}

for (const [assignment, rule] of Object.entries(RULES)) {
  test(`${assignment}: which members can host`, () => {
    assert.equal(combinations.length, 1 + 3 + 9 + 27);
    for (const roles of combinations) {
      const members = [...roles].map((letter) => ({ role: LETTERS[letter]! }));
      assert.equal(isHosted(members, assignment as Assignment), rule(roles), roles);
    }
  });
}
