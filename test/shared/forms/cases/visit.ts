/** The form of the example that the rules of submission are explained by. */
export const visit = {
  version: 1,
  locale: 'ja',
  pages: [
    {
      id: 'visit',
      fields: [
        {
          id: 'kind',
          type: 'choice',
          label: { ja: 'ご用件', en: 'Subject' },
          required: true,
          options: [
            { id: 'new', label: '新規' },
            { id: 'repair', label: '修理' },
          ],
        },
        {
          id: 'model',
          type: 'short_text',
          label: '型番',
          required: true,
          show_if: { field: 'kind', op: 'equals', value: 'repair' },
        },
      ],
      next: [{ if: { field: 'kind', op: 'equals', value: 'new' }, to: 'plan' }],
    },
    { id: 'fault', fields: [{ id: 'since', type: 'date', label: 'いつから', required: true }] },
    {
      id: 'plan',
      fields: [
        { id: 'seats', type: 'number', label: '席数', required: true, min: 1, max: 500 },
        {
          id: 'budget',
          type: 'number',
          label: '予算',
          required_if: { field: 'seats', op: 'gte', value: 100 },
        },
      ],
    },
  ],
};
