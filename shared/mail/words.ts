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
    consent_record: 'mcons',
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
    checks_failed: {
      status: 422,
      title: { en: 'The campaign cannot be sent yet', ja: 'このキャンペーンはまだ送信できません' },
      help: {
        en: '"errors" has all that the checks found; GET /api/v1/mail/campaigns/{id}/checks tells it beforehand.',
        ja: 'チェックで見つかった点は、すべて「errors」に示されています。事前に GET /api/v1/mail/campaigns/{id}/checks でも確認できます。',
      },
    },
    mail_server_required: {
      status: 409,
      title: {
        en: 'So many recipients need a mail server',
        ja: 'この件数の送信にはメールサーバーが必要です',
      },
      help: {
        en: 'Without SMTP_URL mails go to the local mailbox, which takes 1,000 of one campaign. Set SMTP_URL.',
        ja: 'SMTP_URL が未設定の場合、メールはローカルのメールボックスに届き、1つのキャンペーンで1,000件までです。SMTP_URL を設定してください。',
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
  events: ['mail.campaign.sent'],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    mail: typeof mailWords;
  }
}
