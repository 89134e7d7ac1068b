import { FEATURE_REFUSALS } from '@assurance/contracts/http/refusals';
import { responses } from '@assurance/contracts/http/responses';
import { routes } from '@assurance/contracts/http/routes/routes';
import { TRANSPORT_REFUSALS } from './transport-refusals';

/** The parameters of a refusal: a size above a limit, and words that fit every kind. */
const TOLD = {
  limit: 77,
  bytes: 9_078,
  count: 9_078,
  remedy: 'Send less',
  whose: 'caller',
  name: 'x',
  tags: 60,
  errors: {},
  repos: [],
  allowed: [],
};
/** Kinds that need other words, with all of these words. */
const WORDS: Readonly<Record<string, readonly object[]>> = {
  'too-many': [
    'environments',
    'flows',
    'repositories',
    'controls',
    'attestation types',
    'policies',
    'spaces',
    'administrators',
    'notifications',
    'open invitations',
    'target configurations',
  ].map((things) => ({ things })),
  'too-many-parts': ['fields', 'files', 'parts'].map((parts) => ({ parts })),
  'storage-full': ['events', 'attachments'].map((of) => ({ of })),
};

interface Answer {
  readonly problem?: string;
  readonly message?: string;
  readonly status?: number;
  readonly body?: { readonly message: string };
}

const texts = Object.entries({ ...FEATURE_REFUSALS, ...TRANSPORT_REFUSALS }).flatMap(([kind, tell]) =>
  (WORDS[kind] ?? [{}]).flatMap((words): [string, string][] => {
    const { problem, message, status, body } = (tell as (told: object) => Answer)({ kind, ...TOLD, ...words });
    return problem === 'over-limit' || status === 413 ? [[kind, message ?? body?.message ?? '']] : [];
  }),
);

describe('what 413 says', () => {
  it('is tried for every refusal that answers it', () => {
    expect(new Set(texts.map(([kind]) => kind)).size).toBeGreaterThanOrEqual(12);
  });

  it.each(texts)('for %s names the limit and what to do: %s', (_, text) => {
    expect(text).toMatch(/\b77\b/);
    expect(text).toMatch(/[^.]\. [A-Z][^.]+$/);
  });

  it.each(['body-too-large', 'too-many-artifacts'])('for %s names the size too', (kind) => {
    expect(texts.find(([limitKind]) => limitKind === kind)?.[1]).toContain('9078');
  });

  it.each(['too-many-policies', 'too-many-tags'] as const)('is like what 400 says for %s', (kind) => {
    const expected = { kind, ...TOLD, field: 'it', characters: 9 };
    const { errors } = (FEATURE_REFUSALS[kind] as (told: object) => { readonly errors: Record<string, string> })(
      expected,
    );
    const [text] = Object.values(errors);
    expect(text).toMatch(/\b(9078|60)\b/);
    expect(text).toMatch(/\b(77|50)\b/);
    expect(text).toMatch(/[^.]\. [A-Z][^.]+$/);
  });

  it('is said so in the OpenAPI document, too', () => {
    const documented = Object.values(routes).flatMap((route) =>
      [...JSON.stringify(responses(route)['413'] ?? {}).matchAll(/"message":"([^"]+)"/g)].map(([, text = '']) => text),
    );
    expect(documented.length).toBeGreaterThan(50);
    for (const text of new Set(documented)) expect(text).toMatch(/\d.*[^.]\. [A-Z].+$/);
  });
});
