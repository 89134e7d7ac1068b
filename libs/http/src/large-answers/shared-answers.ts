import { longAnswer } from '../long-answer';
import type { LongBody } from './long-body';

/**
 * The longest time for which a body is shared (milliseconds). Without it, a slow reader could keep erased data visible.
 */
const SHARED_MS = 10_000;

/** An answer that many requests may ask for at once. */
export interface SharedAnswer<Answer> {
  /** The same for requests that get the same answer. */
  readonly key: string;
  readonly make: () => Promise<Answer>;
}

interface CachedAnswer {
  readonly body: WeakRef<LongBody>;
  /** Milliseconds. */
  readonly at: number;
}

/**
 * Makes an answer once for all requests that come while it is made or read. It is dropped when no request reads it any
 * more.
 */
export class SharedAnswers {
  private readonly making = new Map<string, Promise<LongBody>>();
  private readonly cache = new Map<string, CachedAnswer>();
  private readonly forgotten = new FinalizationRegistry<string>((key) => {
    if (this.cache.get(key)?.body.deref() === undefined) this.cache.delete(key);
  });

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @throws what `make` throws */
  get({ key, make }: SharedAnswer<unknown>): Promise<LongBody> {
    const cachedAnswer = this.cache.get(key);
    const body =
      cachedAnswer !== undefined && this.now() - cachedAnswer.at < SHARED_MS ? cachedAnswer.body.deref() : undefined;
    if (body !== undefined) return Promise.resolve(body);
    const making = this.making.get(key) ?? this.begin(key, make);
    this.making.set(key, making);
    return making;
  }

  private async begin(key: string, make: () => Promise<unknown>): Promise<LongBody> {
    try {
      const body = await longAnswer(await make());
      this.cache.set(key, { body: new WeakRef(body), at: this.now() });
      this.forgotten.register(body, key);
      return body;
    } finally {
      this.making.delete(key);
    }
  }
}
