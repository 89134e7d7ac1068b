import { fresh } from '../../support/samples';
import type { Attack } from '../attack';
import { attest, formOf, typeWith } from '../endless';

const SENT = 20;
const ASKED = 10;

/** A schema that answers later, or reads the data that it checks: the next organization's valid data was once refused for it. */
export const attack: Attack = {
  name: 'schemas come whose keywords let them answer otherwise',
  async prepare({ as, bystander }) {
    const caller = as('member');
    const quick = fresh('quick');
    await typeWith(bystander, 'other', quick, '.coverage >= 80');
    const send = async (schema: object) => {
      const form = formOf({ name: fresh('async'), evaluator: { content_type: 'jq', rules: ['true'] } });
      form.set('type_schema', new Blob([JSON.stringify(schema)], { type: 'application/json' }), 'schema.json');
      const { status, text } = await caller.send('POST', '/custom-attestation-types/acme', { form });
      if (![400, 429].includes(status)) throw new Error(`a schema that answers later was answered ${status}: ${text}`);
    };
    const schemas = [
      { $async: true, type: 'object' },
      { type: 'object', properties: { a: { $async: true } } },
      { type: 'object', properties: { a: { minimum: { $data: '/b' } } } },
    ];
    return {
      run: async () => {
        const all = Array.from({ length: SENT }, (_, i) => send(schemas[i % schemas.length] ?? {}));
        for (let i = 0; i < ASKED; i += 1) {
          const answer = await attest(bystander, 'other', quick);
          if (answer.status !== 201) throw new Error(`valid data of another organization was answered ${answer.text}`);
        }
        await Promise.all(all);
      },
    };
  },
};
