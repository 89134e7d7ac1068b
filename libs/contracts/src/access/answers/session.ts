import { component, flag, list, nullable, number, object, type TypeOf, oneOf, text } from '../../http/shape';
import { ROLES } from '../events';

export const sessionAnswer = component('Session', {
  principal: object({ id: text(), name: text(), kind: oneOf(['user', 'service-account']) }),
  organizations: list(
    object({ name: text(), role: oneOf(ROLES), personal: flag('It belongs to this user only.') }),
    'Ordered by name, at most 1,000.',
  ),
  default_organization: nullable(text('The organization that the user chose; null before.')),
  session: nullable(
    object(
      {
        started_at: number('Epoch seconds.'),
        idle_expires_at: number('When it ends unless it is used before, in epoch seconds.'),
        expires_at: number('When it ends at the latest, in epoch seconds.'),
      },
      {
        groups_unknown: flag(
          'True: the provider did not send the groups of the person, so the sign-in changed no role.',
        ),
      },
    ),
  ),
});
export type SessionAnswer = TypeOf<typeof sessionAnswer>;

export const identityAnswer = component('Identity', {
  id: text(),
  issuer: text('The provider.'),
  subject: text("The provider's own name for the person."),
  email: text('The address that the provider verified when it was attached; empty without one.'),
});
export type IdentityAnswer = TypeOf<typeof identityAnswer>;

export const signInAnswer = component('SignIn', {
  api_key: flag('Always true: an API key works.'),
  openid_connect: nullable(
    object({
      name: text('The name of the provider.'),
      path: text('The path that begins the sign-in, below the public URL.'),
    }),
  ),
});
