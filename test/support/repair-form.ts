/** A form that branches in the page and between pages, and takes a file. */
export const REPAIR = {
  version: 1,
  locale: 'ja',
  title: { ja: '修理', en: 'Repair' },
  pages: [
    {
      id: 'visit',
      fields: [
        {
          id: 'kind',
          type: 'choice',
          label: { ja: 'ご用件', en: 'Kind' },
          required: true,
          options: [
            { id: 'new', label: { ja: '新規', en: 'New' } },
            { id: 'repair', label: { ja: '修理', en: 'Repair' } },
          ],
        },
        {
          id: 'model',
          type: 'short_text',
          label: { ja: '型番', en: 'Model' },
          required: true,
          show_if: { field: 'kind', op: 'equals', value: 'repair' },
        },
      ],
      next: [{ if: { field: 'kind', op: 'equals', value: 'new' }, to: 'plan' }],
    },
    {
      id: 'fault',
      fields: [
        { id: 'since', type: 'date', label: { ja: 'いつから', en: 'Since' }, required: true },
        { id: 'papers', type: 'file', label: { ja: '資料', en: 'Papers' }, required: true, accept: ['txt'] },
      ],
    },
    {
      id: 'plan',
      fields: [{ id: 'seats', type: 'number', label: { ja: '席数', en: 'Seats' }, required: true }],
    },
  ],
  endings: [{ id: 'done', title: { ja: '受け付けました', en: 'Received' } }],
};
