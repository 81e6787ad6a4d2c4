import type { TestApp } from './app.ts';
import { type Drafted, storedDraft } from './stored-signing.ts';

/** Makes senders with a draft in that app, whose seals have a key; `begin` is called before each. */
export function draftingIn(app: TestApp, begin: () => void = () => {}) {
  app.context.settings.embeddedDatabase = true;
  return async (draft: Partial<Drafted> = {}, options: Parameters<TestApp['actor']>[0] = {}) => {
    begin();
    const now = app.context.now();
    const sender = await app.actor(options);
    const { organization_id, user_id } = sender.actor;
    const { id, signer_ids } = await storedDraft(app, { organization_id, user_id, now, ...draft });
    const path = `/sign/documents/${id}`;
    /** Reads or writes past the API; the organization is the first value. */
    const set = <Row extends object>(text: string, values: unknown[] = []) =>
      app.database.withConnection(organization_id, (connection) =>
        connection.query<Row>(text, [organization_id, ...values]),
      );
    const events = async () => (await sender.get(`${path}/events`)).body.items;
    return {
      sender,
      organization_id,
      id,
      signer_ids,
      path,
      set,
      events,
      act: (action: string, body?: unknown) => sender.post(`${path}/${action}`, body),
      types: async (): Promise<string[]> => (await events()).map(({ type }: { type: string }) => type),
      mails: () =>
        set<{ kind: string; signer_id: string | null }>(
          'SELECT kind, signer_id FROM sign_mails WHERE organization_id = $1 ORDER BY position',
        ),
    };
  };
}

/** How many answers have each status. */
export function statusesOf(answers: readonly { status: number }[]): Record<string, number> {
  const groups = Map.groupBy(answers, ({ status }) => status);
  return Object.fromEntries([...groups].map(([status, all]) => [status, all.length]));
}
