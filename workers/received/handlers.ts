import type { Storage } from '../../shared/platform/storage/storage.ts';
import { storeTransferFileJob } from '../../shared/received/transfer-file/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { storeTransferFile } from './store-transfer-file.ts';

/** The jobs of received documents. */
export function receivedHandlers({ storage }: { storage: Storage }): Handled[] {
  return [handles(storeTransferFileJob, storeTransferFile({ storage }))];
}
