import Sequencer from '@jest/test-sequencer';

/** Specs that take long whatever the size of their files, which is all that Jest has to go by in a fresh clone. */
const LONG = /e2e\/src\/(?:scaled|embedded|projection|ingestion|reads-after-writes|demo|provenance|clock)/;

/** Begins them first: begun last, one of them keeps a worker busy while the other has nothing left. */
export default class LongFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path }) => LONG.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
