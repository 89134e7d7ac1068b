import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { api, BASE, send } from './client';
import { ApiError } from './error';

export type Role = 'admin' | 'member' | 'snapshotter' | 'auditor' | 'reader';

/** The signed-in principal and its organizations. */
export interface Session {
  readonly principal: { readonly id: string; readonly name: string; readonly kind: 'user' | 'service-account' };
  readonly organizations: readonly { readonly name: string; readonly role: Role; readonly personal: boolean }[];
  readonly default_organization: string | null;
  readonly session: { readonly groups_unknown?: boolean } | null;
}

export interface SignInWays {
  readonly api_key: boolean;
  readonly openid_connect: { readonly name: string; readonly path: string } | null;
}

const json = async <T>(path: string): Promise<T> => (await send(path, {})).json() as Promise<T>;

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: () => json<Session>('/session') });
export const signInQuery = queryOptions({ queryKey: ['sign-in'], queryFn: () => json<SignInWays>('/sign-in') });

export const signIn = (key: string) =>
  send('/session', { method: 'POST', headers: { Authorization: `Bearer ${key}` } });
export const signOut = () => send('/session', { method: 'DELETE' });
export const signOutEverywhere = () => send('/sessions', { method: 'DELETE' });

/** Creates a user for an invited person, with the token of the invitation. */
export async function join(token: string, user: string) {
  const headers = { Authorization: `Bearer ${token}` };
  const { data } = await api.POST('/invitations/accept', { headers, body: { user } });
  if (data === undefined) throw new ApiError(-1, 'The answer has no key.');
  return data;
}

/** The address of the sign-in page, which then leads back to a page. */
export const signInAddress = (pathname: string, search: string): string =>
  `${BASE}sign-in?return_to=${encodeURIComponent(`/${pathname.slice(BASE.length)}${search}`)}`;

export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;

/** The organization of the page. */
export const useOrg = (): string => useParams<'org'>().org ?? '';

/** The roles that have each permission, as the service decides it. Pages hide actions that the service would refuse. */
const MAY = {
  record: ['admin', 'member'],
  organization: ['admin'],
  serviceAccounts: ['admin', 'member', 'snapshotter'],
  seeServiceAccounts: ['admin', 'member', 'snapshotter', 'auditor'],
  people: ['admin'],
  seePeople: ['admin', 'auditor'],
  /** Logs, retention and legal holds. */
  audit: ['admin', 'auditor'],
} as const satisfies Record<string, readonly Role[]>;

/** Permissions that personal organizations do not have: they have no further members and no service accounts. */
const OF_SHARED: ReadonlySet<keyof typeof MAY> = new Set([
  'serviceAccounts',
  'seeServiceAccounts',
  'people',
  'seePeople',
]);

/** Whether the caller may do something in the organization of the page. */
export function useMay(): (action: keyof typeof MAY) => boolean {
  const org = useOrg();
  const { role, personal } = useSession().organizations.find(({ name }) => name === org) ?? {};
  return (action) =>
    role !== undefined && (MAY[action] as readonly Role[]).includes(role) && !(personal && OF_SHARED.has(action));
}
