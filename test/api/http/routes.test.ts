import assert from 'node:assert/strict';
import { test } from 'node:test';
import Router from '@koa/router';
import { endpoints } from '../../../api/endpoints.ts';
import { Routes } from '../../../api/http/routes.ts';

const answer = () => undefined;
const plain = new Router({ strict: true, sensitive: true });
const routes = new Routes();
for (const { path, method, id } of endpoints) {
  plain.register(path, [method], answer, { name: id });
  routes.register(path, [method], answer, { name: id });
}

/** What a router finds: the patterns of the path, those of the method too, and whether one is to be run. */
function found(router: Router, path: string, method: string) {
  const { path: all, pathAndMethod, route } = router.match(path, method);
  return [all.map(({ path }) => path), pathAndMethod.map(({ path }) => path), route];
}

test('every path leads where one list of all patterns leads', () => {
  const paths = endpoints.map(({ path }) =>
    path.replaceAll(/:\w+(\(.*?\))?/g, 'a_1').replaceAll(/[{}*]/g, ''),
  );
  const around = [
    '',
    '/',
    '//',
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/',
    '/api/v1/none',
    '/API/v1/cloud/files',
  ];
  const beside = paths.flatMap((path) => [`${path}/`, `${path}/more`, path.slice(0, -1), `/${path}`]);
  for (const path of [...paths, ...around, ...beside]) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      assert.deepEqual(found(routes, path, method), found(plain, path, method), `${method} ${path}`);
    }
  }
});

test('a path with a parameter at its beginning is refused', () => {
  assert.throws(() => routes.register('/api/:version/files', ['get'], answer), /has a parameter/);
});
