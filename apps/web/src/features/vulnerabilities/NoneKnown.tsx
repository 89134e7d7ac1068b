import { Empty } from '../../ui';

/** What an empty list of vulnerabilities says. */
export const NoneKnown = () => (
  <Empty icon="search" title="None is known">
    That is no all-clear for what nobody knows: see above.
  </Empty>
);
