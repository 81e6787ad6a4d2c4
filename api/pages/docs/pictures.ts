import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type Router from '@koa/router';

const FOLDER = resolve(import.meta.dirname, '../../../docs/pictures');

/** Where the pictures of the guides are served; in the guides' files they are at `../pictures`. */
export const PICTURES = '/docs/pictures';

/** Seconds that a browser may keep a picture: its name stays when it is taken anew. */
const KEPT = 3_600;

/** Serves the pictures that are there when the process starts, and nothing else of the folder. */
export function servePictures(router: Router): void {
  for (const name of readdirSync(FOLDER).filter((each) => each.endsWith('.png'))) {
    router.get(`${PICTURES}/${name}`, async (context) => {
      context.type = 'image/png';
      context.set('Cache-Control', `public, max-age=${KEPT}`);
      context.body = await readFile(resolve(FOLDER, name));
    });
  }
}
