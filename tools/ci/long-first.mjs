// @ts-check
import { readFileSync } from 'node:fs';
import * as sequencer from '@jest/test-sequencer';

/** @typedef {import('@jest/test-sequencer').default} Sequencer */
const Base = /** @type {new (...args: any[]) => Sequencer} */ (/** @type {unknown} */ (sequencer.default));

/** Specs that take long. Jest cannot know them in a fresh clone, because it orders specs by file size there. */
const LONG = /e2e\/src\/(?:scaled|embedded|projection|ingestion|reads-after-writes|demo|provenance|clock)/;
/** What a spec calls that shares services on MongoDB and Kafka, and what it calls for services of its own. */
const [SHARES, STARTS] = [/\bonEveryDeployment\(/, /\bstartAtTime\(|\bonOwnServices\(/];

/**
 * Starts long specs first. If one started last, one worker would run it while the other had nothing to do. On MongoDB and Kafka, specs that share
 * services come before the others, and those that also start their own come between: the fixture server stops shared services for them.
 */
export default class LongFirst extends Base {
  /**
   * @override
   * @param {Parameters<Sequencer['sort']>[0]} tests
   */
  sort(tests) {
    const ranks = new Map(tests.map((test) => [test, 2 * sharing(test) + (LONG.test(test.path) ? 0 : 1)]));
    return /** @type {Parameters<Sequencer['sort']>[0]} */ (super.sort(tests)).sort(
      (a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0),
    );
  }
}

/** @param {{ path: string, context: { config: { displayName?: { name: string } } } }} test */
function sharing({ path, context }) {
  if (context.config.displayName?.name !== 'scaled') return 0;
  const source = readFileSync(path, 'utf8');
  if (!SHARES.test(source)) return 2;
  return STARTS.test(source) ? 1 : 0;
}
