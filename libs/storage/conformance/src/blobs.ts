import { lists } from './blobs/lists';
import { puts } from './blobs/puts';
import { refusals } from './blobs/refusals';
import { opened } from './harness';
import type { Open } from './harness';

/**
 * The promises of the blobs port, one test each.
 *
 * @param open blobs with nothing in them
 */
export function blobsSuite(open: Open<'blobs'>): void {
  describe('blobs', () => {
    const engines = opened(open);
    const blobs = () => engines().blobs;
    describe('put and open', () => puts(blobs));
    describe('list', () => lists(blobs));
    describe('broken and too large', () => refusals(blobs));
  });
}
