import type { Storage } from '../../shared/platform/storage/storage.ts';
import { renderReceivedJob } from '../../shared/received/pdf/jobs.ts';
import { storeTransferFileJob } from '../../shared/received/transfer-file/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import type { Renderer } from '../pdf/renderer.ts';
import { renderReceived } from './render.ts';
import { storeTransferFile } from './store-transfer-file.ts';

/** The jobs of received documents. */
export function receivedHandlers(options: { storage: Storage; renderer: Renderer }): Handled[] {
  return [
    handles(renderReceivedJob, renderReceived(options)),
    handles(storeTransferFileJob, storeTransferFile(options)),
  ];
}
