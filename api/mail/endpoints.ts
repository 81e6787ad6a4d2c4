import type { Endpoint } from '../http/endpoint.ts';
import { campaignLife } from './campaign-life.ts';
import { campaignMails } from './campaign-mails.ts';
import { campaignSending } from './campaign-sending.ts';
import { campaignMoments } from './campaign-timeline.ts';
import { campaigns } from './campaigns.ts';
import { consentRecords } from './consent-records.ts';
import { mailContacts } from './contacts.ts';
import { hooks } from './hooks.ts';
import { mailImports } from './imports.ts';
import { inboundMessages } from './inbound-messages.ts';
import { mailLists } from './lists.ts';
import { optIns } from './opt-ins.ts';
import { recipients } from './recipients.ts';
import { segments } from './segments.ts';
import { mailSettings } from './settings.ts';
import { suppressions } from './suppressions.ts';
import { templates } from './templates.ts';
import { unknownRecipients } from './unknown-recipients.ts';
import { unsubscribing } from './unsubscribe.ts';

/** The endpoints of mail, in the order of the reference. */
export const mail: readonly Endpoint[] = [
  ...campaigns,
  ...campaignLife,
  ...campaignMails,
  ...campaignSending,
  ...unknownRecipients,
  campaignMoments,
  ...recipients,
  ...consentRecords,
  ...mailContacts,
  ...hooks,
  ...mailImports,
  ...inboundMessages,
  ...mailLists,
  ...optIns,
  ...segments,
  ...mailSettings,
  ...suppressions,
  ...unsubscribing,
  ...templates,
];
