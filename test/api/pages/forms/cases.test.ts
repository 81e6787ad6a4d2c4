import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf, placeOfError } from '../../../../api/forms/pages/faults.ts';
import { compileForm } from '../../../../shared/forms/answers/compiled.ts';
import { judge, readAnswers } from '../../../../shared/forms/answers/judge.ts';
import { parseSchema } from '../../../../shared/forms/schema/parse.ts';
import { cases } from '../../../shared/forms/cases/all.ts';
import type { Case } from '../../../shared/forms/cases/case.ts';
import { startApp } from '../../../support/app.ts';
import { watchedPage } from '../../../support/browser.ts';
import { type Inputs, inputsFor } from '../../../support/form-inputs.ts';
import { formPagesOf, ridingIn, shownIn } from '../../../support/form-pages.ts';
import type { PageReply } from '../../../support/forms.ts';

/** The day that the cases are written for, in the time zone of their forms. */
const app = await startApp({ now: () => new Date('2026-11-27T03:00:00.000Z') });
const { actor } = await app.actor();
const { guest, open, query } = await formPagesOf(app, actor);

const reading = { today: '2026-11-27', files: new Map([['ffile_1', { field_id: 'f' }]]) };

/** A case with its form, and what the form is judged to be with its answers. */
function judgedCase(each: Case) {
  const parsed = parseSchema(JSON.stringify(each.schema));
  assert.ok('schema' in parsed);
  const form = compileForm(parsed.schema);
  const { data, hidden = {} } = each;
  return { ...each, hidden, form, judged: judge(form, { data, hidden, ...reading }) };
}

type JudgedCase = ReturnType<typeof judgedCase>;

const judged = cases.map(judgedCase);

/**
 * What a browser sends of a case, by page; null where a form cannot send it: no inputs could hold an answer (`inputsFor`), the form has
 * no such field, the address no such hidden value, or the file was never uploaded.
 */
function sentBy({ form, data, hidden }: JudgedCase): Map<string, Inputs> | null {
  const { schema } = form;
  const isKnown = Object.keys(data).every((id) => form.fields.get(id)?.reads);
  const isInAddress = Object.entries(hidden).every(
    ([name, value]) => schema.hidden?.includes(name) && typeof value === 'string' && value.length <= 255,
  );
  if (!isKnown || !isInAddress || JSON.stringify(data).includes('"ffile_1"')) return null;
  const pages = new Map<string, Inputs>();
  for (const { id, fields } of schema.pages) {
    const inputs = fields.map((field) => inputsFor(field, data[field.id]));
    if (inputs.some((each) => each === null)) return null;
    pages.set(
      id,
      inputs.flatMap((each) => each!),
    );
  }
  return pages;
}

/**
 * Fills in each page but the first and goes back from it, then all that follow from the first: whole pages, as a browser with scripts
 * sends them, so that answers of fields and pages that are not shown are sent too. Answers the last reply.
 */
async function filledIn(
  path: string,
  hidden: object,
  pages: ReadonlyMap<string, Inputs>,
): Promise<PageReply> {
  const send = (riding: Record<string, string>, page_id: string, action: string) => {
    const sent = Object.entries({ ...riding, step: page_id, action });
    return guest.send(`${path}?lang=ja`, new URLSearchParams([...sent, ...pages.get(page_id)!]));
  };
  const opened = ridingIn(await guest.get(`${path}?${new URLSearchParams({ ...hidden, lang: 'ja' })}`));
  let riding = opened;
  for (const page_id of [...pages.keys()].slice(1)) {
    riding = { ...ridingIn(await send(riding, page_id, 'back')), step: opened['step']! };
  }
  for (;;) {
    const reply = await send(riding, riding['step']!.split('.')[0]!, 'next');
    if (reply.status !== 200) return reply;
    riding = ridingIn(reply);
  }
}

/** What a page shows: its fields, and by each the lines of its faults. */
function shownBy({ html }: PageReply): { fields: string[]; faults: Map<string, string[]> } {
  const shown = shownIn(html);
  const faults = [...shown.matchAll(/<span class="fault lines" id="f-(\w+)-fault">([^<]*)<\/span>/g)];
  return {
    fields: [...shown.matchAll(/data-field="(\w+)"/g)].map(([, id]) => id!),
    faults: new Map(faults.map(([, id, lines]) => [id!, lines!.split('\n')])),
  };
}

/** A form that is stopped shows the first page with a fault: what is visible of it, and each fault at its field. */
function isStopped({ name, form, judged }: JudgedCase, reply: PageReply): void {
  assert.equal(reply.status, 422, name);
  const faulty = new Set(judged.errors.map((error) => placeOfError(error)!.field_id));
  const pages = judged.path.map((page_id) => form.schema.pages.find(({ id }) => id === page_id)!);
  const { fields } = pages.find((page) => page.fields.some(({ id }) => faulty.has(id)))!;
  const shown = shownBy(reply);
  const visible = fields.filter(({ id }) => judged.visible_fields.includes(id));
  assert.deepEqual(
    shown.fields,
    visible.map(({ id }) => id),
    name,
  );
  for (const field of visible) {
    const expected = faultsOf(judged.errors, field, 'ja').map(({ sentence }) => sentence);
    // Before the sentence stands the name of a part or a row.
    const lines = shown.faults.get(field.id) ?? [];
    const told = lines.map((line, place) => line.slice(-(expected[place]?.length ?? 0)));
    assert.deepEqual(told, expected, name);
  }
}

test('the page comes to the same for each fixed case that a form can send', async () => {
  const expected = new Map<string, object>();
  const skipped: string[] = [];
  for (const each of judged) {
    const pages = sentBy(each);
    if (!pages) {
      skipped.push(each.name);
      continue;
    }
    const { id, path } = await open(each.schema);
    const reply = await filledIn(path, each.hidden, pages);
    const { errors, data, hidden, dropped_fields, ending_id, scores } = each.judged;
    if (errors.length > 0) {
      isStopped(each, reply);
      continue;
    }
    assert.equal(reply.status, 303, each.name);
    expected.set(id, { data, hidden, dropped_fields, ending_id, scores });
  }
  const rows = await query<{ form_id: string }>(
    'SELECT form_id, data, hidden, dropped_fields, ending_id, scores FROM forms_responses',
    [],
  );
  assert.equal(rows.length, expected.size);
  assert.deepEqual(new Map(rows.map(({ form_id, ...row }) => [form_id, row])), expected);
  assert.equal(skipped.length, 44, skipped.join('\n'));
});

test('the script that pages load shows the same in a browser for every fixed case', async () => {
  const { path } = await open(judged[0]!.schema);
  const { page } = await watchedPage();
  await page.goto(app.base_url + path);
  const asked = judged.map(({ form, data, judged: { hidden } }) => ({
    plan: form.plan,
    given: Object.fromEntries(readAnswers(form, { data, ...reading }).given),
    hidden,
  }));
  const shown = await page.evaluate(async (asking: typeof asked) => {
    const script = '/f/replay.js';
    const { replay } = await import(script);
    return asking.map(({ plan, given, hidden }) => replay(plan, given, hidden).visible_fields);
  }, asked);
  await page.close();
  assert.equal(shown.length, judged.length);
  for (const [
    place,
    {
      name,
      judged: { visible_fields },
    },
  ] of judged.entries()) {
    assert.deepEqual(shown[place], visible_fields, name);
  }
});
