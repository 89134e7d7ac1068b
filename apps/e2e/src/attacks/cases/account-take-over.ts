import type { MemberPut, WelcomeAnswer } from '@assurance/contracts/access/answers/access';
import { OTHER_KEY } from '../../support/declared';
import type { Attack } from '../attack';

const ROUNDS = 40;

/** An administrator invites the users of another organization, and uses the tokens to become them. */
export const attack: Attack = {
  name: 'an administrator invites in order to become somebody else',
  prepare(target) {
    const admin = target.as('admin');
    const holder = (token: string) => target.bystander.withKey(token);
    const round = async (i: number) => {
      const json = { role: 'admin', email: 'stranger@example.com' };
      const put = await admin.expect<MemberPut>(201, 'PUT', '/organizations/acme/members/stranger', { json });
      const token = put.invitation?.token ?? '';
      // No token works as a key, and no token grants the name of an existing user.
      await holder(token).refused(401, 'GET', '/environments/other');
      const answer = await holder(token).send('POST', '/invitations/accept', { json: { user: 'STRANGER' } });
      // Another round may have replaced the invitation in the meantime.
      if (![400, 401, 404].includes(answer.status)) throw new Error(`the name was given: ${answer.status}`);
      const other = { role: 'admin', email: `eve-${i}@example.com`, user: `eve-${i}` };
      const own = await admin.expect<{ token: string }>(201, 'POST', '/organizations/acme/invitations', {
        json: other,
      });
      const joined = await holder(own.token).expect<WelcomeAnswer>(201, 'POST', '/invitations/accept', { json: {} });
      await holder(joined.api_key).refused(403, 'GET', '/environments/other');
      await holder(joined.api_key).refused(403, 'GET', '/organizations/other/members');
    };
    return Promise.resolve({
      run: async () => {
        for (let from = 0; from < ROUNDS; from += 8) {
          await Promise.all(Array.from({ length: 8 }, (_, i) => round(from + i)));
        }
        await holder(OTHER_KEY).get('/environments/other');
      },
    });
  },
};
