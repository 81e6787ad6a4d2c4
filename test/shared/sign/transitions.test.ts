import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { documentTransitions, type Standing } from '../../../shared/sign/documents/transitions.ts';
import { groupInTurn, toBeAsked } from '../../../shared/sign/life/turn.ts';
import { doubledWays, requireAgreement, unreachedStatuses } from '../../support/transitions.ts';

const bothWays = [true, false];

const standings = (kind: 'document', status: string): Standing[] =>
  bothWays.flatMap((is_unsigned) =>
    bothWays.flatMap((is_asked) =>
      bothWays.flatMap((sealing_failed) =>
        bothWays.map((is_retained) => {
          const retention_until = is_retained ? '2037-03-31' : null;
          return { kind, status, is_unsigned, is_asked, sealing_failed, is_retained, retention_until };
        }),
      ),
    ),
  );

describe('the table of documents', () => {
  test('has each way once, and reaches every status but the one that the seal brings', () => {
    assert.deepEqual(doubledWays(documentTransitions), []);
    assert.deepEqual(unreachedStatuses(documentTransitions, ['signed']), []);
  });

  test('lists what it lets through, with and without the right to write', () => {
    const askings = [{ grants: ['sign:write'] as const }, { grants: ['sign:read'] as const }];
    requireAgreement(documentTransitions, { askings, standings });
  });
});

describe('the turn', () => {
  const signer = (order_group: number, status: string, role = 'signer') =>
    ({ order_group, status, role }) as Parameters<typeof groupInTurn>[0][number];

  test('is that of the lowest group in which somebody has not signed, whatever stands in it', () => {
    const signers = [
      signer(3, 'waiting'),
      signer(1, 'signed'),
      signer(2, 'notified'),
      signer(2, 'waiting'),
      signer(1, 'waiting', 'cc'),
    ];
    assert.equal(groupInTurn(signers), 2);
    assert.deepEqual(toBeAsked(signers), [signers[3]]);
  });

  test('is over when all have signed; copies wait for no one', () => {
    assert.equal(groupInTurn([signer(1, 'signed'), signer(2, 'waiting', 'cc')]), null);
    assert.deepEqual(toBeAsked([signer(1, 'signed'), signer(2, 'waiting', 'cc')]), []);
  });
});
