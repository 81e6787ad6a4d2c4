import type { Locale } from '../../platform/mailer/letter.ts';
import type { Answers, AnswerValue } from '../bookings/record.ts';

const YES_NO: Readonly<Record<Locale, readonly [yes: string, no: string]>> = {
  ja: ['はい', 'いいえ'],
  en: ['Yes', 'No'],
};

/** What a guest answered, by the labels of the questions as they are now; a question that is gone has its ID. */
export function answersText(
  questions: readonly { id: string; label: string }[],
  answers: Answers,
  locale: Locale,
): { label: string; text: string }[] {
  const labels = new Map(questions.map(({ id, label }) => [id, label]));
  return Object.entries(answers).map(([id, value]) => {
    return { label: labels.get(id) ?? id, text: answerText(value, locale) };
  });
}

function answerText(value: AnswerValue, locale: Locale): string {
  const [yes, no] = YES_NO[locale];
  if (typeof value === 'boolean') return value ? yes : no;
  return Array.isArray(value) ? value.join(locale === 'ja' ? '、' : ', ') : String(value);
}
