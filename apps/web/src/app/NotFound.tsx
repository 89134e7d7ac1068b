import { Empty, Page } from '../ui';

export const NotFound = () => (
  <Page title="No such page">
    <Empty icon="search" title="There is no page at this address">
      It may have been renamed, or the link is not whole. The search above finds names, commits and fingerprints.
    </Empty>
  </Page>
);
