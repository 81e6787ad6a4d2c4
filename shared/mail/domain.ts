import { DAY } from '../kernel/days.ts';
import { domain } from '../platform/domain.ts';
import { expiry } from '../platform/sweeps/expiry.ts';
import { readInboundJob, revertBouncesJob } from './bounces/jobs.ts';
import { forgetOldInbound } from './bounces/retention.ts';
import { dueCampaigns } from './campaigns/due.ts';
import { checkSentences } from './campaigns/faults.ts';
import { freezeCampaignJob, settleUnknownJob, startCampaignJob } from './campaigns/jobs.ts';
import { campaignOrphans } from './campaigns/orphans.ts';
import { campaignsStanding } from './campaigns/standing-still.ts';
import { campaignTestMail } from './campaigns/test-mail.ts';
import { campaignWarnings } from './campaigns/warnings.ts';
import { recordMissingConsents } from './consent-records/missing.ts';
import { forgetOldConsents } from './consent-records/retention.ts';
import { indexDueContacts } from './contacts/search-sweep.ts';
import { mailWarnings } from './content/warnings.ts';
import { mailContactExport } from './exports/contacts.ts';
import { recipientExport } from './exports/recipients.ts';
import { suppressionExport } from './exports/suppressions.ts';
import { reasonsOfMail } from './failure-reasons.ts';
import { mailContactImport } from './imports/domain.ts';
import { mailMeasures } from './measures.ts';
import { optInMail } from './opt-ins/mail.ts';
import { pointless } from './pointless-mails.ts';
import { segmentWarnings } from './segments/warnings.ts';
import { sendSliceJob, skipCancelledJob } from './sending/jobs.ts';
import { pauseForJob } from './sending/operations.ts';
import { sendingExpiries, slices } from './sending/sweep.ts';
import { mailTimeline } from './timeline.ts';
import { mailWords } from './words.ts';

export const mail = domain({
  name: 'mail',
  title: 'Mail',
  description: 'Contacts for mail delivery, in lists, who must not be mailed, and campaigns.',
  resources: {
    campaigns: {
      title: 'Campaigns',
      description: 'Mails to the contacts of lists and segments, from the draft to the end.',
    },
    recipients: {
      title: 'Recipients',
      description: 'Whom a campaign goes to, and what became of each mail.',
    },
    consent_records: {
      title: 'Records of consent',
      description: 'What the anti-spam act wants kept of who may be sent advertisements.',
    },
    segments: {
      title: 'Segments',
      description: 'Contacts by what is known of them, found anew at each use.',
    },
    settings: {
      title: 'Settings of mail',
      description: 'Who sends, as the law wants it told, and how fast.',
    },
    contacts: {
      title: 'Mail contacts',
      description: 'Addresses with what is known of their consent. An address is in an organization once.',
    },
    imports: {
      title: 'Imports of mail contacts',
      description: 'Files of addresses on their way in, what was wrong with them, and how to undo them.',
    },
    hooks: {
      title: 'Hooks',
      description: 'Where mail servers and mail services tell of bounces and complaints.',
    },
    inbound_messages: {
      title: 'What came in',
      description: 'Delivery reports, complaints and mails that unsubscribe, and what became of each.',
    },
    lists: { title: 'Lists', description: 'Groups of contacts that are mailed together.' },
    opt_ins: {
      title: 'Opt-ins',
      description: 'What people are asked to confirm by mail before they get more of it.',
    },
    subscription: {
      title: 'Unsubscribing',
      description: 'What mail the holder of a mail gets, and how they stop it.',
    },
    suppressions: {
      title: 'Suppressions',
      description: 'Addresses that must never be mailed again, whether they are contacts or not.',
    },
    templates: {
      title: 'Templates',
      description: 'Contents that campaigns begin with.',
    },
  },
  file_words: { メール連絡先: 'mail_contacts', 配信結果: 'recipients', 配信停止: 'suppressions' },
  exports: [mailContactExport, recipientExport, suppressionExport],
  imports: [mailContactImport],
  pointless_mails: Object.values(pointless),
  failure_reasons: Object.values(reasonsOfMail),
  mails: [optInMail, campaignTestMail],
  sweeps: [
    {
      name: 'mail_contacts_search',
      description: {
        en: 'Puts changed mail contacts into the search',
        ja: '変更された宛先を検索に反映します',
      },
      every: 1_000,
      run: indexDueContacts,
    },
    dueCampaigns,
    slices,
    ...sendingExpiries,
    {
      name: 'mail_inbound_texts',
      description: {
        en: 'Removes the texts of delivery reports and complaints after 30 days',
        ja: '不達と苦情の通知の本文を、30日後に削除します',
      },
      every: DAY,
      run: forgetOldInbound,
    },
    {
      name: 'mail_consent_records',
      description: {
        en: 'Removes records of consent when the time is over for which the law wants them',
        ja: '法定の保存期間が過ぎた同意の記録を削除します',
      },
      every: DAY,
      run: forgetOldConsents,
    },
    {
      name: 'mail_consents_unrecorded',
      description: {
        en: 'Records consents that an older release took and did not record',
        ja: '以前のリリースが受け付けて記録しなかった同意を記録します',
      },
      every: DAY,
      run: recordMissingConsents,
    },
    expiry({
      table: 'mail_campaign_reads',
      column: 'at',
      age: 400 * DAY,
      every: DAY,
      description: {
        en: 'Removes single opens and clicks of campaigns after 400 days',
        ja: '開封とクリックの1件ごとの記録を、400日後に削除します',
      },
    }),
  ],
  timeline: [mailTimeline],
  measures: mailMeasures,
  standing: campaignsStanding,
  warnings: [...mailWarnings, ...campaignWarnings, ...checkSentences, ...segmentWarnings],
  jobs: [
    readInboundJob,
    revertBouncesJob,
    settleUnknownJob,
    startCampaignJob,
    freezeCampaignJob,
    sendSliceJob,
    skipCancelledJob,
  ],
  orphans: campaignOrphans,
  cancels_job: pauseForJob,
  words: mailWords,
  records: {
    ja: 'メールの宛先・リスト・配信停止・キャンペーン',
    en: 'mail contacts, lists, suppressions and campaigns',
  },
  audit_log: {
    path: '/api/v1/mail/audit-logs',
    about: 'mail',
    description:
      'Who changed what. Entries are never changed or removed, so those of contacts and suppressions name a changed e-mail, name or attribute and show its values as `***`: erasing a contact leaves nothing of it here.',
  },
  guides: ['mail-contacts', 'import-mail', 'campaigns', 'campaign-transitions'],
});
