import type { InstanceContext } from '@assurance/contracts/environments/events';
import { contextsAnswer } from './contexts';

describe('details of instances in a snapshot', () => {
  it('are null where a newer process recorded a kind that this one does not know', () => {
    const newer = { of: 'container', host: 'edge-1' } as unknown as InstanceContext;
    expect(contextsAnswer([newer], [1])).toEqual({
      pods: null,
      ecs_context: null,
      azure_context: null,
      cloud_run_context: null,
    });
  });
});
