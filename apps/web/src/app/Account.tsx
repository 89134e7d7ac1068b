import { useSession } from '../api/session';
import { Icon } from '../ui';
import css from './buttons.module.css';
import { LazyMenu } from './LazyMenu';

/** Who is signed in; opens a menu. */
export function Account() {
  const { principal } = useSession();
  return (
    <LazyMenu menu="account" className={css.account ?? ''} label={`Account of ${principal.name}`}>
      <bdi>{principal.name}</bdi>
      <Icon name="down" />
    </LazyMenu>
  );
}
