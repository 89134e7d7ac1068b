import { Link, useParams } from 'react-router';
import { useMay } from '../../api/session';
import { to } from '../../app/paths';
import { Guarded, Page, usePagePath } from '../../ui';
import { Identities } from './Identities';
import { Keys } from './Keys';
import { Members } from './Members';
import { MembershipLog } from './MembershipLog';
import { Organizations } from './Organizations';
import { Retention } from './Retention';
import { ServiceAccounts } from './ServiceAccounts';
import { Spaces } from './Spaces';
import { TargetConfigs } from './TargetConfigs';
import css from './SettingsPage.module.css';

const SECTIONS = [
  { id: 'members', title: 'Members', Section: Members, audit: false },
  { id: 'log', title: 'Membership log', Section: MembershipLog, audit: true },
  { id: 'service-accounts', title: 'Service accounts', Section: ServiceAccounts, audit: false },
  { id: 'spaces', title: 'Spaces', Section: Spaces, audit: false },
  { id: 'targets', title: 'Shared targets', Section: TargetConfigs, audit: false },
  { id: 'retention', title: 'Retention', Section: Retention, audit: true },
  { id: 'keys', title: 'Your API keys', Section: Keys, audit: false },
  { id: 'sign-in', title: 'Your sign-in', Section: Identities, audit: false },
  { id: 'organizations', title: 'Organizations', Section: Organizations, audit: false },
] as const;

export function SettingsPage() {
  const path = usePagePath();
  const may = useMay();
  const { section = 'members' } = useParams();
  const sections = SECTIONS.filter(({ audit }) => !audit || may('audit'));
  const { Section } = SECTIONS.find(({ id }) => id === section) ?? SECTIONS[0];
  return (
    <Page title="Settings">
      <div className={css.split}>
        <nav className={css.nav} aria-label="Settings">
          {sections.map(({ id, title }) => (
            <Link
              key={id}
              className={css.entry}
              to={path(to.settings(id))}
              {...(id === section ? { 'aria-current': 'page' } : {})}
            >
              {title}
            </Link>
          ))}
        </nav>
        <div className="stack" key={section}>
          <Guarded>
            <Section />
          </Guarded>
        </div>
      </div>
    </Page>
  );
}
