import type { SessionAnswer } from '@assurance/contracts/access/answers/session';
import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import type { Call, Session } from '@assurance/http';
import type { Documents } from '@assurance/storage-ports';
import { membership } from '../../domain/membership';
import { organization } from '../../domain/organization';
import { user } from '../../domain/user';
import type { Sessions } from './sessions';

/** How many organizations of a user the answer names. */
const ORGANIZATIONS_MAX = 1_000;
const seconds = (ms: number) => Math.floor(ms / 1_000);

type CallerFields = Pick<Call, 'principal' | 'org' | 'session'>;

/** The answer about a session: the caller, the caller's organizations, and how long the session lasts. */
export async function sessionAnswerOf(
  documents: Documents,
  sessions: Sessions,
  call: CallerFields,
): Promise<SessionAnswer> {
  const { principal, session } = call;
  const { id, name } = principal;
  const kind = principal.kind === 'user' ? 'user' : 'service-account';
  const places = kind === 'user' ? await placesOf(documents, id) : placeOf(call);
  return {
    principal: { id, name, kind },
    ...places,
    session: session === undefined ? null : timesOf(sessions, session),
  };
}

function timesOf(sessions: Sessions, session: Session): SessionAnswer['session'] {
  const { idle, latest } = sessions.endsOf(session);
  return {
    started_at: seconds(session.startedAt),
    idle_expires_at: seconds(idle),
    expires_at: seconds(latest),
    ...(session.groupsUnknown === true ? { groups_unknown: true } : {}),
  };
}

type Places = Pick<SessionAnswer, 'organizations' | 'default_organization'>;

function placeOf({ org, principal }: CallerFields): Places {
  return {
    organizations: [{ name: org.name, role: principal.role, personal: false }],
    default_organization: org.name,
  };
}

async function placesOf(documents: Documents, id: string): Promise<Places> {
  const memberships = await documents
    .collection(membership.states)
    .find({ where: { user: id }, order: orderBy('org'), limit: ORGANIZATIONS_MAX });
  const organizations = await documents
    .collection(organization.states)
    .getMany(memberships.map(({ doc }) => streams.organization(doc.org)));
  const result = memberships.flatMap(({ doc: { org, role } }) => {
    const place = organizations.get(streams.organization(org));
    return place === undefined || role === null ? [] : [{ ...place, role }];
  });
  const chosen = (await documents.collection(user.states).get(streams.user(id)))?.defaultOrganization;
  return {
    organizations: result
      .map(({ name, role, personal }) => ({ name, role, personal }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    default_organization: result.find((item) => item.id === chosen)?.name ?? null,
  };
}
