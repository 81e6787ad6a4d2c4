/** The form that the documentation shows: an enquiry in two languages, whose second page depends on what somebody wants. */
export const ENQUIRY_IN_PICTURES = {
  version: 1,
  locale: 'ja',
  title: { ja: 'ショールームへのお問い合わせ', en: 'Contact our showroom' },
  description: {
    ja: '2営業日以内に担当者よりご連絡します。',
    en: 'We will get back to you within two working days.',
  },
  pages: [
    {
      id: 'you',
      title: { ja: 'お客さまについて', en: 'About you' },
      fields: [
        { id: 'who', type: 'name', label: { ja: 'お名前', en: 'Your name' }, required: true, kana: true },
        {
          id: 'mail',
          type: 'email',
          label: { ja: 'メールアドレス', en: 'E-mail address' },
          help: { ja: '確認のメールをお送りします。', en: 'We send a confirmation to it.' },
          required: true,
        },
        {
          id: 'kind',
          type: 'choice',
          label: { ja: 'ご用件', en: 'What is it about?' },
          required: true,
          options: [
            { id: 'visit', label: { ja: '見学のご予約', en: 'A visit' } },
            { id: 'quote', label: { ja: 'お見積もり', en: 'A quotation' } },
            { id: 'other', label: { ja: 'その他', en: 'Something else' } },
          ],
        },
      ],
    },
    {
      id: 'what',
      title: { ja: 'ご要望', en: 'Your request' },
      fields: [
        {
          id: 'day',
          type: 'date',
          label: { ja: 'ご希望日', en: 'Preferred date' },
          required: true,
          show_if: { field: 'kind', op: 'equals', value: 'visit' },
        },
        {
          id: 'people',
          type: 'number',
          label: { ja: '人数', en: 'How many people' },
          required: true,
          min: 1,
          max: 20,
          show_if: { field: 'kind', op: 'equals', value: 'visit' },
        },
        {
          id: 'text',
          type: 'long_text',
          label: { ja: 'ご相談の内容', en: 'How can we help?' },
          required: true,
        },
        {
          id: 'stars',
          type: 'rating',
          label: { ja: 'サイトの分かりやすさ', en: 'How clear is our site?' },
        },
      ],
    },
  ],
  endings: [
    {
      id: 'done',
      title: { ja: 'お問い合わせを受け付けました', en: 'We have received your message' },
      body: { ja: '2営業日以内にご連絡します。', en: 'We will get back to you within two working days.' },
    },
  ],
};
