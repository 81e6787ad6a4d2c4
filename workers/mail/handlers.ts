import { readInboundJob, revertBouncesJob } from '../../shared/mail/bounces/jobs.ts';
import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { readInbound } from './read-inbound.ts';
import { revertBounces } from './revert-bounces.ts';

/** The jobs of mail. */
export function mailHandlers({ outside }: { outside: OutsideServices }): Handled[] {
  return [handles(readInboundJob, readInbound(outside)), handles(revertBouncesJob, revertBounces)];
}
