import type { UserEvent } from '@assurance/contracts/access/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { decideChooseDefault } from './choose-default';
import { user } from './user';

const created: UserEvent = { type: 'UserCreated', version: 1, data: { id: 'ada', name: 'ada', email: '' } };
const choiceOf = (organization: string) =>
  ({ type: 'DefaultOrganizationChosen', version: 1, data: { organization } }) as const;

describe('choosing the default organization', () => {
  const spec = deciderSpec({
    replay: (events: readonly UserEvent[]) => replayOf(user)(events) ?? {},
    decide: (
      state: { readonly defaultOrganization?: string },
      command: { readonly organization: string },
      facts: { readonly member: boolean },
    ) => decideChooseDefault(state, command, facts),
  });
  const acme = { organization: 'acme' };

  it('records another one', () => {
    spec.given(created).when(acme, { member: true }).thenRecords(choiceOf('acme'));
    spec.given(created, choiceOf('other')).when(acme, { member: true }).thenRecords(choiceOf('acme'));
  });

  it('changes nothing where it is chosen already', () => {
    spec.given(created, choiceOf('acme')).when(acme, { member: true }).thenNothing();
  });

  it('refuses an organization without a membership of the user', () => {
    spec.given(created, choiceOf('acme')).when(acme, { member: false }).thenRefuses('no-member');
  });
});
