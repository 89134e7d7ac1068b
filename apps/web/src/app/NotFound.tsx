import { Empty, Page } from '../ui';

export const NotFound = () => (
  <Page title="No such page">
    <Empty icon="search" title="There is no page at this address">
      The link may be incomplete, or what it names was renamed. The search above finds names, commits and fingerprints.
    </Empty>
  </Page>
);
