import { NavLink } from 'react-router';
import { useOrg } from '../api/session';
import { Icon, type IconName } from '../ui';
import css from './Navigation.module.css';
import { to } from './paths';

type Entry = readonly [icon: IconName, text: string, href: (org: string) => string];

const GROUPS: readonly { readonly title: string; readonly entries: readonly Entry[] }[] = [
  {
    title: 'Run',
    entries: [
      ['overview', 'Overview', to.organization],
      ['environments', 'Environments', to.environments],
      ['deployments', 'Deployments', to.deployments],
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
      ['settings', 'Settings', (org) => to.settings(org)],
    ],
  },
];

/** The way to all that an organization has. */
export function Navigation() {
  const org = useOrg();
  return (
    <nav className={css.nav} aria-label="Main">
      {GROUPS.map(({ title, entries }) => (
        <div key={title}>
          <p className={css.group} id={`nav-${title}`}>
            {title}
          </p>
          <ul className={css.list} aria-labelledby={`nav-${title}`}>
            {entries.map(([icon, text, href]) => (
              <li key={text}>
                <NavLink className={css.entry} to={href(org)} end={text === 'Overview'}>
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
