import type { Sentence } from '../kernel/sentences.ts';

/** Why a job of the scheduler failed or waits; jobs keep the English. */
export const reasonsOfScheduler = {
  calendar_failed: (reason: string, word: string) => ({
    en: `The calendar failed: ${reason}, ${word}`,
    ja: `カレンダーを利用できません：${reason}、${word}`,
  }),
  disconnected: () => ({ en: 'The calendar was disconnected.', ja: 'カレンダーの連携が解除されました。' }),
  entry_is_written: () => ({
    en: 'Another delivery writes the entry',
    ja: '同じ予定の書き込みが別に進行中です',
  }),
  calendar_is_read: () => ({
    en: 'Another run reads the calendar',
    ja: '同じカレンダーの読み取りが別に進行中です',
  }),
} satisfies Record<string, Sentence>;
