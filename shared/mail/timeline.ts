import { z } from 'zod';
import { isId } from '../kernel/id.ts';
import type { Reader } from '../kernel/reader.ts';
import { id } from '../kernel/schema.ts';
import {
  type TimelineEntry,
  type TimelinePlace,
  type TimelineSource,
  timelineItemFields,
} from '../platform/timeline.ts';

/** What happened to a mail, by the column of its recipient that says when. */
const moments = { sent: 'sent_at', opened: 'opened_at', clicked: 'clicked_at' } as const;

type Moment = keyof typeof moments;

const CampaignMail = z.strictObject({
  action: z.enum(Object.keys(moments) as [Moment, ...Moment[]]),
  campaign_id: id('camp'),
  recipient_id: id('mrcp'),
  contact_id: id('mcont'),
  name: z
    .string()
    .describe('Of the campaign as it is now, as is the subject.')
    .meta({ examples: ['春のお知らせ'] }),
  subject: z
    .string()
    .nullable()
    .meta({ examples: ['春の新商品のご案内'] }),
});

/**
 * In the timelines of CRM contacts: when mails of campaigns went to the mail contact with their e-mail, when a person first opened
 * one and first followed a link, for those who may read mail. An item is named by its recipient and what happened.
 */
export const mailTimeline: TimelineSource = {
  scope: 'mail:read',
  of: ['crm_contacts'],
  item: z.strictObject({ type: z.literal('mail'), ...timelineItemFields, data: CampaignMail }),
  items: mailItems,
  timeOf(reader, cursor) {
    const [recipient_id = '', moment = '', ...others] = cursor.split(':');
    if (!isId(recipient_id, 'mrcp') || !isMoment(moment) || others.length > 0) return undefined;
    return momentOf(reader, recipient_id, moment);
  },
};

function isMoment(word: string): word is Moment {
  return Object.hasOwn(moments, word);
}

async function momentOf(
  { connection, organization_id }: Reader,
  recipient_id: string,
  moment: Moment,
): Promise<string | null> {
  const [row] = await connection.query<{ at: string | null }>(
    `SELECT ${moments[moment]} AS at FROM mail_campaign_recipients WHERE organization_id = $1 AND id = $2`,
    [organization_id, recipient_id],
  );
  return row?.at ?? null;
}

type Row = {
  action: Moment;
  recipient_id: string;
  contact_id: string;
  campaign_id: string;
  name: string;
  subject: string | null;
  occurred_at: string;
};

/**
 * The mail contact is that of the survivor's e-mail; of several CRM contacts with one e-mail it belongs to the oldest, as everywhere
 * else. Where each order ends is where the page ends.
 */
async function mailItems(
  { connection, organization_id }: Reader,
  { id: crm_contact_id }: { id: string },
  { limit, occurred_at, id: after }: { limit: number } & TimelinePlace,
): Promise<TimelineEntry[]> {
  const each = Object.entries(moments).map(
    ([action, column]) => `
      SELECT '${action}' AS action, recipient.id AS recipient_id, recipient.contact_id, recipient.campaign_id,
             recipient.${column} AS occurred_at, recipient.id || ':${action}' AS item_id
        FROM mail_campaign_recipients AS recipient JOIN holder ON recipient.contact_id = holder.id
       WHERE recipient.organization_id = $1 AND recipient.${column} IS NOT NULL
         AND (recipient.${column}, recipient.id || ':${action}') < ($4::timestamptz, $5 COLLATE "C")`,
  );
  const rows = await connection.query<Row>(
    `WITH person AS (
       SELECT id, email_key FROM crm_contacts WHERE organization_id = $1 AND id = coalesce(
         (SELECT contact_id FROM crm_aliases WHERE organization_id = $1 AND id = $2), $2)
     ), holder AS MATERIALIZED (
       SELECT contact.id FROM mail_contacts AS contact JOIN person ON person.email_key = contact.email_key
        WHERE contact.organization_id = $1 AND person.id = (
          SELECT min(twin.id) FROM crm_contacts AS twin
           WHERE twin.organization_id = $1 AND twin.email_key = contact.email_key)
     ), latest AS (
       SELECT * FROM (${each.join(' UNION ALL ')}) AS moment
        ORDER BY occurred_at DESC, item_id COLLATE "C" DESC LIMIT $3
     )
     SELECT latest.*, campaign.name, campaign.subject FROM latest
       JOIN mail_campaigns AS campaign ON campaign.organization_id = $1 AND campaign.id = latest.campaign_id
      ORDER BY occurred_at DESC, item_id COLLATE "C" DESC`,
    [organization_id, crm_contact_id, limit, occurred_at, after],
  );
  return rows.map(itemOf);
}

function itemOf(row: Row): TimelineEntry {
  const { action, recipient_id, contact_id, campaign_id, name, subject, occurred_at } = row;
  return {
    type: 'mail',
    id: `${recipient_id}:${action}`,
    occurred_at,
    actor: { type: action === 'sent' ? 'system' : 'guest', id: null },
    data: { action, campaign_id, recipient_id, contact_id, name, subject },
  };
}
