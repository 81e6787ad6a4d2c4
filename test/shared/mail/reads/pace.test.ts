import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isTooFast, PACE, type TimedRead } from '../../../../shared/mail/reads/pace.ts';
import { isRobotAgent, robotAgents } from '../../../../shared/mail/reads/robot-agents.ts';

/** Reads of one mail in their order, and which of them are those of a robot. */
const judged = (reads: readonly TimedRead[], links: number) =>
  reads.map((read, place) => isTooFast(read, reads.slice(0, place), links));

const click = (link_index: number, at: number): TimedRead => ({ link_index, at });
const open = (at: number): TimedRead => ({ link_index: null, at });

describe('how fast links of a mail are opened', () => {
  const cases: [string, number, TimedRead[], boolean[]][] = [
    ['the third different link', 5, [click(1, 0), click(2, 1_000), click(3, 4_999)], [false, false, true]],
    ['five seconds later', 5, [click(1, 0), click(2, 1_000), click(3, 5_000)], [false, false, false]],
    [
      'the same link again and again',
      5,
      [click(1, 0), click(1, 1), click(2, 2), click(2, 3)],
      Array(4).fill(false),
    ],
    ['the second link of a mail with two', 2, [click(1, 0), click(2, 3_000)], [false, true]],
    ['the only link of a mail', 1, [click(1, 0), click(1, 1)], [false, false]],
    [
      'what follows in these five seconds, the picture too',
      3,
      [click(1, 0), click(2, 1), click(3, 2), click(1, 4_000), open(4_999), open(5_001)],
      [false, false, true, true, true, false],
    ],
    ['a picture without clicks', 3, [open(0), open(1), open(2), open(3)], Array(4).fill(false)],
    ['a picture between two clicks', 3, [click(1, 0), open(1), click(2, 2)], [false, false, false]],
  ];
  for (const [name, links, reads, expected] of cases) {
    test(name, () => assert.deepEqual(judged(reads, links), expected));
  }

  test('is told by the different links of the last five seconds and by nothing else', () => {
    const anyRead = fc.record({
      link_index: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }),
      at: fc.integer({ min: 0, max: 20_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(anyRead, { maxLength: 12 }),
        anyRead,
        fc.integer({ min: 0, max: 5 }),
        (some, read, links) => {
          const before = some.filter(({ at }) => at <= read.at);
          let different = read.link_index === null ? 0 : 1;
          for (let index = 1; index <= 5; index += 1) {
            if (index === read.link_index) continue;
            if (before.some((one) => one.link_index === index && read.at - one.at < PACE)) different += 1;
          }
          const expected = links >= 2 && different >= Math.min(3, links);
          assert.equal(isTooFast(read, before, links), expected);
          assert.equal(isTooFast(read, before.toReversed(), links), expected);
        },
      ),
    );
  });
});

describe('programs that open links by themselves', () => {
  const now = new Date('2026-11-28T00:00:00Z');

  test('are known by a part of their name, from the day on which they were listed', () => {
    for (const name of [
      'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
      'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
      'CURL/8.5.0',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/140.0 Safari/537.36',
    ]) {
      assert.equal(isRobotAgent(name, now), true, name);
      assert.equal(isRobotAgent(name, new Date('2026-11-01T00:00:00Z')), false, name);
    }
    for (const { since } of robotAgents) assert.match(since, /^\d{4}-\d{2}-\d{2}$/);
  });

  test('are not browsers, nor what fetches a picture once a person has opened a mail', () => {
    for (const name of [
      null,
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
      'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
    ]) {
      assert.equal(isRobotAgent(name, now), false, String(name));
    }
  });
});
