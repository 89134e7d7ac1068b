import Sequencer from '@jest/test-sequencer';

/** Specs that take long. Jest cannot know them in a fresh clone, because it orders specs by file size there. */
const LONG = /e2e\/src\/(?:scaled|embedded|projection|ingestion|reads-after-writes|demo|provenance|clock)/;

/** Starts long specs first. If one started last, one worker would run it while the other had nothing to do. */
export default class LongFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path }) => LONG.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
