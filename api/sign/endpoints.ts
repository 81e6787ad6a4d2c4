import { documentBatch } from '../../shared/sign/documents/batch.ts';
import { batchOf } from '../http/batches.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { documentAuditLogs } from './audit-logs.ts';
import { documentFiles } from './document-files.ts';
import { documentList, documents } from './documents.ts';
import { documentEvents } from './events.ts';
import { documentLife } from './life.ts';
import { s } from './s.ts';
import { settings } from './settings.ts';
import { documentSigners } from './signers.ts';
import { verification } from './verification.ts';

/** The endpoints of sign, in the order of the reference. */
export const sign: readonly Endpoint[] = [
  ...documents,
  batchOf(documentList, documentBatch),
  ...documentLife,
  ...documentSigners,
  ...documentFiles,
  documentEvents,
  documentAuditLogs,
  ...s,
  ...verification,
  ...settings,
];
