import { words } from '../kernel/vocabulary.ts';

/** The words of forms. Words are never renamed: callers store them. */
export const formsWords = words({
  prefixes: {
    form: 'form',
    form_version: 'formv',
    form_response: 'resp',
    form_file: 'ffile',
    form_invitation: 'finv',
    form_partial: 'fpart',
  },
  failures: {
    form_frozen: {
      status: 409,
      code: 'frozen',
      title: { en: 'The form is archived and cannot change', ja: 'アーカイブ済みのフォームは変更できません' },
      help: {
        en: 'Of an archived form external_id and metadata change alone. Publish it first.',
        ja: 'アーカイブ済みのフォームで変更できるのは external_id と metadata だけです。先に公開してください。',
      },
    },
    has_responses: {
      status: 409,
      title: { en: 'The form has responses', ja: 'フォームに回答があります' },
      help: {
        en: 'Archive it instead. An archived form is removed together with its responses by "with_responses=true".',
        ja: '代わりにアーカイブしてください。アーカイブ済みのフォームは「with_responses=true」で回答ごと削除できます。',
      },
    },
    invalid_schema: {
      status: 422,
      title: { en: 'The form cannot be published so', ja: 'このままではフォームを公開できません' },
      help: {
        en: '"errors" names each place of the schema, after the # of its path.',
        ja: '「errors」の path の # 以降が、スキーマ内の該当箇所です。',
      },
    },
  },
  events: ['forms.response.submitted'],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    forms: typeof formsWords;
  }
}
