import { NavLink } from 'react-router';
import { useMay } from '../api/session';
import { Icon, usePagePath, type IconName } from '../ui';
import css from './Navigation.module.css';
import { to } from './paths';

/** `audit`: only for roles that may read logs. */
type Entry = readonly [icon: IconName, text: string, page: string, audit?: true];

const GROUPS: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [
  {
    title: 'Run',
    entries: [
      ['overview', 'Overview', to.overview],
      ['environments', 'Environments', to.environments],
      ['deployments', 'Deployments', to.deployments],
      ['components', 'Components', to.components],
      ['vulnerabilities', 'Vulnerabilities', to.vulnerabilities],
    ],
  },
  {
    title: 'Build',
    entries: [
      ['flows', 'Flows', to.flows],
      ['repositories', 'Repositories', to.repositories],
    ],
  },
  {
    title: 'Govern',
    entries: [
      ['policies', 'Policies', to.policies],
      ['controls', 'Controls', to.controls],
      ['types', 'Attestation types', to.attestationTypes],
    ],
  },
  {
    title: 'Organization',
    entries: [
      ['notifications', 'Notifications', to.notifications],
      ['clock', 'Audit log', to.auditLog, true],
      ['settings', 'Settings', to.settings()],
    ],
  },
];

/** Links to all pages of an organization. */
export function Navigation() {
  const path = usePagePath();
  const may = useMay();
  return (
    <nav className={css.nav} aria-label="Main">
      {GROUPS.map(({ title, entries }) => (
        <div key={title}>
          <p className={css.group} id={`nav-${title}`}>
            {title}
          </p>
          <ul className={css.list} aria-labelledby={`nav-${title}`}>
            {entries
              .filter(([, , , audit]) => !audit || may('audit'))
              .map(([icon, text, page]) => (
                <li key={text}>
                  <NavLink className={css.entry} to={path(page)} end={text === 'Overview'}>
                    <Icon name={icon} />
                    {text}
                  </NavLink>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
