import { createReadStream } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Koa from 'koa';

/**
 * A bare Koa that pipes to and from files in FOLDER, and nothing else: no hash, no account, no row. It promises what the
 * service promises of a file that it has answered for: the file, and the folder that names it, are flushed.
 */
const folder = process.env['FOLDER']!;

const app = new Koa();

app.use(async (context) => {
  const path = join(folder, context.path.slice(1));
  if (context.method === 'PUT') {
    await keep(path, context.req);
    context.status = 201;
    context.body = {};
  } else {
    context.length = (await stat(path)).size;
    context.type = 'application/octet-stream';
    context.body = createReadStream(path);
  }
});

async function keep(path: string, body: NodeJS.ReadableStream): Promise<void> {
  const file = await open(`${path}.part`, 'w');
  // The stream closes the file.
  await pipeline(body, file.createWriteStream({ flush: true }));
  await rename(`${path}.part`, path);
  await using opened = await open(folder);
  await opened.sync();
}

app.listen(Number(process.env['PORT']), '127.0.0.1', () => process.send?.({ ready: true }));
process.on('disconnect', () => process.exit(0));
