/** What the module of a reader exports as `read`. It throws `UnreadableFile` for what it does not take. */
export type Read<Question, Answer> = (
  question: Question,
  content: Buffer,
) => Answer | Made<Answer> | Promise<Answer | Made<Answer>>;

/** What a reader answers that makes a file of the one it was given: what it says about it, and its bytes. */
export class Made<Answer> {
  readonly answer: Answer;
  readonly content: Uint8Array;

  constructor(answer: Answer, content: Uint8Array) {
    this.answer = answer;
    this.content = content;
  }
}
