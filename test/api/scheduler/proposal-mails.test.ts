import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { renderLetter } from '../../../shared/platform/mailer/letter.ts';
import { expireDueProposals } from '../../../shared/scheduler/proposals/expiry.ts';
import { startApp } from '../../support/app.ts';
import { lettersAbout } from '../../support/letters.ts';
import { newDesk } from '../../support/scheduler.ts';

/** A Thursday, 09:00 in Japan. */
const app = await startApp({ now: () => new Date('2026-11-26T00:00:00.000Z') });

const GUEST = { name: '佐藤 花子', email: 'hanako@example.co.jp' };
const friday = (time: string) => `2026-11-27T${time}:00.000Z`;

const said = {
  ja: {
    lines: [
      '佐藤 花子 様',
      '内容：お打ち合わせ',
      '担当：試験 太郎',
      '場所：オンライン',
      '- 2026年11月27日(金) 10:00～11:00（Asia/Tokyo）',
      '- 2026年11月27日(金) 23:30～2026年11月28日(土) 0:30（Asia/Tokyo）',
      'ご都合をお聞かせください。',
    ],
    deadline: 'ご回答の期限：2026年11月27日(金) 9:00（Asia/Tokyo）',
    subject: '日程のご提案：お打ち合わせ',
  },
  en: {
    lines: [
      'Dear 佐藤 花子,',
      'What: お打ち合わせ',
      'With: 試験 太郎',
      'Where: Online',
      '- Fri, 27 November 2026 10:00 – 11:00 (Asia/Tokyo)',
      '- Fri, 27 November 2026 23:30 – Sat, 28 November 2026 0:30 (Asia/Tokyo)',
      'ご都合をお聞かせください。',
    ],
    deadline: 'Please answer by Fri, 27 November 2026 9:00 (Asia/Tokyo).',
    subject: 'Times for you: お打ち合わせ',
  },
};

for (const locale of ['ja', 'en'] as const) {
  test(`a proposal is mailed with its times, its deadline, and the link alone on a line (${locale})`, async () => {
    const owner = await newDesk(app);
    const { proposal, guest_url } = await owner.done('POST', '/proposals', {
      title: 'お打ち合わせ',
      duration_minutes: 60,
      user_ids: [owner.user_id],
      candidates: [{ start: friday('01:00') }, { start: friday('14:30') }],
      guest: { ...GUEST, locale, time_zone: 'Asia/Tokyo' },
      location: { type: 'link', label: null, value: 'https://meet.example/secret' },
      message: 'ご都合をお聞かせください。',
      expires_at: friday('00:00'),
    });
    const [letter] = await lettersAbout(app, 'scheduler.proposal', proposal.id);
    assert.equal(letter!.subject, said[locale].subject);
    assert.deepEqual(letter!.to, [{ name: GUEST.name, address: GUEST.email }]);
    const lines = renderLetter(letter!).text.split('\n');
    for (const line of [...said[locale].lines, said[locale].deadline, `<${guest_url}>`]) {
      assert.ok(lines.includes(line), `${line} is not among\n${lines.join('\n')}`);
    }
  });
}

describe('what is said of a proposal that came to nothing', () => {
  const TIMES = ['- 2026年11月27日(金) 10:00～11:00（Asia/Tokyo）'];

  async function proposed(fields: object = {}) {
    const owner = await newDesk(app);
    const { proposal, guest_url } = await owner.done('POST', '/proposals', {
      title: 'お打ち合わせ',
      duration_minutes: 60,
      user_ids: [owner.user_id, (await owner.colleague()).user_id],
      candidates: [{ start: friday('01:00') }],
      guest: GUEST,
      ...fields,
    });
    const lettersOf = () => lettersAbout(app, 'scheduler.proposal_ended', proposal.id);
    return { owner, proposal, path: `/scheduler${new URL(guest_url).pathname}`, lettersOf };
  }

  test('its hosts hear that the guest declined, and why; they answer to the guest', async () => {
    const { path, lettersOf } = await proposed();
    assert.equal((await app.anonymous.post(`${path}/decline`, { reason: '出張のため' })).status, 200);
    const letters = await lettersOf();
    assert.equal(letters.length, 2);
    for (const letter of letters) {
      assert.equal(letter.subject, '日程の候補が辞退されました：お打ち合わせ');
      assert.equal(letter.reply_to, GUEST.email);
      const lines = renderLetter(letter).text.split('\n');
      for (const line of ['お客様：佐藤 花子 hanako@example.co.jp', ...TIMES, '理由：出張のため']) {
        assert.ok(lines.includes(line), `${line} is not among\n${lines.join('\n')}`);
      }
    }
  });

  test('its hosts hear that nobody answered in time', async () => {
    const { lettersOf } = await proposed({ expires_at: '2026-11-26T00:30:00.000Z' });
    const later = new Date('2026-11-26T00:30:00.000Z');
    await expireDueProposals(app.database, later, new AbortController().signal);
    const letters = await lettersOf();
    assert.deepEqual(
      letters.map(({ subject }) => subject),
      Array(2).fill('日程の候補が期限切れになりました：お打ち合わせ'),
    );
  });

  test('its guest hears that it was taken back, if a mail had offered it', async () => {
    for (const [notify, heard] of [
      [true, [GUEST.email]],
      [false, []],
    ] as const) {
      const { owner, proposal, lettersOf } = await proposed({ notify, guest: { ...GUEST, locale: 'en' } });
      await owner.done('POST', `/proposals/${proposal.id}/withdraw`);
      const letters = await lettersOf();
      assert.deepEqual(
        letters.map(({ to }) => to[0]!.address),
        heard,
      );
      for (const { subject } of letters)
        assert.equal(subject, 'The proposed times were taken back: お打ち合わせ');
    }
  });
});
