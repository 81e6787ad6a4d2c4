import { html } from 'ghtml';
import { domains } from '../../../shared/domains.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { type Measured, readMeasures } from '../../../shared/platform/operators/measure.ts';
import { readStandings, type Stood } from '../../../shared/platform/operators/standing.ts';
import { domainPanel } from '../measures-panel.ts';
import type { Html } from '../parts.ts';
import type { Speech } from '../speech.ts';
import { standingPanel } from '../standing-panel.ts';

/** Campaigns that stand still, of those the oldest. */
const OLDEST = 20;

const { measures = [], standing } = domains.find(({ name }) => name === 'mail')!;

type Campaigns = { stood: readonly Stood[]; measured: readonly Measured[] };

/** How the campaigns of all organizations stand: their mails are not among the single ones. */
export async function readCampaigns(connection: Connection, now: Date): Promise<Campaigns> {
  const [stood, measured] = await Promise.all([
    readStandings(connection, standing ? [standing] : [], { now, most: OLDEST }),
    readMeasures(connection, measures),
  ]);
  return { stood, measured };
}

/** Those that stand still, and how many do what. */
export function campaignPanels(speech: Speech, { stood, measured }: Campaigns): Html {
  return html`!${stood.map((each) => standingPanel(speech, each))}
!${domainPanel(speech, 'mail', measured)}`;
}
