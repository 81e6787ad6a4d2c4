import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersOf, type Question } from '../../../../api/scheduler/pages/questions.ts';

const question = (id: string, type: Question['type']): Question => ({
  id,
  label: id,
  type,
  required: false,
  options: [],
});

function formOf(entries: [string, string][]) {
  const fields = new URLSearchParams(entries);
  return {
    has: (name: string) => fields.has(name),
    get: (name: string) => fields.get(name) ?? '',
    file: () => null,
    all: (name: string) => fields.getAll(name),
  };
}

test('a form answers each question in the form that the API takes', () => {
  const questions = [
    question('topic', 'long_text'),
    question('people', 'number'),
    question('first', 'yes_no'),
    question('wishes', 'multi_choice'),
    question('size', 'single_choice'),
  ];
  const form = formOf([
    ['answer-topic', ' first\r\nsecond '],
    ['answer-people', '3'],
    ['answer-first', 'no'],
    ['answer-wishes', 'A'],
    ['answer-wishes', 'B'],
    ['answer-size', 'small'],
  ]);
  assert.deepEqual(answersOf(questions, form), {
    topic: 'first\nsecond',
    people: 3,
    first: false,
    wishes: ['A', 'B'],
    size: 'small',
  });
});

test('what is left empty is no answer, and what is no number goes on as it is', () => {
  const questions = [
    question('topic', 'short_text'),
    question('people', 'number'),
    question('w', 'multi_choice'),
  ];
  assert.deepEqual(
    answersOf(
      questions,
      formOf([
        ['answer-topic', '  '],
        ['answer-people', 'three'],
      ]),
    ),
    {
      people: 'three',
    },
  );
});
