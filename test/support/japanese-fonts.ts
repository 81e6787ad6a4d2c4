import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { preparedFonts } from '../../workers/pdf/fonts.ts';

/** Gives the browser that this test file opens after it the fonts of the PDFs: a machine may have none for Japanese. */
export async function useJapaneseFonts(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fonts-'));
  after(() => rmSync(folder, { recursive: true }));
  const fonts = `<fontconfig><include>/etc/fonts/fonts.conf</include>
<dir>${await preparedFonts(tmpdir(), new Date())}</dir><cachedir>${folder}</cachedir></fontconfig>`;
  process.env.FONTCONFIG_FILE = join(folder, 'fonts.conf');
  writeFileSync(process.env.FONTCONFIG_FILE, fonts);
}
