import { readFileSync } from 'node:fs';
import type { Page } from 'puppeteer';
import { PDF } from '../../../shared/platform/pdf/libpdf.ts';
import { fontFile } from '../../../shared/sign/pdf/fonts/fonts.ts';
import type { SealKey } from '../../../shared/sign/sealing/key.ts';
import { PAPER_OPTIONS } from '../../../workers/pdf/paper/lay-out.ts';
import { CONTRACT, FIELDS } from './contracts.ts';

const font_bytes = readFileSync(fontFile('japanese'));

/**
 * What is sealed, by the two libraries and nothing else: the certificate printed on a page that is used again, the upload loaded, six texts
 * drawn in one font, the certificate's pages appended, a subset saved, loaded again and signed.
 */
export async function sealBare(page: Page, html: string, key: SealKey): Promise<Uint8Array> {
  await page.setContent(html);
  const certificate = await page.pdf({ ...PAPER_OPTIONS, tagged: false });
  const pdf = await PDF.load(CONTRACT);
  const font = pdf.embedFont(font_bytes);
  for (const { page: number, text, x, y, h } of FIELDS) {
    const drawn = pdf.getPage(number - 1)!;
    drawn.drawText(text, { font, size: 10, x: x * drawn.width, y: (1 - y - h) * drawn.height });
  }
  const added = await PDF.load(certificate);
  await pdf.copyPagesFrom(added, [...added.getPages().keys()]);
  const loaded = await PDF.load(await pdf.save({ subsetFonts: true }));
  const { bytes } = await loaded.sign({
    signer: {
      certificate: key.certificate,
      certificateChain: [...key.chain],
      keyType: key.key_type,
      signatureAlgorithm: key.key_type === 'RSA' ? 'RSASSA-PKCS1-v1_5' : 'ECDSA',
      sign: async (data) => key.sign(data),
    },
    fieldName: 'Seal',
    level: 'B-B',
  });
  return bytes;
}
