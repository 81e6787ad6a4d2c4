import type { FieldRow } from '../../../shared/sign/documents/rows.ts';
import { enqueueSeal } from '../../../shared/sign/sealing/jobs.ts';
import type { TestActor } from '../../support/actors.ts';
import type { TestApp } from '../../support/app.ts';
import { pdfOfPages } from '../../support/made-pdfs.ts';
import { inOrganization, pendingSeal } from '../../support/pending-seals.ts';

export const PAGES = 10;

/** A contract of ten pages. */
export const CONTRACT = pdfOfPages(
  Array.from({ length: PAGES }, (_, page) => ({
    text: `Article ${page + 1}. The parties agree to what follows.`,
  })),
);

const place = (page: number) => ({ page, x: 0.1, y: 0.8, w: 0.4, h: 0.05 });

/** Six fields: a signature and a text of each of three signers. */
export const FIELDS: readonly (Pick<FieldRow, 'type' | 'page' | 'x' | 'y' | 'w' | 'h'> & { text: string })[] =
  [
    { ...place(1), type: 'text', text: '東京都千代田区丸の内1-1-1' },
    { ...place(2), type: 'text', text: '大阪府大阪市北区梅田2-2-2' },
    { ...place(3), type: 'text', text: '福岡県福岡市博多区3-3-3' },
    { ...place(10), type: 'signature', text: '佐藤 花子' },
    { ...place(10), y: 0.7, type: 'signature', text: '鈴木 一郎' },
    { ...place(10), y: 0.6, type: 'signature', text: '田中 次郎' },
  ];

/** So many contracts that three have signed and that are not to be sealed yet; answers their IDs. */
export async function signedContracts(app: TestApp, actor: TestActor, count: number): Promise<string[]> {
  const { database } = app;
  const { storage } = app.context;
  const fields = FIELDS.map(({ text, ...field }) => ({
    ...field,
    value: field.type === 'signature' ? ({ kind: 'typed', text } as const) : text,
  }));
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const id = await pendingSeal({ database, storage }, actor, {
      pdf: CONTRACT,
      pages: PAGES,
      signers: [{}, {}, {}],
      fields,
      document: { sealing_status: 'none', sealing_since: null },
    });
    ids.push(id);
  }
  await untilNoneWaits(app);
  return ids;
}

/** Asks for the seals of all of them in one commit. */
export async function askForSeals(
  { database }: TestApp,
  actor: TestActor,
  ids: readonly string[],
): Promise<void> {
  await inOrganization({ database }, actor, async (work) => {
    work.run(
      `UPDATE sign_documents SET sealing_status = 'pending', sealing_since = $3
        WHERE organization_id = $1 AND id = ANY ($2)`,
      [work.organization_id, ids, work.now.toISOString()],
    );
    for (const id of ids) enqueueSeal(work, { id });
  });
}

/** How many of them are signed. */
export async function countSigned({ database }: TestApp, ids: readonly string[]): Promise<number> {
  const [row] = await database.withConnection('*', ({ query }) =>
    query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM sign_documents WHERE id = ANY ($1) AND status = 'signed'`,
      [ids],
    ),
  );
  return row!.count;
}

/** Takes back the seals that were asked for before their time. */
async function untilNoneWaits({ database }: TestApp): Promise<void> {
  await database.withConnection('*', ({ query }) =>
    query(`DELETE FROM outbox WHERE name = 'sign.seal' AND handed_over_at IS NULL`),
  );
}
