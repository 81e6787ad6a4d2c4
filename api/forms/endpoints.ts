import type { Endpoint } from '../http/endpoint.ts';
import { formAuditLogs } from './audit-logs.ts';
import { erasing } from './erasing.ts';
import { files } from './files.ts';
import { formLife } from './form-life.ts';
import { forms as ofForms } from './forms.ts';
import { p } from './p.ts';
import { r } from './r.ts';
import { responseFile } from './response-export.ts';
import { responses } from './responses.ts';
import { settings } from './settings.ts';
import { submit } from './submit.ts';
import { summary } from './summary.ts';
import { validate } from './validate.ts';
import { versions } from './versions.ts';

/** The endpoints of forms, in the order of the reference. */
export const forms: readonly Endpoint[] = [
  ...ofForms,
  ...formLife,
  formAuditLogs,
  ...versions,
  ...settings,
  ...validate,
  ...responses,
  ...submit,
  responseFile,
  summary,
  ...erasing,
  ...files,
  ...p,
  ...r,
];
