/** The words that campaigns are told by. */

export const campaignStatuses = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'] as const;

export type CampaignStatus = (typeof campaignStatuses)[number];

/**
 * What staff can do to a campaign: the last words of the paths, `update` and `delete`, and what is done about unknown
 * recipients.
 */
export const campaignActions = [
  'update',
  'schedule',
  'unschedule',
  'send',
  'pause',
  'resume',
  'cancel',
  'resend_unknown',
  'accept_unknown',
  'duplicate',
  'delete',
] as const;

export type CampaignAction = (typeof campaignActions)[number];

/** `notice`: no advertisement, so that it needs no consent. */
export const campaignPurposes = ['advertisement', 'notice'] as const;

/** Why a campaign stopped by itself; by the first two it is a draft again. */
export const pauseReasons = [
  'checks_failed',
  'start_failed',
  'smtp_unavailable',
  'sender_refused',
  'bounce_rate',
  'complaint_rate',
  'sending_failed',
] as const;

export type PauseReason = (typeof pauseReasons)[number];

/** Why somebody of the audience gets no mail, in the order in which the reasons apply. */
export const skipReasons = [
  'unsubscribed',
  'bounced',
  'suppressed',
  'no_consent',
  'missing_value',
  'invalid_address',
] as const;

export type SkipReason = (typeof skipReasons)[number];
