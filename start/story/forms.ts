import type { Caller, Json } from './caller.ts';
import type { Teller } from './teller.ts';

/** The form of the story: its ID, its address for guests, and its path in the public API. */
export type Told = { id: string; page: string; path: string };

const KINDS = [
  { id: 'new', label: '新しく導入したい' },
  { id: 'repair', label: '修理を頼みたい' },
];

/** Who wants something new is asked for the number of seats at once, who wants a repair for the model and the day. */
function schema(more: readonly object[] = []): string {
  const isRepair = { field: 'kind', op: 'equals', value: 'repair' };
  const isNew = { field: 'kind', op: 'equals', value: 'new' };
  return JSON.stringify({
    version: 1,
    locale: 'ja',
    title: { ja: '訪問のご依頼', en: 'Ask for a visit' },
    pages: [
      {
        id: 'visit',
        fields: [
          { id: 'kind', type: 'choice', label: 'ご用件', required: true, options: KINDS },
          { id: 'model', type: 'short_text', label: '機種', required: true, show_if: isRepair },
        ],
        next: [{ if: isNew, to: 'plan' }],
      },
      { id: 'fault', fields: [{ id: 'since', type: 'date', label: '発生日', required: true, max: 'today' }] },
      {
        id: 'plan',
        fields: [
          { id: 'seats', type: 'number', label: '席数', required: true, min: '1', max: '500' },
          ...more,
        ],
      },
    ],
    endings: [{ id: 'thanks', title: { ja: 'ありがとうございます', en: 'Thank you' } }],
  });
}

const stored = ({ response: { data, dropped_fields = [] } }: Json) =>
  `stored: ${JSON.stringify(data)}${dropped_fields.length > 0 ? `; dropped: ${dropped_fields.join(', ')}` : ''}`;

/** A form with a branch, published. */
export async function built(api: Caller, tell: Teller): Promise<Told> {
  tell.chapter('A form', 'Built as JSON; what guests see is a published version, which never changes.');
  const made = await api.post(
    '/forms',
    { title: '訪問のご依頼', schema_json: schema() },
    ({ form: { status, accepting } }) => `${status}, open: ${accepting.open}`,
  );
  const { id, public_url } = made['form'];
  await api.patch(
    `/forms/${id}/settings`,
    // The story answers faster than people do.
    { spam: { min_seconds: 0 }, max_responses: 100 },
    ({ settings }) => `at most ${settings.max_responses} responses`,
  );
  await api.post(`/forms/${id}/publish`, undefined, published);
  return { id, page: public_url, path: new URL(public_url).pathname.replace('/f/', '/forms/p/') };
}

const published = ({ form: { status, published_version } }: Json) =>
  `${status}, version ${published_version}`;

/** What is wrong comes at once, what is not asked is dropped; with credentials, and as a guest. */
export async function answered(api: Caller, tell: Teller, { id, path }: Told): Promise<void> {
  tell.chapter('Responses', 'One function judges them on every path: API, page, edit by the receipt.');
  const responses = `/forms/${id}/responses`;
  await api.refused(responses, { data: { kind: 'repair', seats: '5' } }, ({ errors }) =>
    errors.map(({ path: at, code }: Json) => `${at} ${code}`).join(', '),
  );
  await api.post(responses, { data: { kind: 'new', seats: '１２', model: 'X-1' } }, stored);
  const { form_token } = await tokenFor(api, path);
  const data = { kind: 'repair', model: 'X-1', since: '2026-04-30', seats: 5 };
  await api.post(`${path}/responses`, { form_token, data }, stored);
}

function tokenFor(api: Caller, path: string): Promise<Json> {
  return api.post(
    `${path}/tokens`,
    {},
    ({ honeypot }) => `a token for one response; nobody fills in ${honeypot}`,
  );
}

/** A robot fills in what people do not see. It is answered like everybody, and nothing is lost. */
export async function flagged(api: Caller, tell: Teller, { id, path }: Told): Promise<void> {
  tell.chapter(
    'Spam',
    'What looks like it is answered alike, stored and set aside, until a person says otherwise.',
  );
  const { form_token, honeypot } = await tokenFor(api, path);
  const data = { kind: 'new', seats: 1 };
  await api.post(`${path}/responses`, { form_token, data, [honeypot]: 'https://pills.example' }, stored);
  const { items } = await api.get(
    `/forms/${id}/responses?is_spam=true`,
    ({ items: [one], total }) => `${total ?? 1} flagged: ${one.spam_reasons.join(', ')}`,
  );
  await api.patch(`/forms/${id}/responses/${items[0].id}`, { is_spam: false }, stored);
  await api.get(
    `/forms/${id}`,
    ({ form: { response_count, spam_count } }) =>
      `taken back; ${response_count} responses, ${spam_count} flagged`,
  );
}

/** A question more: what was answered before stays with its version. */
export async function versioned(api: Caller, tell: Teller, { id }: Told): Promise<void> {
  tell.chapter('A second version', 'Earlier responses keep the version that they were given to.');
  const budget = {
    id: 'budget',
    type: 'number',
    label: '予算',
    required_if: { field: 'seats', op: 'gte', value: '100' },
  };
  await api.patch(
    `/forms/${id}`,
    { schema_json: schema([budget]) },
    ({ form }) => `changes that are not published: ${form.has_unpublished_changes}`,
  );
  await api.post(`/forms/${id}/publish`, undefined, published);
  const data = { kind: 'repair', model: 'Y-2', since: '2026-05-01', seats: 100, budget: '1200000' };
  await api.post(`/forms/${id}/responses`, { data }, stored);
}

/** What all of it comes to. */
export async function summed(api: Caller, tell: Teller, { id }: Told): Promise<void> {
  tell.chapter('The summary', 'Of the responses of all versions, in exact decimals; and all of them as CSV.');
  await api.get(`/forms/${id}/summary`, ({ summary: { completions, fields } }) => {
    const [{ options }] = fields;
    const counts = options.map(({ id: option, count, percent }: Json) => `${option} ${count} (${percent} %)`);
    return `${completions} responses: ${counts.join(', ')}`;
  });
  const { job } = await api.post(
    `/forms/${id}/responses/export`,
    { header: 'labels' },
    () => 'a worker writes the file',
  );
  await api.follow(job);
  await api.download(`/jobs/${job.id}/file`, '1 responses.csv');
}
