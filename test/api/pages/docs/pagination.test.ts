import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../../../api/openapi.ts';
import { guideText } from '../../../../api/pages/docs/guides.ts';

type Parameter = { $ref?: string; name?: string; in?: string };
type Contract = {
  paths: Record<string, { get?: { parameters?: Parameter[] } }>;
  components: { parameters?: Record<string, Parameter> };
};

/** What every list of records takes, whatever its filters are. */
const OF_RECORDS = [
  'limit',
  'offset',
  'page',
  'per_page',
  'starting_after',
  'cursor_mode',
  'sort',
  'created_after',
  'created_before',
  'skip_total',
];

/** Each path that answers a part of many, with the names of its parameters. */
function partsOfMany(): [string, string[]][] {
  const { paths, components } = openApi() as unknown as Contract;
  const nameOf = ({ $ref, name }: Parameter) =>
    $ref ? components.parameters?.[$ref.split('/').at(-1)!]?.name : name;
  return Object.entries(paths).flatMap(([path, { get }]): [string, string[]][] => {
    const names = (get?.parameters ?? []).map((parameter) => nameOf(parameter) ?? '');
    return names.includes('limit') ? [[path.replace('/api/v1', ''), names]] : [];
  });
}

test('the guide to pagination names each list that does not take what the others take, and those alone', () => {
  const lists = partsOfMany();
  const apart = lists.filter(([, names]) => OF_RECORDS.some((name) => !names.includes(name)));
  assert.ok(lists.length - apart.length > 100);
  const named = [...guideText('pagination', 'en').matchAll(/^\| (`\/.*?) \|/gm)].flatMap(([, cell]) =>
    cell!.split(', ').map((path) => path.replaceAll('`', '')),
  );
  assert.deepEqual(named.toSorted(), apart.map(([path]) => path).toSorted());
});
