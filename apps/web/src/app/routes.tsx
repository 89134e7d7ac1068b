import type { QueryClient } from '@tanstack/react-query';
import { createBrowserRouter, redirect, type LoaderFunctionArgs, type RouteObject } from 'react-router';
import { BASE } from '../api/client';
import { ApiError } from '../api/error';
import { sessionQuery, signInAddress } from '../api/session';
import { Guarded } from '../ui';
import { pageIn } from './paths';
import { RouteFailure } from './RouteFailure';
import { Shell } from './Shell';

type Loaded = Promise<Readonly<Record<string, React.ComponentType>>>;

/** A page that is loaded when it is first opened. It is the export `name` of a module. */
const page = (path: string, load: () => Loaded, name: string): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await load())[name] ?? null }),
});

/** A page about one resource. While the resource loads, or if loading fails, the route shows that instead of the page. */
const pageOfResource = (path: string, load: () => Loaded, name: string): RouteObject => ({
  path,
  lazy: async () => {
    const Content = (await load())[name] as React.ComponentType;
    const Component = () => (
      <Guarded page>
        <Content />
      </Guarded>
    );
    return { Component };
  },
});

const pages: readonly RouteObject[] = [
  { index: true, lazy: async () => ({ Component: (await import('../features/overview/OverviewPage')).OverviewPage }) },
  page('environments', () => import('../features/environments/EnvironmentsPage') as Loaded, 'EnvironmentsPage'),
  pageOfResource(
    'environments/:env',
    () => import('../features/environments/EnvironmentPage') as Loaded,
    'EnvironmentPage',
  ),
  pageOfResource(
    'environments/:env/snapshots/:index',
    () => import('../features/environments/SnapshotPage') as Loaded,
    'SnapshotPage',
  ),
  page('compare', () => import('../features/environments/ComparePage') as Loaded, 'ComparePage'),
  page('deployments', () => import('../features/deployments/DeploymentsPage') as Loaded, 'DeploymentsPage'),
  page('components', () => import('../features/components/ComponentsPage') as Loaded, 'ComponentsPage'),
  page(
    'vulnerabilities',
    () => import('../features/vulnerabilities/VulnerabilitiesPage') as Loaded,
    'VulnerabilitiesPage',
  ),
  pageOfResource(
    'vulnerabilities/:id',
    () => import('../features/vulnerabilities/VulnerabilityPage') as Loaded,
    'VulnerabilityPage',
  ),
  page('flows', () => import('../features/flows/FlowsPage') as Loaded, 'FlowsPage'),
  pageOfResource('flows/:flow', () => import('../features/flows/FlowPage') as Loaded, 'FlowPage'),
  pageOfResource('flows/:flow/trails/:trail', () => import('../features/flows/TrailPage') as Loaded, 'TrailPage'),
  pageOfResource(
    'flows/:flow/artifacts/:fingerprint',
    () => import('../features/artifacts/ArtifactPage') as Loaded,
    'ArtifactPage',
  ),
  pageOfResource(
    'artifacts/:fingerprint',
    () => import('../features/artifacts/UnknownArtifactPage') as Loaded,
    'UnknownArtifactPage',
  ),
  page('repositories', () => import('../features/repositories/RepositoriesPage') as Loaded, 'RepositoriesPage'),
  pageOfResource(
    'repositories/:name',
    () => import('../features/repositories/RepositoryPage') as Loaded,
    'RepositoryPage',
  ),
  page('policies', () => import('../features/rules/PoliciesPage') as Loaded, 'PoliciesPage'),
  pageOfResource('policies/:policy', () => import('../features/rules/PolicyPage') as Loaded, 'PolicyPage'),
  page('controls', () => import('../features/rules/ControlsPage') as Loaded, 'ControlsPage'),
  pageOfResource('controls/:control', () => import('../features/rules/ControlPage') as Loaded, 'ControlPage'),
  page('attestation-types', () => import('../features/rules/AttestationTypesPage') as Loaded, 'AttestationTypesPage'),
  pageOfResource(
    'attestation-types/:type',
    () => import('../features/rules/AttestationTypePage') as Loaded,
    'AttestationTypePage',
  ),
  page('notifications', () => import('../features/notifications/NotificationsPage') as Loaded, 'NotificationsPage'),
  pageOfResource(
    'notifications/:number',
    () => import('../features/notifications/NotificationPage') as Loaded,
    'NotificationPage',
  ),
  page('first-steps', () => import('../features/first-steps/FirstStepsPage') as Loaded, 'FirstStepsPage'),
  page('audit-log', () => import('../features/audit-log/AuditLogPage') as Loaded, 'AuditLogPage'),
  page('settings/:section?', () => import('../features/settings/SettingsPage') as Loaded, 'SettingsPage'),
  page('search', () => import('../features/search/SearchPage') as Loaded, 'SearchPage'),
  page('*', () => import('./NotFound') as Loaded, 'NotFound'),
];

/** All pages, below the base path. A user who is not signed in goes to the sign-in page and then back. */
export function makeRouter(client: QueryClient) {
  const signedIn = async ({ request }: LoaderFunctionArgs) => {
    try {
      return await client.fetchQuery(sessionQuery);
    } catch (fault) {
      if (!(fault instanceof ApiError && fault.status === 401)) throw fault;
      const { pathname, search } = new URL(request.url);
      throw redirect(`/${signInAddress(pathname, search).slice(BASE.length)}`);
    }
  };
  const home = async (args: LoaderFunctionArgs) => {
    const { default_organization, organizations } = await signedIn(args);
    const first = default_organization ?? organizations[0]?.name;
    return first === undefined ? null : redirect(pageIn(first));
  };
  return createBrowserRouter(
    [
      {
        errorElement: <RouteFailure />,
        hydrateFallbackElement: <></>,
        children: [
          {
            ...page('/sign-in', () => import('../features/sign-in/SignInPage') as Loaded, 'SignInPage'),
            caseSensitive: true,
          },
          {
            path: '/',
            loader: home,
            lazy: async () => ({ Component: (await import('./NoOrganization')).NoOrganization }),
          },
          {
            path: '/:org',
            loader: signedIn,
            // The session is requested once. The next answer of the API shows if it has ended.
            shouldRevalidate: () => false,
            Component: Shell,
            children: [{ errorElement: <RouteFailure />, children: [...pages] }],
          },
        ],
      },
    ],
    { basename: BASE },
  );
}
