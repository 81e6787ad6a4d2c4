import { randomBytes } from 'node:crypto';
import type { Letter } from '../../shared/mailer/letter.ts';
import { purposes } from '../../shared/mailer/purposes.ts';
import { tokenFrom } from '../../shared/mailer/token.ts';
import type { TestApp } from './app.ts';

type MailRow = { organization_id: string; purpose: string; about: object; locale: 'ja' | 'en' };

/** The mails of a purpose that the service asked for about somebody or something, oldest first, as they would be sent. */
export async function lettersAbout(app: TestApp, purpose: string, id: string): Promise<Letter[]> {
  return app.database.withConnection('*', async (connection) => {
    const rows = await connection.query<MailRow>(
      'SELECT organization_id, purpose, about, locale FROM mails WHERE purpose = $1 AND about::text LIKE $2 ORDER BY id',
      [purpose, `%${id}%`],
    );
    const letters: Letter[] = [];
    for (const { organization_id, about, locale } of rows) {
      const letter = await purposes.get(purpose)!.compose(about, {
        connection,
        organization_id,
        locale,
        now: app.context.now(),
        base_url: app.context.settings.baseUrl,
        newToken: () => tokenFrom(randomBytes(32)),
      });
      if (!('pointless' in letter)) letters.push(letter);
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
