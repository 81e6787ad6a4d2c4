import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { readStartSettings } from '../../shared/platform/settings/settings.ts';
import { openLogs } from '../../start/logs.ts';
import { watchSources } from '../../start/watch.ts';
import { welcome } from '../../start/welcome.ts';
import { until } from './service.ts';

describe('the logs', () => {
  it('are short lines at a terminal', async () => {
    const lines = await logged(
      true,
      '{"level":40,"time":0,"pid":1,"hostname":"h","request_id":"req_1","msg":"slow"}\nplain\n',
    );
    assert.match(lines[0] ?? '', /^\d\d:00:00 api {5}warn {2}slow request_id=req_1$/);
    assert.match(lines[1] ?? '', /^\d\d:\d\d:\d\d api {5}warn {2}plain$/);
  });

  it('go through unchanged elsewhere, and what is no JSON becomes a record', async () => {
    const line = '{"level":30,"time":1,"msg":"x"}';
    const lines = await logged(false, `${line}\n{half\n`);
    assert.equal(lines[0], line);
    const { time: _time, ...record } = JSON.parse(lines[1] ?? '');
    assert.deepEqual(record, { process: 'api', msg: '{half', level: 40 });
  });
});

describe('the welcome', () => {
  const settings = readStartSettings({ PORT: '8080' });

  it('shows the sign-in of a first start once, and a command that uses its key', () => {
    const credentials = { email: 'a@example.com', password: 'secret', api_key: 'sk_1' };
    const text = welcome(settings, { seconds: 1.23, credentials, operator_password: null });
    assert.match(text, /up after 1\.2 s/);
    assert.match(text, /Sign-in +a@example\.com .*\n.*Password +secret /);
    assert.match(
      text,
      /^curl -H 'Authorization: Bearer sk_1' http:\/\/localhost:8080\/api\/v1\/crm\/contacts$/m,
    );
  });

  it('has no sign-in later', () => {
    const text = welcome(settings, { seconds: 1, credentials: null, operator_password: null });
    assert.doesNotMatch(text, /Sign-in|Bearer/);
  });

  it('says how /ops is opened, and shows the password that it has made once', () => {
    const lines = (password: { is_new: boolean } | null, environment = {}) =>
      welcome(readStartSettings(environment), {
        seconds: 1,
        credentials: null,
        operator_password: password && { ...password, value: 'made-by-the-start', path: '/data/x' },
      });
    assert.match(
      lines({ is_new: true }),
      /\/ops .*\n.* password made-by-the-start, any user name .*\n.*\/data\/x/,
    );
    assert.match(lines({ is_new: false }), /password in \/data\/x, any user name/);
    assert.doesNotMatch(lines({ is_new: false }), /made-by-the-start/);
    assert.match(lines(null), /closed until OPERATOR_PASSWORD is set/);
    const given = lines(null, { OPERATOR_PASSWORD: 'of the settings here' });
    assert.match(given, /password of OPERATOR_PASSWORD/);
    assert.doesNotMatch(given, /of the settings/);
  });
});

describe('the watch over the sources', () => {
  it('tells of changes, the first and the next', async () => {
    const root = mkdtempSync(join(tmpdir(), 'watch-'));
    for (const folder of ['api/crm', 'shared', 'workers', 'migrations'])
      mkdirSync(join(root, folder), { recursive: true });
    let times = 0;
    const watching = watchSources(root, () => {
      times += 1;
    });
    try {
      writeFileSync(join(root, 'api/crm/contacts.ts'), '1');
      writeFileSync(join(root, 'shared/domains.ts'), '2');
      await until(
        () => times > 0,
        () => 'no change was told',
      );
      writeFileSync(join(root, 'workers/main.ts'), '4');
      await until(
        () => times > 1,
        () => 'the second change was not told',
      );
    } finally {
      watching.close();
      rmSync(root, { recursive: true });
    }
  });
});

async function logged(isTTY: boolean, text: string): Promise<string[]> {
  let written = '';
  const write = (line: string) => {
    written += line;
  };
  const stream = { isTTY, write } as unknown as NodeJS.WriteStream;
  const input = new PassThrough();
  openLogs(stream).take('api', input);
  input.end(text);
  const wanted = text.trim().split('\n').length;
  await until(
    () => written.split('\n').length > wanted,
    () => written,
  );
  return written.trim().split('\n');
}
