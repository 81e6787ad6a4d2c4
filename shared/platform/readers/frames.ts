import type { Readable } from 'node:stream';

/** What a process and its reader say to each other: a value as JSON, and bytes. */
export type Frame = { value: unknown; content: Buffer };

const HEAD = 8;

/** A frame as it is written: the lengths of both parts, four bytes each, then the parts. */
export function frameOf(value: unknown, content: Uint8Array): Buffer[] {
  return [
    ...frameBefore(value, content.length),
    Buffer.from(content.buffer, content.byteOffset, content.byteLength),
  ];
}

/** What stands in a frame before its content of so many bytes. */
export function frameBefore(value: unknown, size: number): Buffer[] {
  const json = Buffer.from(JSON.stringify(value));
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(json.length, 0);
  head.writeUInt32BE(size, 4);
  return [head, json];
}

/** The frames of a stream, in the process of a reader: what is not whole when it ends is left. */
export async function* framesOf(stream: Readable): AsyncGenerator<Frame> {
  const collector = new FrameCollector();
  for await (const part of stream) yield* collector.add(part as Buffer);
}

/** Puts frames together from the parts in which they come. */
export class FrameCollector {
  private parts: Buffer[] = [];
  private size = 0;

  /** Bytes that are held until a frame is whole. */
  get held(): number {
    return this.size;
  }

  /** Takes a part and answers the frames that are whole with it. */
  add(part: Buffer): Frame[] {
    this.parts.push(part);
    this.size += part.length;
    const frames: Frame[] = [];
    for (let length = this.nextLength(); length !== null && this.size >= length; length = this.nextLength()) {
      const bytes = this.joined();
      const json = bytes.readUInt32BE(0);
      frames.push({
        value: JSON.parse(bytes.toString('utf8', HEAD, HEAD + json)),
        content: bytes.subarray(HEAD + json, length),
      });
      this.parts = [bytes.subarray(length)];
      this.size -= length;
    }
    return frames;
  }

  /** Bytes of the frame that comes, once its head is there. */
  private nextLength(): number | null {
    if (this.size < HEAD) return null;
    // The parts of a large frame are joined once, not for each of them.
    if (this.parts[0]!.length < HEAD) this.joined();
    return HEAD + this.parts[0]!.readUInt32BE(0) + this.parts[0]!.readUInt32BE(4);
  }

  private joined(): Buffer {
    if (this.parts.length > 1) this.parts = [Buffer.concat(this.parts)];
    return this.parts[0]!;
  }
}
