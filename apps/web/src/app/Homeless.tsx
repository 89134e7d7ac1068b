import { Empty } from '../ui';

/** Who is signed in and is no member of any organization. */
export const Homeless = () => (
  <main>
    <Empty icon="overview" title="You are not a member of any organization yet">
      Ask an administrator of one for an invitation.
    </Empty>
  </main>
);
