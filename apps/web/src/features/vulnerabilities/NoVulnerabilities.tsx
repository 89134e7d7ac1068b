import { Empty } from '../../ui';

/** The text of an empty list of vulnerabilities. */
export const NoVulnerabilities = () => (
  <Empty icon="search" title="None is known">
    That is no all-clear for what nobody knows: see above.
  </Empty>
);
