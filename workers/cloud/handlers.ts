import { emptyTrashJob } from '../../shared/cloud/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { emptyTrash } from './empty-trash.ts';

/** The jobs of the cloud. */
export function cloudHandlers(): Handled[] {
  return [handles(emptyTrashJob, emptyTrash())];
}
