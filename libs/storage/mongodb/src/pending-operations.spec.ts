import { StoreUnavailable } from '@assurance/storage-ports';
import { PendingOperations } from './pending-operations';

const never = () => new Promise<never>(() => undefined);

describe('operations that wait for MongoDB', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are given up some time after connections ended, unless they end before', async () => {
    const underWay = new PendingOperations();
    const hanging = underWay.run(never).catch((error: unknown) => error);
    const slow = underWay.run(() => new Promise((resolve) => setTimeout(resolve, 9_000, 'done')));
    underWay.noteInterruption();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await hanging).toBeInstanceOf(StoreUnavailable);
    expect(await slow).toBe('done');
  });

  it('are not given up where they began later', async () => {
    const underWay = new PendingOperations();
    underWay.noteInterruption();
    const later = underWay.run(() => new Promise((resolve) => setTimeout(resolve, 60_000, 'done')));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await later).toBe('done');
  });
});
