import { once } from 'node:events';
import { jsonLine } from './key-text.js';

/** What a command gives for one item: the text for people, or the document for programs. */
export interface Item {
  readonly text: () => string;
  readonly json: () => unknown;
}

/** Standard output, line by line. */
export class Output {
  readonly #stream: NodeJS.WritableStream;
  readonly #json: boolean;

  constructor(stream: NodeJS.WritableStream, json: boolean) {
    this.#stream = stream;
    this.#json = json;
  }

  /** Writes items in one go, and waits where the reader is slower. */
  async write(items: readonly Item[]): Promise<void> {
    const lines = items.map((item) => (this.#json ? jsonLine(item.json()) : item.text()));
    if (lines.length === 0) return;
    if (!this.#stream.write(`${lines.join('\n')}\n`)) await once(this.#stream, 'drain');
  }
}
