import { lists } from './blobs/lists';
import { puts } from './blobs/puts';
import { refusals } from './blobs/refusals';
import { sweeps } from './blobs/sweeps';
import { withdrawals } from './blobs/withdrawals';
import { type OpenEngine, opened } from './harness';

const BEGINNING = 1_700_000_000_000;

/**
 * The promises of the blobs port, one test each.
 *
 * @param open blobs with nothing in them, at a time that the suite chooses (integer milliseconds)
 */
export function blobsSuite(open: (now: () => number) => ReturnType<OpenEngine<'blobs'>>): void {
  describe('blobs', () => {
    let now = BEGINNING;
    const engines = opened(() => open(() => now));
    const blobs = () => engines().blobs;
    describe('put and open', () => puts(blobs));
    describe('list', () => lists(blobs));
    describe('sweep', () =>
      sweeps(blobs, {
        now: () => now,
        pass: (ms) => (now += ms),
      }));
    describe('withdraw', () => withdrawals(blobs, (change) => (now += change)));
    describe('broken and too large', () => refusals(blobs));
  });
}
