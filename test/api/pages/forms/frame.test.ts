import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { framed } from '../../../../api/forms/pages/frame.ts';
import { pagePolicy } from '../../../../api/pages/policy.ts';
import type { Schema } from '../../../../shared/forms/schema/schema.ts';

const HOSTS = ['a', 'a.example', 'a;script-src', 'a,b', "'self'", '*', '*.example', 'a:8443', '[::1]', 'a b'];

const address = fc.oneof(
  fc.string(),
  fc
    .tuple(fc.constantFrom('http', 'https', 'data'), fc.constantFrom(...HOSTS), fc.string())
    .map(([scheme, host, rest]) => `${scheme}://${host}${rest}`),
  fc.constantFrom(...HOSTS).map((host) => `https://${host}`),
);

test('whatever sites and endings were stored, the policy of a page names sites there and nothing else', () => {
  fc.assert(
    fc.property(fc.array(address), fc.array(address.filter(URL.canParse)), (embed_origins, targets) => {
      const endings = targets.map((redirect_url, n) => ({ id: `e${n}`, title: 'E', redirect_url }));
      const schema = { endings } as unknown as Schema;
      const look = { organization: { name: 'A' }, embed_origins, schema };
      const directives = pagePolicy(framed(look, { title: 'T', body: '' }).policy).split('; ');
      const named = (name: string) => {
        const [own, ...more] = directives.filter((each) => each.startsWith(`${name} `));
        assert.deepEqual(more, []);
        return own!.split(' ').slice(1);
      };
      assert.equal(directives.length, 7, directives.join('\n'));
      const [self, ...away] = named('form-action');
      assert.equal(self, "'self'");
      const parents = named('frame-ancestors');
      for (const origin of [...away, ...(parents[0] === "'none'" ? parents.slice(1) : parents)]) {
        assert.match(origin, /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]+)?$/);
      }
    }),
  );
});
