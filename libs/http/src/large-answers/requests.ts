import { yieldToOthers } from '@assurance/kernel';
import type { CallCarrier } from '../call';
import type { PipelineReply } from '../exchange';
import type { AnswerConnection, LargeAnswers } from './large-answers';

const LISTENERS_MAX = 20;

/**
 * Waits until the answer of a request may be made, and follows it until its client has read it.
 *
 * @throws RefusalError `too-many-large-answers`
 */
export async function enterLarge(
  answers: LargeAnswers,
  weight: number,
  { assurance }: CallCarrier,
  reply: Pick<PipelineReply, 'raw'>,
): Promise<void> {
  const identity = assurance?.identity;
  if (assurance == null || identity === undefined) return;
  const connection = new ReplyConnection(reply.raw);
  const owner = { holder: identity.holder ?? identity.org.id, caller: identity.principal.id };
  const largeAnswer = await answers.enter(owner, weight, connection);
  assurance.large = largeAnswer;
  // Reads of the embedded engine do not wait, so several answers that begin in one turn of the event loop would block
  // it together.
  await yieldToOthers();
  if (!connection.isClosed) return;
  largeAnswer.noteMade(0);
  throw Object.assign(new Error('the client went'), { code: 'ECONNRESET', statusCode: 400 });
}

/** The length of a complete answer; null for a stream. */
export function lengthOf(payload: unknown): number | null {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return Buffer.isBuffer(payload) ? payload.length : null;
}

class ReplyConnection implements AnswerConnection {
  constructor(private readonly raw: PipelineReply['raw']) {}

  get isClosed(): boolean {
    return this.raw.destroyed || this.raw.closed;
  }

  get bytesSent(): number {
    return this.raw.socket?.bytesWritten ?? 0;
  }

  get isBlocked(): boolean {
    return (this.raw.socket?.writableLength ?? 0) > 0;
  }

  destroy(): void {
    this.raw.destroy();
  }

  onClose(callback: () => void): void {
    // A streamed answer has eleven listeners: four of ours, the others of the framework and of the stream. Node warns of more than ten.
    this.raw.setMaxListeners(LISTENERS_MAX);
    this.raw.once('close', callback);
  }
}
