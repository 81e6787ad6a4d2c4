import { chromiumPath } from './executable.ts';
import { preparedFonts } from './fonts.ts';

/** Prepares Chromium and its fonts beside the installed packages, for an image in which the service may not write. */
const now = new Date();
const path = await chromiumPath({ chrome_path: undefined, data_dir: 'data' }, now);
process.stdout.write(`Chromium is at ${path}, its fonts are at ${await preparedFonts('data', now)}\n`);
