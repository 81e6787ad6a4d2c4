import { Made } from '../../../platform/readers/made.ts';
import type { DrawingOrder, DrawingQuestion } from '../types.ts';
import { drawnPdf } from './draw.ts';

/** Draws into a PDF, in the process of a reader. */
export async function read(question: DrawingQuestion, content: Buffer): Promise<Made<null>> {
  return new Made(null, await drawnPdf(orderOf(question, content)));
}

/** The order behind a question: `content` has the parts that it names, one after the other. */
export function orderOf(question: DrawingQuestion, content: Buffer): DrawingOrder {
  let at = 0;
  const part = (size: number) => {
    at += size;
    return content.subarray(at - size, at);
  };
  const { fields, values, is_signed, attachment } = question;
  const pdf = part(question.pdf);
  const append = question.append === null ? null : part(question.append);
  const attached = attachment && { ...attachment, content: part(attachment.size) };
  return { pdf, fields, values, is_signed, append, attachment: attached };
}
