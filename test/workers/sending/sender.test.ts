import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Dialogue } from '../../../shared/mail/sending/outcomes.ts';
import type { Letter } from '../../../workers/mail/sending/dialogue.ts';
import type { Door } from '../../../workers/mail/sending/door.ts';
import type { Marked } from '../../../workers/mail/sending/lane.ts';
import { openSender } from '../../../workers/mail/sending/sender.ts';
import { until } from '../../support/until.ts';

const marked = (number: number): Marked => ({
  number,
  message_id: `<${number}@x>`,
  attempts: 0,
  next_attempt_at: null,
  domain: 'example.jp',
  begins_at: 0,
  placed_by: null,
  spacings: {},
  letter: {
    id: `mrcp_${number}`,
    message: Buffer.from('x'),
    envelope: { from: 'a', to: String(number), envid: 'c' },
  },
});

const taken: Dialogue = { kind: 'taken', reply: '250 Ok' };

const doorWith = (handOver: Door['handOver']): Door => {
  return { handOver, reset: async () => true, close: () => {} };
};

describe('a mail that waits for its connection', () => {
  test('has not begun: taken back meanwhile it never does, and the connection is for others', async () => {
    const handed: string[] = [];
    const handOver = async ({ envelope }: Letter) => {
      handed.push(envelope.to);
      return taken;
    };
    const opening = Promise.withResolvers<Door>();
    let asked = 0;
    const openDoor = async () => {
      asked += 1;
      return opening.promise;
    };
    const sender = openSender({ openDoor, connections: 3, clock: Date.now });
    const lane = sender.open();
    lane.add([marked(1), marked(2)]);
    await until('connections are asked for, one a mail', () => asked === 2);
    assert.deepEqual([lane.waiting, lane.under_way], [2, 0]);
    assert.deepEqual(lane.withdraw(), [marked(1), marked(2)]);
    opening.resolve(doorWith(handOver));
    lane.add([marked(3)]);
    await until('the next one leaves', () => lane.answers === 1);
    assert.deepEqual(handed, ['3']);
    assert.equal(asked, 2);
    sender.end();
  });
});

test('one mail at which the server always closes the line holds up no other', async () => {
  const handed: string[] = [];
  const handOver = async ({ envelope }: Letter): Promise<Dialogue> => {
    handed.push(envelope.to);
    return envelope.to === '1' ? { kind: 'lost', words: 'closed' } : taken;
  };
  const sender = openSender({
    openDoor: async () => doorWith(handOver),
    connections: 1,
    clock: () => performance.now(),
  });
  const lane = sender.open();
  lane.add([1, 2, 3].map(marked));
  await until('the others have left', () => lane.answers === 2, 5_000);
  assert.deepEqual(
    lane.takeAnswers().map(({ marked: { number } }) => number),
    [2, 3],
  );
  assert.deepEqual(lane.numbers(), [1]);
  assert.ok(handed.filter((to) => to === '1').length <= 3, handed.join());
  sender.end();
});

test('a server that takes fewer connections is not asked for more with each mail', async () => {
  let open = 0;
  let refused = 0;
  const openDoor = async () => {
    await pause(1);
    if (open >= 2) {
      refused += 1;
      return { is_sign_in_refused: false, words: 'it answered 421: too many connections' };
    }
    open += 1;
    return doorWith(async () => {
      await pause(2);
      return taken;
    });
  };
  const sender = openSender({ openDoor, connections: 5, clock: () => performance.now() });
  const lane = sender.open();
  const mails = Array.from({ length: 100 }, (_, index) => marked(index + 1));
  lane.add(mails);
  await until('all have left', () => lane.answers === mails.length, 20_000);
  assert.equal(sender.trouble(), null);
  assert.ok(refused <= 6, `${refused} connections were refused`);
  sender.end();
});
