import type Router from '@koa/router';
import { html } from 'ghtml';
import type { ApiContext } from '../context.ts';
import { attentionTo } from './attention.ts';
import type { Board } from './board/engine.ts';
import {
  attendancePanel,
  filesPanel,
  formsPanel,
  mailPanel,
  receivedPanel,
  schedulerPanel,
  signPanel,
} from './measures-panel.ts';
import {
  attentionList,
  databasePanel,
  errorsPanel,
  queuesPanel,
  releasePanel,
  retriesPanel,
  tiles,
  workersPanel,
} from './overview-parts.ts';
import { sendPage } from './page.ts';
import { readOverview } from './read-overview.ts';

/** The first page for operators: what wants them, how everything stands, and where to look on. */
export function overviewPage(router: Router, context: ApiContext, board: Board): void {
  router.get('/ops', async (ctx) => {
    const overview = await readOverview(context, board);
    const attention = attentionTo(overview);
    const live = (name: string, part: string) => html`<div data-live="${name}">!${part}</div>`;
    const body = html`!${live('attention', attentionList(attention))}
!${live('tiles', tiles(overview))}
!${live('queues', queuesPanel(overview))}
<div class="pair">
!${live('workers', workersPanel(overview))}
!${live('database', databasePanel(overview))}
</div>
!${live('retries', retriesPanel(overview))}
!${live('errors', errorsPanel(overview))}
!${live('files', filesPanel(overview))}
!${live('attendance', attendancePanel(overview))}
!${live('forms', formsPanel(overview))}
!${live('mail', mailPanel(overview))}
!${live('received', receivedPanel(overview))}
!${live('scheduler', schedulerPanel(overview))}
!${live('sign', signPanel(overview))}
!${live('release', releasePanel(overview))}`;
    const aside = '<span data-live-control></span>';
    sendPage(ctx, { title: 'Overview', body, aside, live: true });
  });
}
