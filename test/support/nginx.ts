import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** Debian's package `nginx` has it; where it is not, its tests are skipped and say so. */
const NGINX = '/usr/sbin/nginx';
export const has_nginx = existsSync(NGINX);

/** nginx with these lines in its one `location /`, answering on a port of its own. It ends with the test file. */
export async function startNginx(lines: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  const port = await freePort();
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${join(folder, 'pid')}; error_log stderr; worker_processes 1;
     events {}
     http { access_log off; ${paths.join(' ')}
       server { listen 127.0.0.1:${port}; location / { ${lines} } } }`,
  );
  const nginx = spawn(NGINX, ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'], {
    stdio: 'ignore',
  });
  const ended = once(nginx, 'exit');
  after(async () => {
    nginx.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await until('nginx listens', () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
  return url;
}
