import assert from 'node:assert/strict';
import type { TestActor } from './actors.ts';
import type { TestApp } from './app.ts';
import { type PageReply, visitor } from './forms.ts';
import { storedForm } from './stored-responses.ts';

const RULES = {
  min_seconds: 0,
  max_links: 5,
  blocked_words: [],
  per_address: 0,
  challenge: 'off' as const,
  burst: 30,
};

type File = { name: string; text: string };

/** The pages of an organization's forms, and somebody who fills them in without a script. */
export async function formPagesOf(app: TestApp, { organization_id }: Pick<TestActor, 'organization_id'>) {
  const guest = visitor(app);
  const query = <Row extends object>(sql: string, values: readonly unknown[]) =>
    app.database.withConnection(organization_id, (connection) => connection.query<Row>(sql, values));
  const [organization] = await query<{ slug: string }>('SELECT slug FROM organizations WHERE id = $1', [
    organization_id,
  ]);

  return {
    guest,
    query,
    slug: organization!.slug,
    /** A published form, and the path of its page. */
    async open(schema: object, settings: object = {}): Promise<{ id: string; path: string }> {
      const where = { database: app.database, organization_id };
      const id = await storedForm(where, { schema, spam: RULES, ...settings });
      return { id, path: `/f/${organization!.slug}/${id.replace('_', '-')}` };
    },
    /** Fills in the step that is shown, and goes on. */
    go: (path: string, page: PageReply, answers: Record<string, string>, action = 'next') =>
      guest.send(actionOf(page, path), { ...ridingIn(page), ...answers, action }),
    /** The same with files, by the names of their inputs; as a browser sends them, behind what stands before. */
    goWithFiles: (
      path: string,
      page: PageReply,
      answers: Record<string, string>,
      files: Record<string, File>,
      action = 'next',
    ) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...ridingIn(page), ...answers })) form.append(name, value);
      for (const [name, { name: file_name, text }] of Object.entries(files)) {
        form.append(name, new Blob([text]), file_name);
      }
      form.append('action', action);
      return guest.send(actionOf(page, path), form);
    },
    stored: (form_id: string) =>
      query<{ id: string; data: Record<string, unknown>; hidden: object; source: string; is_spam: boolean }>(
        'SELECT id, data, hidden, source, is_spam FROM forms_responses WHERE form_id = $1 ORDER BY id',
        [form_id],
      ),
  };
}

/** Where the form of a page goes, which must be the page of the form; its address may have a query besides. */
function actionOf({ html }: PageReply, path: string): string {
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(html)!;
  const to = unescaped(action);
  assert.equal(to.split('?')[0], path.split('?')[0]);
  return to;
}

/** The inputs that a page sends by itself: those that are hidden. */
export function ridingIn({ html }: PageReply): Record<string, string> {
  const inputs = [...shownIn(html).matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name, value]) => [name!, unescaped(value!)]));
}

/** The HTML of a page without what waits for its script. */
export function shownIn(html: string): string {
  return html.replaceAll(/<template>.*?<\/template>/gs, '');
}

function unescaped(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}
