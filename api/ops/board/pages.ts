import type Router from '@koa/router';
import { html } from 'ghtml';
import type { Context } from 'koa';
import { Failure } from '../../../shared/kernel/failure.ts';
import { places, sendPage, speechOf } from '../page.ts';
import type { Board } from './engine.ts';
import type { openBoard } from './open.ts';

const BASE = '/ops/board';

/**
 * bull-board; retry, discard and pause are on the pages of this place. The library and the queues are loaded when
 * somebody looks: they would double the time in which the API starts.
 */
export function boardPages(router: Router, board: Board): void {
  let opening: Promise<ReturnType<typeof openBoard>> | undefined;

  async function open(): Promise<ReturnType<typeof openBoard>> {
    const { openBoard } = await import('./open.ts');
    return openBoard(BASE, board.engine, await board.backend());
  }

  router.get([BASE, `${BASE}/*path`], async (context, next) => {
    if (!(await board.answers())) return tellAway(context, board);
    opening ??= open();
    const routes = await opening;
    await routes(context as Parameters<typeof routes>[0], next);
  });
}

function tellAway(context: Context, { engine }: Board): void {
  const name = engine === 'redis' ? 'Redis' : 'PostgreSQL';
  if (context.path.startsWith(`${BASE}/api/`)) throw new Failure('unavailable');
  const { say } = speechOf(context, new Date());
  const away = say({
    en: `${name} does not answer, so there are no queues to look at just now.`,
    ja: `${name}が応答しないため、キューを表示できません。`,
  });
  const safe = say({
    en: `Nothing is lost: every job stands in the outbox, and goes on when ${name} is back.`,
    ja: `失われるものはありません。ジョブはすべて送信箱にあり、${name}が復旧すると再開します。`,
  });
  const due = say({ en: 'The jobs that are due', ja: '実行待ちのジョブ' });
  const body = html`<p>${away}</p>
<p>${safe} <a href="/ops/jobs?state=due">${due}</a></p>`;
  sendPage(context, { title: say(places.board.label), body, status: 503 });
}
