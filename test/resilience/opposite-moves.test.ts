import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';

const own = await freshDatabase();
after(() => own.drop());

const FOLDERS = 8;

/** Reads `path parent` lines, moves each with curl, and writes the status. */
const SHELL = `while read -r id parent; do
  curl -sS -o /dev/null -w '%{http_code}\\n' -X PATCH -H "Authorization: Bearer $KEY" \\
    -H 'Content-Type: application/json' -d "{\\"parent_id\\":\\"$parent\\"}" "$BASE/folders/$id"
done`;

type Shell = { move: (id: string, parent: string) => Promise<string> };

/** A shell that moves folders through an API process of its own. */
async function startShell(secret: string): Promise<Shell & { base: string }> {
  const port = await freePort();
  await startApi(port, { DATABASE_URL: own.url });
  const base = `http://127.0.0.1:${port}/api/v1/cloud`;
  const shell = spawn('bash', ['-c', SHELL], {
    env: { ...process.env, KEY: secret, BASE: base },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  after(() => shell.kill());
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  return {
    base,
    async move(id, parent) {
      shell.stdin.write(`${id} ${parent}\n`);
      return (await lines.next()).value!;
    },
  };
}

test('two shells that move folders of a random tree into each other close no circle', async () => {
  const { secret } = await newActor(own.database);
  const [one, other] = await Promise.all([startShell(secret), startShell(secret)]);
  const call = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${one.base}${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    assert.ok(reply.ok, `${method} ${path}: ${reply.status}`);
    return (await reply.json()) as {
      folder: { id: string };
      items: { id: string; parent_id: string | null }[];
    };
  };
  const parents = async () => {
    const { items } = await call('GET', '/folders?limit=200');
    return new Map(items.map(({ id, parent_id }) => [id, parent_id]));
  };
  const pair = fc.record({ one: fc.nat(FOLDERS - 1), other: fc.nat(FOLDERS - 1) });
  const tree = fc.record({
    below: fc.array(fc.nat(), { minLength: FOLDERS, maxLength: FOLDERS }),
    pairs: fc.array(pair, { minLength: 15, maxLength: 15 }),
  });
  let [trees, rounds] = [0, 0];
  await fc.assert(
    fc.asyncProperty(tree, async ({ below, pairs }) => {
      trees += 1;
      const { folder: top } = await call('POST', '/folders', { name: `tree ${trees}` });
      const ids: string[] = [];
      for (const [n, where] of below.entries()) {
        // Somewhere in what there is: the first folders are near the top.
        const parent_id = [top.id, ...ids][where % (ids.length + 1)];
        ids.push((await call('POST', '/folders', { name: `f${n}`, parent_id })).folder.id);
      }
      for (const chosen of pairs) {
        const [left, right] = [ids[chosen.one]!, ids[chosen.other]!];
        const before = await parents();
        const isMovable = !wayUp(before, left).includes(right) && !wayUp(before, right).includes(left);
        if (!isMovable || before.get(left) === right || before.get(right) === left) continue;
        rounds += 1;
        const statuses = await Promise.all([one.move(left, right), other.move(right, left)]);
        assert.deepEqual(statuses.toSorted(), ['200', '409']);
        const moves = await parents();
        assert.equal(moves.size, before.size);
        for (const id of ids) assert.ok(wayUp(moves, id).includes(top.id), `${id} is cut off`);
        const [at, under] = statuses[0] === '200' ? [left, right] : [right, left];
        assert.equal(moves.get(at), under);
      }
    }),
    { numRuns: 3 },
  );
  assert.ok(rounds > 0, 'no two folders could be moved into each other');
});

/** A folder and those above it; it ends after as many as there are, so that a circle is seen. */
function wayUp(parents: ReadonlyMap<string, string | null>, id: string): string[] {
  const way: string[] = [];
  for (let at: string | null = id; at !== null && way.length <= parents.size; ) {
    way.push(at);
    at = parents.get(at) ?? null;
  }
  return way;
}
