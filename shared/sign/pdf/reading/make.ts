import { Made } from '../../../platform/readers/made.ts';
import type { DrawingQuestion } from '../types.ts';
import { drawnPdf } from './draw.ts';

/** Draws into a PDF, in the process of a reader. `content` has the parts that the question names, one after the other. */
export async function read(question: DrawingQuestion, content: Buffer): Promise<Made<null>> {
  let at = 0;
  const part = (size: number) => {
    at += size;
    return content.subarray(at - size, at);
  };
  const { fields, values, is_signed, attachment } = question;
  const pdf = part(question.pdf);
  const append = question.append === null ? null : part(question.append);
  const attached = attachment && { ...attachment, content: part(attachment.size) };
  return new Made(null, await drawnPdf({ pdf, fields, values, is_signed, append, attachment: attached }));
}
