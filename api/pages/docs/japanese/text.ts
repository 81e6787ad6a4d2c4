import { openApi } from '../../../openapi.ts';
import { japaneseOf } from './sentence.ts';

type Operation = { summary?: string };

const DESCRIPTION = `すべてのレコードは組織に属し、認証情報は1つの組織の中で働きます。始め方、ページの送り方、再送の仕方、エラーの読み方、業務の流れは
[ガイド](/docs?lang=ja)を、エラーコードの一覧は[エラー](/docs/errors?lang=ja)をご覧ください。項目ごとの説明は英語です。

1つの版の中でも、新しい項目、列挙の新しい値、省略できるパラメーターが加わることがあります。知らないものは無視するように作ってください。`;

/**
 * The OpenAPI text as people read it in Japanese: the names of its parts, what each is, and what each call does. What programs
 * are made from is the same, and so are descriptions of single fields, which are English.
 */
export function japaneseOpenApi(): object {
  const { info, tags, 'x-tagGroups': groups, paths, ...rest } = openApi();
  return {
    ...rest,
    info: { ...info, title: japanese(info.title), summary: japanese(info.summary), description: DESCRIPTION },
    tags: tags.map(({ name, 'x-displayName': title, description }) => ({
      name,
      'x-displayName': japanese(title),
      description: japanese(description),
    })),
    'x-tagGroups': groups.map(({ name, tags: members }) => ({ name: japanese(name), tags: members })),
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [path, mapped(operations, withJapaneseSummary)]),
    ),
  };
}

function withJapaneseSummary(operation: Operation): Operation {
  return operation.summary === undefined ? operation : { ...operation, summary: japanese(operation.summary) };
}

/** The English sentence where there is none: a test holds that there is one for each. */
function japanese(english: string): string {
  return japaneseOf(english) ?? english;
}

function mapped<Value, Made>(
  values: Record<string, Value>,
  make: (value: Value) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value)]));
}
