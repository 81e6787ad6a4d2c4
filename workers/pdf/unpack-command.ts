import { chromiumPath } from './executable.ts';

/** Unpacks Chromium beside the installed packages, for an image in which the service runs without a right to write. */
const path = await chromiumPath({ chrome_path: undefined, data_dir: 'data' }, new Date());
process.stdout.write(`Chromium is at ${path}\n`);
