import type { Certificate } from '../../../shared/sign/certificate/contents.ts';
import { withInfo } from '../../pdf/info.ts';
import { printPage } from '../../pdf/print-page.ts';
import type { Renderer } from '../../pdf/renderer.ts';
import { certificatePage } from './page.ts';

/** The PDF of a certificate. Errors: those of `Renderer.render`. */
export async function renderCertificate(
  renderer: Renderer,
  certificate: Certificate,
  signal: AbortSignal,
): Promise<Buffer> {
  const html = certificatePage(certificate);
  const pdf = await renderer.render(async (page) => {
    await page.setContent(html);
    // Its structure would be lost when its pages are put behind the upload's.
    return printPage(page, false);
  }, signal);
  return withInfo(pdf, {
    title: `${certificate.words.title} ${certificate.title}`,
    author: certificate.organization,
  });
}
