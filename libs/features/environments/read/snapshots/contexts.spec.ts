import { NO_CONTEXTS } from '@assurance/contracts/environments/answers/context';
import type { InstanceContext } from '@assurance/contracts/environments/events';
import { contextsAnswer } from './contexts';

describe('details of instances in a snapshot', () => {
  it('are null where a newer process recorded a kind that this one does not know', () => {
    const newer = { of: 'container', host: 'edge-1' } as unknown as InstanceContext;
    expect(contextsAnswer([newer], [1])).toEqual(NO_CONTEXTS);
  });
});
