import { ROLES } from '@assurance/contracts-events';
import { flag, list, named, nullable, number, object, oneOf, text, type Of } from '../shape';

export const sessionAnswer = named(
  'Session',
  object({
    principal: object({ id: text(), name: text(), kind: oneOf(['user', 'service-account']) }),
    organizations: list(
      object({ name: text(), role: oneOf(ROLES), personal: flag('It belongs to this user alone.') }),
      'By name, at most 1,000.',
    ),
    default_organization: nullable(text('The one that the user chose; null until then.')),
    session: nullable(
      object({
        started_at: number('Epoch seconds.'),
        idle_expires_at: number('When it ends unless it is used before, in epoch seconds.'),
        expires_at: number('When it ends at the latest, in epoch seconds.'),
      }),
    ),
  }),
);
export type SessionAnswer = Of<typeof sessionAnswer>;

export const signInAnswer = named(
  'SignIn',
  object({
    api_key: flag('With an API key: always.'),
    openid_connect: nullable(
      object({
        name: text('What to call the provider.'),
        path: text('Where the way to it begins, below the public URL.'),
      }),
    ),
  }),
);
export type SignInAnswer = Of<typeof signInAnswer>;
