import type { Work } from '../../kernel/work.ts';
import { lockRecipient, type MailedRecipient, Recipients } from '../bounces/recipients.ts';
import { AGREES_TO_TRACKING } from '../campaigns/audience.ts';
import { moveCounts, moveHourlyCounts, moveLinkCounts } from '../campaigns/counts.ts';
import { noteIfSent, settled, settledCounts } from '../campaigns/settled.ts';
import { linkCount } from './links.ts';
import { isTooFast } from './pace.ts';

/** What was opened of a mail: its picture, or the link of that number. `is_robot`: who opened it is known not to be a person. */
export type MailRead = { link_index: number | null; is_robot: boolean };

/** So many of the newest reads of a recipient are looked at. */
const NEWEST = 100;

/** A recipient with that many reads within this time is counted no more meanwhile: no person reads like that. */
const FLOOD = 60_000;

type KeptRead = { link_index: number | null; at: string };

/**
 * Counts that a mail was opened, or a link of it, where its recipient agreed to that, has not withdrawn it since and is not erased: a
 * person sets `opened_at` or `clicked_at`, and shows that a mail of unknown fate was sent; a robot is counted as one and sets nothing. Locks: the recipient,
 * the contact, the counts.
 */
export async function countRead(work: Work, recipient_id: string, read: MailRead): Promise<void> {
  const recipient = await lockRecipient(work, recipient_id);
  if (!recipient.tracked || recipient.contact_id === null) return;
  const { link_index } = read;
  const [agrees, before, links] = await Promise.all([
    stillAgrees(work, recipient.contact_id),
    newestReads(work, recipient),
    linkCount(work, recipient.campaign_id),
  ]);
  if (!agrees || isFlood(before, work.now)) return;
  const timed = before.map((one) => ({ link_index: one.link_index, at: Date.parse(one.at) }));
  const is_robot = read.is_robot || isTooFast({ link_index, at: work.now.getTime() }, timed, links);
  const isNewLink = link_index !== null && !is_robot && (await isFirstClick(work, recipient, link_index));
  if (!is_robot) await noteIfSent(work, recipient, work.now.toISOString());
  keepRead(work, recipient, { link_index, is_robot });
  if (is_robot) moveCounts(work, recipient, link_index === null ? { bot_opens: 1 } : { bot_clicks: 1 });
  else if (link_index === null) countOpen(work, recipient);
  else countClick(work, recipient, { link_index, isNewLink });
}

function countOpen(work: Work, recipient: MailedRecipient): void {
  const at = work.now.toISOString();
  work.update(Recipients, recipient.id, {
    opened_at: recipient.opened_at ?? at,
    ...settled(work, recipient, at),
  });
  touchContact(work, recipient, 'last_opened_at');
  moveCounts(work, recipient, {
    ...settledCounts(recipient),
    opens: 1,
    unique_opens: recipient.opened_at === null ? 1 : 0,
  });
  moveHourlyCounts(work, recipient, at, { opens: 1, sent: recipient.status === 'unknown' ? 1 : 0 });
}

function countClick(
  work: Work,
  recipient: MailedRecipient,
  { link_index, isNewLink }: { link_index: number; isNewLink: boolean },
): void {
  const at = work.now.toISOString();
  work.update(Recipients, recipient.id, {
    clicked_at: recipient.clicked_at ?? at,
    ...settled(work, recipient, at),
  });
  touchContact(work, recipient, 'last_clicked_at');
  moveCounts(work, recipient, {
    ...settledCounts(recipient),
    clicks: 1,
    unique_clicks: recipient.clicked_at === null ? 1 : 0,
  });
  moveHourlyCounts(work, recipient, at, { clicks: 1, sent: recipient.status === 'unknown' ? 1 : 0 });
  moveLinkCounts(work, recipient, link_index, { clicks: 1, unique_clicks: isNewLink ? 1 : 0 });
}

/** It is no change of the contact itself. */
function touchContact(
  work: Work,
  { contact_id }: MailedRecipient,
  column: 'last_opened_at' | 'last_clicked_at',
): void {
  work.run(
    `UPDATE mail_contacts SET ${column} = greatest(${column}, $3::timestamptz) WHERE organization_id = $1 AND id = $2`,
    [work.organization_id, contact_id, work.now.toISOString()],
  );
}

function keepRead(work: Work, { campaign_id, number }: MailedRecipient, { link_index, is_robot }: MailRead) {
  work.run(
    `INSERT INTO mail_campaign_reads (organization_id, campaign_id, recipient_number, kind, link_index, is_robot, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      work.organization_id,
      campaign_id,
      number,
      link_index === null ? 'open' : 'click',
      link_index,
      is_robot,
      work.now.toISOString(),
    ],
  );
}

async function stillAgrees({ connection, organization_id }: Work, contact_id: string): Promise<boolean> {
  const [contact] = await connection.query<{ agrees: boolean }>(
    `SELECT ${AGREES_TO_TRACKING} AS agrees FROM mail_contacts AS contact
      WHERE organization_id = $1 AND id = $2`,
    [organization_id, contact_id],
  );
  return contact?.agrees === true;
}

async function newestReads(work: Work, { campaign_id, number }: MailedRecipient): Promise<KeptRead[]> {
  return work.connection.query<KeptRead>(
    `SELECT link_index, at FROM mail_campaign_reads
      WHERE organization_id = $1 AND campaign_id = $2 AND recipient_number = $3
      ORDER BY id DESC LIMIT ${NEWEST}`,
    [work.organization_id, campaign_id, number],
  );
}

function isFlood(newest: readonly KeptRead[], now: Date): boolean {
  const oldest = newest[NEWEST - 1];
  return oldest !== undefined && Date.parse(oldest.at) > now.getTime() - FLOOD;
}

async function isFirstClick(
  work: Work,
  { campaign_id, number }: MailedRecipient,
  link_index: number,
): Promise<boolean> {
  const [row] = await work.connection.query(
    `SELECT FROM mail_campaign_reads WHERE organization_id = $1 AND campaign_id = $2 AND recipient_number = $3
       AND link_index = $4 AND NOT is_robot LIMIT 1`,
    [work.organization_id, campaign_id, number, link_index],
  );
  return row === undefined;
}
