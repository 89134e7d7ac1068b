import { useOrg } from '../api/session';
import { Icon } from '../ui';
import css from './buttons.module.css';
import { LazyMenu } from './LazyMenu';

/** The organization whose pages these are; opens a menu of the caller's others. */
export function OrganizationMenu() {
  const org = useOrg();
  return (
    <LazyMenu menu="organizations" className={css.organization ?? ''}>
      <span className={css.initial} aria-hidden="true">
        {[...org][0]?.toUpperCase()}
      </span>
      <span className={css.name}>
        <bdi>{org}</bdi>
      </span>
      <span className="hidden">, choose another organization</span>
      <Icon name="down" />
    </LazyMenu>
  );
}
