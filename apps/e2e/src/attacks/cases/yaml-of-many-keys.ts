import { flowForm, fresh, policyForm } from '../../support/samples';
import type { Attack } from '../attack';

const YAML = Array.from({ length: 17_000 }, (_, i) => `${i.toString(36)}:\n`)
  .join('')
  .slice(0, 64 * 1024 - 10);

/** 64 KiB of YAML with 17,000 keys: its parser takes seconds for them. */
export const attack: Attack = {
  name: 'policies and a template of 17,000 keys come at once',
  prepare: ({ as }) =>
    Promise.resolve({
      async run() {
        const caller = as('member');
        const policy = () =>
          caller.refused(400, 'PUT', '/policies/acme', { form: policyForm({ name: fresh('keys') }, YAML) });
        const form = () => flowForm({ name: fresh('keys'), description: '' }, YAML);
        const template = () => caller.refused(400, 'PUT', '/flows/acme/template_file', { form: form() });
        await Promise.all([policy(), policy(), template()]);
      },
    }),
};
