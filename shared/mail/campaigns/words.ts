/** The words that campaigns are told by. */

export const campaignStatuses = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'] as const;

export type CampaignStatus = (typeof campaignStatuses)[number];

/** What staff can do to a campaign: the last words of the paths, and `update` and `delete`. */
export const campaignActions = ['update', 'duplicate', 'delete'] as const;

export type CampaignAction = (typeof campaignActions)[number];

/** `notice`: no advertisement, so that it needs no consent. */
export const campaignPurposes = ['advertisement', 'notice'] as const;

/** Why a campaign stopped by itself. */
export const pauseReasons = [
  'checks_failed',
  'smtp_unavailable',
  'sender_refused',
  'bounce_rate',
  'complaint_rate',
] as const;
