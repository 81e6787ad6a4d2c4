import { makerOf } from '../../platform/readers/reader.ts';
import type { DrawingOrder, DrawingQuestion } from './types.ts';

/** Several uploads, each of which was looked at before, are drawn in one process: to start it costs more than to draw. */
const make = makerOf<DrawingQuestion, null>({
  module: new URL('reading/make.ts', import.meta.url),
  time_limit: 10_000,
  most_memory: 512,
  most_answer: 256 * 1024 * 1024,
  files: 20,
});

/**
 * Draws values into a PDF, appends pages and attaches a file, in a process of its own; answers the saved PDF, whose fonts are
 * subsets. Errors: `ReaderFailure`, refused with `signed_pdf_not_appendable`, or for its time or memory.
 */
export async function drawForSeal(order: DrawingOrder, signal?: AbortSignal): Promise<Buffer> {
  const { question, content } = questionOf(order);
  return (await make(question, content, signal)).content;
}

/** An order as the process of a reader gets it, with the files that it names one after the other. */
export function questionOf(order: DrawingOrder): { question: DrawingQuestion; content: Buffer } {
  const { fields, values, is_signed, pdf, append, attachment } = order;
  const parts = [pdf, ...(append ? [append] : []), ...(attachment ? [attachment.content] : [])];
  const question: DrawingQuestion = {
    fields,
    values,
    is_signed,
    pdf: pdf.length,
    append: append?.length ?? null,
    attachment: attachment && {
      name: attachment.name,
      description: attachment.description,
      media_type: attachment.media_type,
      at: attachment.at,
      size: attachment.content.length,
    },
  };
  return { question, content: Buffer.concat(parts) };
}
