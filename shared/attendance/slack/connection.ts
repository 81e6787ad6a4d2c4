import { Failure, invalid } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import type { OutsideServices } from '../../platform/outside/open.ts';
import type { SecretKeys } from '../../platform/secrets/keys.ts';
import { keepSecret, readSecret, removeSecret } from '../../platform/secrets/store.ts';
import { SlackBusy, SlackRefusal, SlackTrouble, slackOf } from './api.ts';

/** What the settings show of Slack; the token is in no answer. */
export type SlackShown = { connected: boolean; team: string | null; connected_at: string | null };

/** A change of the connection that was tried with Slack: another token, or none. */
export type SlackChange = { bot_token: string; team: string | null } | { bot_token: null };

const PURPOSE = 'attendance.slack';

const NOT_CONNECTED: SlackShown = { connected: false, team: null, connected_at: null };

/**
 * How Slack is connected. Not any more where Slack has refused the token since, and where it was encrypted with a key that
 * this process does not have.
 */
export async function slackShown(reader: Reader, keys: SecretKeys): Promise<SlackShown> {
  const known = [keys.present, ...keys.earlier].flatMap((key) => key?.id ?? []);
  const [row] = await reader.connection.query<Omit<SlackShown, 'connected'>>(
    `SELECT connection.team, connection.connected_at FROM attendance_slack_connections AS connection
       JOIN sealed_secrets AS token ON token.organization_id = connection.organization_id
        AND token.purpose = $2 AND token.record_id = connection.organization_id
      WHERE connection.organization_id = $1 AND connection.refused_at IS NULL AND token.key_id = ANY ($3)`,
    [reader.organization_id, PURPOSE, known],
  );
  return row ? { connected: true, ...row } : NOT_CONNECTED;
}

/**
 * Asks Slack about a token before it is kept. A token that Slack refuses is a mistake of the caller; while Slack cannot be
 * asked it is kept without the name of its workspace. Errors: `validation_failed`.
 */
export async function trySlack(
  services: OutsideServices,
  bot_token: string | null | undefined,
): Promise<SlackChange | undefined> {
  if (bot_token === undefined) return undefined;
  if (bot_token === null) return { bot_token };
  try {
    return { bot_token, team: await slackOf(services, bot_token).team() };
  } catch (error) {
    if (error instanceof SlackRefusal && error.code !== 'unknown_method') {
      throw invalid('/slack/bot_token', 'refused_by_slack', {
        en: `slack.bot_token must be a token that Slack takes; Slack says ${error.code}`,
        ja: `slack.bot_token にはSlackで有効なトークンを指定してください（Slackの応答：${error.code}）`,
      });
    }
    if (error instanceof SlackRefusal || error instanceof SlackTrouble || error instanceof SlackBusy)
      return { bot_token, team: null };
    throw error;
  }
}

/** Keeps a token, encrypted, or removes it. The caller records what is shown. */
export function changeSlack(work: Work, keys: SecretKeys, change: SlackChange): SlackShown {
  const record_id = work.organization_id;
  if (change.bot_token === null) {
    removeSecret(work, { purpose: PURPOSE, record_id });
    work.run('DELETE FROM attendance_slack_connections WHERE organization_id = $1', [record_id]);
    return NOT_CONNECTED;
  }
  keepSecret(work, keys, { purpose: PURPOSE, record_id }, change.bot_token);
  const connected_at = work.now.toISOString();
  work.run(
    `INSERT INTO attendance_slack_connections (organization_id, team, connected_at) VALUES ($1, $2, $3)
     ON CONFLICT (organization_id)
       DO UPDATE SET team = excluded.team, connected_at = excluded.connected_at, refused_at = NULL`,
    [record_id, change.team, connected_at],
  );
  return { connected: true, team: change.team, connected_at };
}

/** The token of the organization; null where it is not connected. */
export async function slackToken(reader: Reader, keys: SecretKeys): Promise<string | null> {
  const { connected } = await slackShown(reader, keys);
  if (!connected) return null;
  const found = await readSecret(reader, keys, { purpose: PURPOSE, record_id: reader.organization_id });
  return found.state === 'readable' ? found.text : null;
}

/** Sees that Slack is connected. Errors: `slack_not_connected`. */
export async function requireSlack(reader: Reader, keys: SecretKeys): Promise<void> {
  if ((await slackToken(reader, keys)) === null) throw new Failure('slack_not_connected');
}

/** Notes that Slack refuses the token: whoever invites next is told to connect anew. */
export function noteRefusal(work: Work): void {
  work.run(
    'UPDATE attendance_slack_connections SET refused_at = $2 WHERE organization_id = $1 AND refused_at IS NULL',
    [work.organization_id, work.now.toISOString()],
  );
}
