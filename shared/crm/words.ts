import { words } from '../kernel/vocabulary.ts';

/** The words of the CRM. Words are never renamed: callers store them. */
export const crmWords = words({
  prefixes: {
    contact: 'cont',
    company: 'comp',
    deal: 'deal',
    activity: 'act',
    pipeline: 'pipe',
    stage: 'pstage',
    tag: 'tag',
    tag_assignment: 'taga',
    custom_field: 'cfld',
    import: 'imp',
  },
  failures: {
    default_pipeline: {
      status: 409,
      title: { en: 'The default pipeline must stay', ja: '既定のパイプラインは削除できません' },
      help: {
        en: 'Make another pipeline the default first.',
        ja: '先に別のパイプラインを既定にしてください。',
      },
    },
  },
  events: [
    'crm.deal.created',
    'crm.deal.updated',
    'crm.deal.deleted',
    'crm.deal.stage_updated',
    'crm.company.created',
    'crm.company.updated',
    'crm.company.deleted',
    'crm.contact.created',
    'crm.contact.updated',
    'crm.contact.deleted',
    'crm.activity.created',
    'crm.activity.deleted',
    'customer.created',
    'customer.updated',
    'customer.deleted',
  ],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    crm: typeof crmWords;
  }
}
