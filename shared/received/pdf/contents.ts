import { createHash } from 'node:crypto';
import { fileStem } from '../../kernel/file-name.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import type { Content } from '../../platform/jobs/generated.ts';
import { receivedContext } from '../context.ts';
import type { ReceivedKind } from '../documents/kinds.ts';
import { storedDocument } from '../documents/queries.ts';
import type { ReceivedDocument } from '../documents/record.ts';
import { type ReceivedPrint, renderReceived } from './prints.ts';
import { type RecordSheet, SHEET_VERSION, sheetOf } from './sheet.ts';

type Stored = ReceivedDocument['files'][number];

const PDF = 'application/pdf';

/** Pictures that a page is made of. */
const PICTURES = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/heic']);

/**
 * The PDF of a received document, or what makes it: that of the first file that was not superseded, a PDF as its own bytes, a
 * picture as a page of it; else the record sheet. Errors: `not_found`.
 */
export async function contentOf(reader: Reader, kind: ReceivedKind, id: string): Promise<Content> {
  const [document, organization, { invoicing }] = await Promise.all([
    storedDocument(reader, kind, id),
    organizationName(reader),
    receivedContext(reader),
  ]);
  const file = document.files.find(({ superseded_by }) => superseded_by === null);
  if (file?.content_type === PDF) return { file: ownFile(file) };
  const sheet = sheetOf(document, { organization, time_zone: invoicing.time_zone });
  const sheet_key = `received.sheet ${id} ${SHEET_VERSION} ${hashOf(sheet)}`;
  const picture = file && PICTURES.has(file.content_type) && !file.is_unreadable ? file : null;
  const print: ReceivedPrint = {
    picture: picture && {
      file_id: picture.id,
      storage_key: picture.storage_key,
      content_type: picture.content_type,
    },
    sheet,
    sheet_key,
    file_names: {
      picture: picture && `${fileStem(picture.file_name.replace(/\.[^.]*$/, '')) || picture.id}.pdf`,
      sheet: `${fileStem(`控え_${document.number?.replaceAll('/', '-') ?? id}`)}.pdf`,
    },
  };
  return {
    key: picture ? `received.picture ${picture.id}` : sheet_key,
    enqueue: (work: Work, job_id) => renderReceived(work, print, job_id),
  };
}

function ownFile({ storage_key, file_name, size_bytes: size, sha256, uploaded_at }: Stored) {
  return { storage_key, file_name, media_type: PDF, size, sha256, created_at: uploaded_at };
}

function hashOf(sheet: RecordSheet): string {
  return createHash('sha256').update(JSON.stringify(sheet)).digest('hex');
}

async function organizationName({ connection, organization_id }: Reader): Promise<string> {
  const [row] = await connection.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
    organization_id,
  ]);
  return row!.name;
}
