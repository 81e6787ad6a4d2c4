import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { addFault, keyText } from '../../kernel/schema.ts';
import { name } from '../../platform/access/names.ts';

export const questionTypes = [
  'short_text',
  'long_text',
  'email',
  'phone',
  'number',
  'date',
  'single_choice',
  'multi_choice',
  'yes_no',
] as const;

/** Something that guests are asked when they book. */
export const Question = z
  .strictObject({
    id: keyText(/^[A-Za-z0-9_-]{1,40}$/, {
      en: 'must be 1 to 40 of the characters A-Z a-z 0-9 _ -',
      ja: 'は英数字と _ - の1〜40文字で指定してください',
    })
      .describe('What answers name it by, once in the event type.')
      .meta({ examples: ['topic'] }),
    label: name(200).meta({ examples: ['ご相談内容'] }),
    type: z.enum(questionTypes),
    required: z.boolean().default(false),
    options: z
      .array(name(200))
      .max(100)
      .default([])
      .describe('The choices of `single_choice` and `multi_choice`; the others have none.')
      .meta({ examples: [[]] }),
  })
  .superRefine(({ type, options }, issues) => {
    const isChoice = type === 'single_choice' || type === 'multi_choice';
    if (isChoice && options.length === 0) {
      addFault(issues, 'options', 'required', {
        en: 'must name the choices',
        ja: 'に選択肢を指定してください',
      });
    }
    if (!isChoice && options.length > 0) {
      addFault(issues, 'options', 'not_allowed', {
        en: 'are for questions with a choice alone',
        ja: 'は選択式の質問にだけ指定できます',
      });
    }
    if (new Set(options).size < options.length) {
      addFault(issues, 'options', 'duplicate', {
        en: 'must name each choice once',
        ja: 'には同じ選択肢を重複して指定できません',
      });
    }
  });

export type Question = z.output<typeof Question>;

/** What guests are asked, each question with an ID of its own. */
export const Questions = z
  .array(Question)
  .max(30)
  .superRefine((questions, issues) => {
    const ids = questions.map(({ id }) => id);
    for (const [index, id] of ids.entries()) {
      if (ids.indexOf(id) === index) continue;
      issues.addIssue({
        code: 'custom',
        path: [index, 'id'],
        params: { code: 'duplicate' },
        message: says({ en: 'is that of another question', ja: 'がほかの質問と重複しています' }),
      });
    }
  })
  .describe('What guests are asked.');
