import type { Language, Text } from '../../kernel/language.ts';

/** What signers agree to. `version`: the day from which it is shown, in UTC. */
export type Consent = { version: string; text: Text };

/**
 * The texts in the order of their days. One that has been shown is never changed: `signed` in a trail names its version, so
 * another wording is another row.
 */
export const consents: readonly [Consent, ...Consent[]] = [
  {
    version: '2026-11-01',
    text: {
      en: 'I have read the document as it is shown here, and I agree to it by signing electronically. The time, my IP address, how I was identified and what I entered are kept as evidence, and become part of the document that all parties receive.',
      ja: '表示された書類の内容を確認し、電子署名により同意します。日時、IPアドレス、本人確認の方法、入力した内容は証跡として保存され、関係者全員に送付される書類の一部となります。',
    },
  },
];

/** The text that is to be agreed to at a time: that of the latest day that has begun. */
export function consentAt(now: Date, rows: readonly [Consent, ...Consent[]] = consents): Consent {
  const today = now.toISOString().slice(0, 10);
  return rows.findLast(({ version }) => version <= today) ?? rows[0];
}

/** The text of a version in a language: which of them is read changes nothing of what is agreed to. */
export function consentText(version: string, language: Language): string {
  return (consents.find((row) => row.version === version) ?? consents[0]).text[language];
}
