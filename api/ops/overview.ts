import type Router from '@koa/router';
import { html } from 'ghtml';
import type { ApiContext } from '../context.ts';
import { attentionTo } from './attention.ts';
import type { Board } from './board/engine.ts';
import { domainPanels, filesPanel } from './measures-panel.ts';
import { databasePanel, errorsPanel, releasePanel, retriesPanel, workersPanel } from './overview-panels.ts';
import { attentionList, queuesPanel, tiles } from './overview-parts.ts';
import { places, sendPage, speechOf } from './page.ts';
import { readOverview } from './read-overview.ts';
import { standingPanel } from './standing-panel.ts';

/** The first page for operators: what wants them, how everything stands, and where to look on. */
export function overviewPage(router: Router, context: ApiContext, board: Board): void {
  router.get('/ops', async (ctx) => {
    const overview = await readOverview(context, board);
    const speech = speechOf(ctx, overview.now);
    const attention = attentionTo(overview, speech);
    const live = (name: string, part: string) => html`<div data-live="${name}">!${part}</div>`;
    const body = html`!${live('attention', attentionList(speech, attention))}
!${live('tiles', tiles(speech, overview))}
!${live('queues', queuesPanel(speech, overview))}
<div class="pair">
!${live('workers', workersPanel(speech, overview))}
!${live('database', databasePanel(speech, overview))}
</div>
!${live('retries', retriesPanel(speech, overview))}
!${live('errors', errorsPanel(speech, overview))}
!${live('standing', overview.stood.map((each) => standingPanel(speech, each)).join('\n'))}
!${live('files', filesPanel(speech, overview))}
!${domainPanels(speech, overview).map(([name, panel]) => live(name, panel))}
!${live('release', releasePanel(speech, overview))}`;
    sendPage(ctx, { title: speech.say(places.overview.label), body, live: true });
  });
}
