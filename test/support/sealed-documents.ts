import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { storeFile } from '../../shared/platform/storage/loose-files.ts';
import { makeSealed } from '../../shared/sign/sealing/making.ts';
import { settleSeal } from '../../shared/sign/sealing/operations.ts';
import { preparedSeal } from '../../shared/sign/sealing/preparing.ts';
import type { TestApp } from './app.ts';
import { pdfOfPages } from './made-pdfs.ts';
import { inOrganization } from './pending-seals.ts';

type Sealer = Parameters<typeof makeSealed>[2];

/** Seals a document that waits for it, without a browser: its certificate is a page with a word. Answers the sealed file. */
export async function sealedFile(
  app: TestApp,
  { organization_id, id, sealer }: { organization_id: string; id: string; sealer: Sealer },
): Promise<Buffer> {
  const { storage } = app.context;
  const prepared = await inOrganization(app, { organization_id }, (work) => preparedSeal(work, id));
  const making = {
    storage,
    base_url: app.base_url,
    render: async () => pdfOfPages([{ text: 'Certificate' }]),
  };
  const [made] = await makeSealed(making, prepared!, sealer);
  const { bytes, kind, file_name, page_count, digest } = made!;
  const body = Readable.from([bytes], { objectMode: false });
  const asked = { organization_id, area: 'sign', body, limit: bytes.length, now: sealer.now };
  const { storage_key, size, sha256 } = await storeFile(app.context, asked);
  const file = { kind, storage_key, file_name, size_bytes: size, sha256, page_count, seal_digest: digest };
  const settled = { key: sealer.key, sealed_at: sealer.now, timestamp_at: null, renew_at: null };
  await inOrganization(app, { organization_id }, (work) =>
    settleSeal(work, id, { files: [file], ...settled }),
  );
  return buffer(await storage.read(storage_key));
}
