import { Semaphore } from './semaphore';

describe('a semaphore', () => {
  it('takes what fits, and refuses the rest without taking a part of it', () => {
    const semaphore = new Semaphore(10);
    expect([semaphore.acquire(4), semaphore.acquire(6), semaphore.acquire(1), semaphore.acquire(0)]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    semaphore.release(4);
    expect([semaphore.acquire(5), semaphore.acquire(4), semaphore.acquire(1)]).toEqual([false, true, false]);
  });

  it('accepts a value larger than its limit only while it is empty', () => {
    const semaphore = new Semaphore(10);
    expect([semaphore.acquire(11), semaphore.acquire(1)]).toEqual([true, false]);
    semaphore.release(11);
    expect([semaphore.acquire(1), semaphore.acquire(11)]).toEqual([true, false]);
  });
});
