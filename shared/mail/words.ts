import { words } from '../kernel/vocabulary.ts';

/** The words of mail. Words are never renamed: callers store them. */
export const mailWords = words({
  prefixes: {
    mail_contact: 'mcont',
    mail_list: 'mlist',
    mail_import: 'mimp',
    suppression: 'supp',
    opt_in: 'mopt',
    campaign: 'camp',
    mail_template: 'mtpl',
    mail_segment: 'mseg',
    mail_recipient: 'mrcp',
    inbound_message: 'minb',
  },
  failures: {
    suppressed: {
      status: 409,
      title: { en: 'The address must not be mailed again', ja: 'この宛先にはメールを送信できません' },
      help: {
        en: 'A suppression of it stands: see GET /api/v1/mail/suppressions?email=, and remove it only if the person asks.',
        ja: '配信停止が登録されています。GET /api/v1/mail/suppressions?email= で確認し、ご本人の依頼がある場合に限り解除してください。',
      },
    },
    consent_required: {
      status: 422,
      title: {
        en: 'The person has refused and not agreed again since',
        ja: 'ご本人が受信を拒否しており、その後の同意がありません',
      },
      help: {
        en: 'Send a consent whose "at" is later than the refusal, which "detail" names.',
        ja: '拒否より後の日時を「at」に指定した同意を送信してください。拒否の日時は「detail」に示されています。',
      },
    },
    campaign_frozen: {
      status: 409,
      code: 'frozen',
      title: { en: 'The campaign is frozen', ja: 'キャンペーンは変更できません' },
      help: {
        en: 'Once it has begun, name, throttle, external_id and metadata change alone. Duplicate it to send something else.',
        ja: '配信の開始後に変更できるのは name、throttle、external_id、metadata だけです。別の内容で送信するには複製してください。',
      },
    },
  },
  events: [],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    mail: typeof mailWords;
  }
}
