import { renderDraftJob, renderPrintJob } from '../../shared/invoicing/pdf/jobs.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import type { Renderer } from '../pdf/renderer.ts';
import { renderDraft } from './render-draft.ts';
import { printHooks, renderPrint } from './render-print.ts';

/** The jobs of invoicing: the PDFs of documents and of drafts. */
export function invoicingHandlers(options: { storage: Storage; renderer: Renderer }): Handled[] {
  return [
    handles(renderPrintJob, renderPrint(options), { ...printHooks, served: options.renderer.prepare }),
    handles(renderDraftJob, renderDraft(options)),
  ];
}
