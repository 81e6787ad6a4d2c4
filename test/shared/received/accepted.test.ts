import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../../shared/kernel/failure.ts';
import { newReceivedLine } from '../../../shared/received/documents/line.ts';
import { type AcceptedLine, acceptedLines } from '../../../shared/received/transitions/accepted.ts';

const lines = [
  newReceivedLine('li_1', { description: '豆', quantity: '10', unit_price: '1200' }),
  newReceivedLine('li_2', { description: '返品', quantity: '-2.5', unit_price: '1200' }),
  newReceivedLine('li_3', { type: 'text', description: '分納' }),
];

describe('what is accepted of a delivery note', () => {
  it('is all of it unless said', () => {
    const accepted = acceptedLines(lines, [{ id: 'li_2', reason: '検品済み' }]);
    assert.deepEqual(
      accepted.map(({ accepted_quantity, reject_reason }) => [accepted_quantity, reject_reason]),
      [
        ['10', null],
        ['-2.5', '検品済み'],
        [null, null],
      ],
    );
  });

  it('is from 0 to the quantity of the line, to the last digit', () => {
    const table: [string, string, boolean][] = [
      ['li_1', '10', true],
      ['li_1', '0', true],
      ['li_1', '9.999', true],
      ['li_1', '10.001', false],
      ['li_1', '-0.001', false],
      ['li_2', '-2.5', true],
      ['li_2', '0', true],
      ['li_2', '-2.501', false],
      ['li_2', '1', false],
    ];
    for (const [id, accepted_quantity, is_taken] of table) {
      const faults = faultsOf([{ id, accepted_quantity }]);
      assert.deepEqual(faults, is_taken ? [] : ['/lines/0/accepted_quantity out_of_range']);
    }
  });

  it('is told all that is wrong with at once', () => {
    const said = [
      { id: 'li_1' },
      { id: 'li_1' },
      { id: 'li_3', accepted_quantity: '1' },
      { id: 'li_4' },
      { id: 'li_2', accepted_quantity: '3' },
    ];
    assert.deepEqual(faultsOf(said), [
      '/lines/1/id duplicate',
      '/lines/2/id not_of_text',
      '/lines/3/id unknown_reference',
      '/lines/4/accepted_quantity out_of_range',
    ]);
  });
});

function faultsOf(said: AcceptedLine[]): string[] {
  try {
    acceptedLines(lines, said);
    return [];
  } catch (error) {
    assert.ok(error instanceof Failure);
    return error.details.errors!.map(({ path, code }) => `${path} ${code}`);
  }
}
