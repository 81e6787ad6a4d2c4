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
    not_offered: {
      status: 409,
      title: { en: 'The form saves nothing', ja: 'このフォームでは途中保存できません' },
      help: {
        en: '"resume_days" of its settings is 0: answer it in one go.',
        ja: '設定の「resume_days」が0です。最後まで回答して送信してください。',
      },
    },
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
    already_answered: {
      status: 409,
      title: { en: 'There is a response already', ja: 'すでに回答済みです' },
      help: {
        en: 'The form takes one response of each person, and one of each invitation.',
        ja: 'このフォームに回答できるのは、1人（招待1件）につき1回です。',
      },
    },
    already_submitted: {
      status: 409,
      title: {
        en: 'The form token was submitted with other answers',
        ja: 'このフォームは別の内容で送信済みです',
      },
      help: {
        en: 'Ask for a new form token, or change the response by its link.',
        ja: '新しいフォームトークンを取得するか、回答のリンクから内容を変更してください。',
      },
    },
    crm_link_off: {
      status: 409,
      title: {
        en: 'The form does not link responses with the CRM',
        ja: 'このフォームはCRMと連携していません',
      },
      help: {
        en: 'Turn "crm" of its settings on, or send "contact_id".',
        ja: '設定の「crm」を有効にするか、「contact_id」を指定してください。',
      },
    },
    response_is_spam: {
      status: 409,
      title: { en: 'The response is flagged as spam', ja: 'この回答はスパムに分類されています' },
      help: {
        en: 'Take it back from there first: send "is_spam" false.',
        ja: '先に「is_spam」を false にして、スパムから戻してください。',
      },
    },
    form_closed: {
      status: 409,
      title: { en: 'The form does not take responses any more', ja: 'フォームの受付は終了しました' },
      help: { en: 'It is archived or past its end.', ja: 'アーカイブ済みか、受付終了日時を過ぎています。' },
    },
    form_draft: {
      status: 409,
      title: { en: 'The form is not published', ja: 'フォームは公開されていません' },
      help: { en: 'Publish it first.', ja: '先に公開してください。' },
    },
    form_full: {
      status: 409,
      title: { en: 'The form has as many responses as it takes', ja: '回答数が上限に達しました' },
      help: {
        en: '"max_responses" of its settings says how many; a response that is removed makes room.',
        ja: '上限は設定の「max_responses」です。回答を削除すると、その分を受け付けます。',
      },
    },
    form_not_open: {
      status: 409,
      title: { en: 'The form does not take responses yet', ja: 'フォームの受付はまだ始まっていません' },
      help: {
        en: '"opens_at" of its settings says from when.',
        ja: '受付開始日時は設定の「opens_at」です。',
      },
    },
    form_token_expired: {
      status: 422,
      title: {
        en: 'The form token is older than 24 hours',
        ja: 'フォームトークンの発行から24時間が過ぎました',
      },
      help: { en: 'Ask for a new one.', ja: '新しいトークンを取得してください。' },
    },
    form_token_invalid: {
      status: 422,
      title: { en: 'The form token is not one of this form', ja: 'このフォームのトークンではありません' },
      help: {
        en: 'Send the token that POST .../tokens answered, unchanged.',
        ja: 'POST .../tokens で取得したトークンをそのまま送信してください。',
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
