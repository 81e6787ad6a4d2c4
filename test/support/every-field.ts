/** A form with a field of each type on one page, required ones and with help, and conditions between them. */
export const EVERY_FIELD = {
  version: 1,
  locale: 'ja',
  title: { ja: 'すべての項目', en: 'Every field' },
  description: 'https://example.jp/about をご覧ください。',
  pages: [
    {
      id: 'all',
      title: { ja: 'ご質問', en: 'Questions' },
      fields: [
        {
          id: 'short',
          type: 'short_text',
          label: '短い文',
          help: '一行で',
          placeholder: '例',
          required: true,
        },
        { id: 'long', type: 'long_text', label: '長い文', required: true },
        { id: 'mail', type: 'email', label: 'メール', required: true },
        { id: 'phone', type: 'phone', label: '電話' },
        { id: 'site', type: 'url', label: 'サイト' },
        { id: 'amount', type: 'number', label: '数量', min: 1 },
        { id: 'day', type: 'date', label: '日' },
        { id: 'hour', type: 'time', label: '時刻' },
        { id: 'instant', type: 'datetime', label: '日時' },
        {
          id: 'kind',
          type: 'choice',
          label: '種類',
          required: true,
          allow_other: true,
          options: options('a', 'b'),
        },
        { id: 'area', type: 'dropdown', label: '地域', required: true, options: options('a', 'b') },
        {
          id: 'many',
          type: 'multi_choice',
          label: '複数',
          required: true,
          allow_other: true,
          options: options('a', 'b'),
        },
        { id: 'agree', type: 'yes_no', label: '賛成' },
        { id: 'consent', type: 'consent', label: '同意', text: '規約に同意します。', required: true },
        { id: 'stars', type: 'rating', label: '評価', required: true },
        { id: 'nps', type: 'nps', label: '推奨度' },
        { id: 'scale', type: 'scale', label: '尺度', min: 0, max: 5, min_label: '低い', max_label: '高い' },
        {
          id: 'grid',
          type: 'matrix',
          label: '表',
          required: true,
          rows: options('x', 'y'),
          columns: options('a', 'b'),
        },
        { id: 'order', type: 'ranking', label: '順位', required: true, options: options('a', 'b') },
        { id: 'who', type: 'name', label: '氏名', kana: true, required: true },
        { id: 'home', type: 'address', label: '住所', required: true },
        { id: 'papers', type: 'file', label: '資料', max_files: 2, accept: ['pdf', 'csv'], required: true },
        { id: 'note', type: 'statement', label: '注意', text: 'お読みください。' },
        {
          id: 'more',
          type: 'short_text',
          label: '詳細',
          show_if: { field: 'agree', op: 'equals', value: true },
          required: true,
        },
      ],
    },
  ],
};

function options(...ids: string[]) {
  return ids.map((id) => ({ id, label: `選択肢 ${id}` }));
}
