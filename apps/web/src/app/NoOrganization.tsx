import { Empty } from '../ui';

/** The page of a signed-in user who is not a member of any organization. */
export const NoOrganization = () => (
  <main>
    <Empty icon="overview" title="You are not a member of any organization yet">
      Ask an administrator of one for an invitation.
    </Empty>
  </main>
);
