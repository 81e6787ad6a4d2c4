import { randomBytes } from 'node:crypto';
import { domains } from '../../shared/domains.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { Work } from '../../shared/kernel/work.ts';
import { tokenFrom } from '../../shared/platform/links/token.ts';
import type { Letter } from '../../shared/platform/mailer/letter.ts';
import { LOCAL_SENDER } from '../../shared/platform/mailer/message.ts';
import type { Composing } from '../../shared/platform/mailer/purpose.ts';
import { purposesOf } from '../../shared/platform/mailer/purposes.ts';
import { secretKeysOf } from '../../shared/platform/secrets/keys.ts';
import type { TestApp } from './app.ts';

type MailRow = { id: string; organization_id: string; purpose: string; about: object; locale: 'ja' | 'en' };

/** What a purpose is handed by the worker that sends its mail. */
export function composingWith(
  given: Omit<Composing, 'work' | 'newToken' | 'mail_from' | 'secret_keys'>,
): Composing {
  const work = new Work({ ...given, actor: systemActor, request_id: null, ip_address: null });
  const secret_keys = secretKeysOf({});
  return { ...given, work, secret_keys, mail_from: LOCAL_SENDER, newToken: () => tokenFrom(randomBytes(32)) };
}

/** The mails of a purpose that the service asked for about somebody or something, oldest first, as they would be sent. */
export async function lettersAbout(app: TestApp, purpose: string, id: string): Promise<Letter[]> {
  return app.database.withConnection('*', async (connection) => {
    const rows = await connection.query<MailRow>(
      'SELECT id, organization_id, purpose, about, locale FROM mails WHERE purpose = $1 AND about::text LIKE $2 ORDER BY id',
      [purpose, `%${id}%`],
    );
    const letters: Letter[] = [];
    for (const { id: mail_id, organization_id, about, locale } of rows) {
      const { context } = app;
      const given = { mail_id, connection, organization_id, locale, now: context.now() };
      const composing = composingWith({ ...given, base_url: context.settings.baseUrl });
      const letter = await purposesOf(domains).get(purpose)!.compose(about, composing);
      if ('paragraphs' in letter) letters.push(letter);
    }
    return letters;
  });
}

/** The token at the end of the link in the newest mail of a purpose about somebody or something. */
export async function linkInMail(app: TestApp, purpose: string, id: string): Promise<string> {
  const letter = (await lettersAbout(app, purpose, id)).at(-1);
  if (!letter?.action) throw new Error(`There is no mail of the purpose ${purpose} about ${id}`);
  return letter.action.url.split('/').at(-1)!;
}
