import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nouns } from '../../../../api/pages/docs/japanese/nouns.ts';
import { parts } from '../../../../api/pages/docs/japanese/parts.ts';
import { patterns } from '../../../../api/pages/docs/japanese/patterns.ts';
import { japaneseOf } from '../../../../api/pages/docs/japanese/sentence.ts';
import { sentences } from '../../../../api/pages/docs/japanese/sentences.ts';
import { startApp } from '../../../support/app.ts';

const { anonymous } = await startApp();

const read = async (query: string, headers = {}) =>
  (await anonymous.get(`//openapi.json${query}`, headers)).body;

// biome-ignore lint/suspicious/noExplicitAny: the text is read as any program reads it.
type Text = any;

const english: Text = await read('');
const japanese: Text = await read('?lang=ja');

function operationsOf(text: Text): { summary: string }[] {
  return Object.values<Text>(text.paths).flatMap((path) => Object.values<Text>(path));
}

/** The sentences that people read to find a call: names of parts, what each is, what each call does. */
function toldTo(text: Text): string[] {
  return [
    text.info.title,
    text.info.summary,
    ...text['x-tagGroups'].map(({ name }: Text) => name),
    ...text.tags.flatMap((tag: Text) => [tag['x-displayName'], tag.description]),
    ...operationsOf(text).map(({ summary }) => summary),
  ];
}

describe('the reference in Japanese', () => {
  it('has a sentence for each of the English ones', () => {
    const missing = toldTo(english).filter((sentence) => japaneseOf(sentence) === null);
    assert.deepEqual(missing, [], 'api/pages/docs/japanese has no words for these');
    assert.deepEqual(
      toldTo(japanese),
      toldTo(english).map((sentence) => japaneseOf(sentence)),
    );
    const letters = toldTo(japanese).filter((sentence) => !/[ぁ-んァ-ヶ一-龠]/.test(sentence));
    assert.deepEqual([...new Set(letters)], ['CRM']);
    assert.match(japanese.info.description, /\(\/docs\?lang=ja\)/);
  });

  it('has none that nothing says in English any more', () => {
    const told = new Set(toldTo(english));
    assert.deepEqual(
      Object.keys({ ...sentences, ...parts }).filter((sentence) => !told.has(sentence)),
      [],
    );
    const all = [...told].join('\n');
    const unused = (words: Iterable<string>) => [...words].filter((word) => !all.includes(word));
    assert.deepEqual(unused(Object.keys(patterns).map((pattern) => pattern.split('_')[0]!)), []);
    const used = [...nouns.values()].filter((noun) => toldTo(japanese).some((text) => text.includes(noun)));
    assert.deepEqual(new Set(used), new Set(nouns.values()));
  });

  it('is the same text for programs', () => {
    const { info: _, tags, 'x-tagGroups': groups, paths, ...rest } = japanese;
    const { info: _info, tags: english_tags, 'x-tagGroups': english_groups, paths: ours, ...same } = english;
    assert.deepEqual(rest, same);
    const names = (all: Text) => all.map(({ name, tags: members }: Text) => members ?? name);
    assert.deepEqual([names(tags), names(groups)], [names(english_tags), names(english_groups)]);
    const unsaid = (text: Text) =>
      JSON.parse(JSON.stringify(text), (key, value) => (key === 'summary' ? '' : value));
    assert.deepEqual(unsaid(paths), unsaid(ours));
  });

  it('is for whoever asks for it: programs have the English text, whatever their browser speaks', async () => {
    const asked = await read('', { 'Accept-Language': 'ja' });
    assert.equal(asked.info.title, english.info.title);
    const script = await anonymous.get('//docs/reference/start.js');
    assert.match(script.text, /\/openapi\.json\?lang=ja/);
  });
});
