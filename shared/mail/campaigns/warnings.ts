import type { Reader } from '../../kernel/reader.ts';
import type { Sentence } from '../../kernel/sentences.ts';
import type { MailWarning } from '../content/warnings.ts';
import { emailKey } from '../email-key.ts';
import type { SegmentFilter } from '../segments/filter.ts';
import { warningsOfFilter } from '../segments/warnings.ts';
import { mailSettingsOf } from '../settings/queries.ts';
import type { Campaign } from './record.ts';

const dkimKeyMissing = (domain: string) => ({
  en: `There is no DKIM key for ${domain}: many mailboxes refuse unsigned mails, unless a relay signs them`,
  ja: `${domain} のDKIM鍵がありません。中継サーバーが署名しない場合、多くのメールサービスで受信を拒否されます`,
});
const baseUrlInsecure = () => ({
  en: 'BASE_URL is without https: mailboxes do not unsubscribe people at such an address by one click',
  ja: 'BASE_URL が https ではないため、受信者のメールソフトからワンクリックで配信停止できません',
});
const listMissing = (id: string) => ({
  en: `${id} was removed: the campaign cannot be sent with it`,
  ja: `${id} は削除されています。指定したままでは送信できません`,
});

/** What the warnings of campaigns say beside those of their contents. */
export const campaignWarnings: readonly Sentence[] = [dkimKeyMissing, baseUrlInsecure, listMissing];

const codes: readonly string[] = [
  'dkim_key_missing',
  'base_url_insecure',
  'list_missing',
  'segment_missing',
  'filter_matches_everybody',
];

/** A campaign with the warnings of its contents, and with what is odd as it is saved about how and to whom it goes. */
export async function withWarnings(reader: Reader, campaign: Campaign, base_url: string): Promise<Campaign> {
  const ofContents = campaign.warnings.filter(({ code }) => !codes.includes(code));
  const ofSending = await Promise.all([unsigned(reader, campaign), ofAudience(reader, campaign)]);
  return { ...campaign, warnings: [...ofContents, ...ofSending.flat(), ...insecure(base_url)] };
}

async function unsigned(reader: Reader, { from_email }: Campaign): Promise<MailWarning[]> {
  const { default_from_email, dkim_keys } = await mailSettingsOf(reader);
  const email = from_email ?? default_from_email;
  if (email === null) return [];
  const domain = emailKey(email).split('@')[1]!;
  if (dkim_keys.some((key) => key.domain === domain)) return [];
  return [{ code: 'dkim_key_missing', path: '/from_email', message: dkimKeyMissing(domain).en }];
}

/** Lists and segments that were removed since the draft named them, and a segment that leaves out nobody. */
async function ofAudience(
  { connection, organization_id }: Reader,
  { list_ids, exclude_list_ids, segment_id }: Campaign,
): Promise<MailWarning[]> {
  const named = [
    ...list_ids.map((id, index) => ({ id, code: 'list_missing', path: `/list_ids/${index}` })),
    ...exclude_list_ids.map((id, index) => ({
      id,
      code: 'list_missing',
      path: `/exclude_list_ids/${index}`,
    })),
    ...(segment_id === null ? [] : [{ id: segment_id, code: 'segment_missing', path: '/segment_id' }]),
  ];
  if (named.length === 0) return [];
  const rows = await connection.query<{ id: string; filter: SegmentFilter | null }>(
    `SELECT id, NULL::jsonb AS filter FROM mail_lists WHERE organization_id = $1 AND id = ANY ($2)
     UNION ALL SELECT id, filter FROM mail_segments WHERE organization_id = $1 AND id = $3`,
    [organization_id, named.map(({ id }) => id), segment_id],
  );
  const there = new Set(rows.map(({ id }) => id));
  const removed = named.flatMap(({ id, code, path }) =>
    there.has(id) ? [] : [{ code, path, message: listMissing(id).en }],
  );
  const segment = rows.find(({ filter }) => filter !== null);
  if (!segment?.filter) return removed;
  const where = { path: '/segment_id', in_lists: list_ids.length > 0 };
  return [...removed, ...warningsOfFilter(segment.filter, where)];
}

function insecure(base_url: string): MailWarning[] {
  if (new URL(base_url).protocol === 'https:') return [];
  return [{ code: 'base_url_insecure', path: '', message: baseUrlInsecure().en }];
}
