// Parts that most pages use. Import fields, forms, tabs and charts directly, so that the first view does not load them.
export { BreakableName } from './Breakable';
export { Button, ButtonLink, DownloadLink } from './Button';
export { CodeLines } from './CodeLines';
export { Facts, Figures, Tags } from './Facts';
export {
  formatBytes,
  formatCount,
  formatDay,
  formatDuration,
  formatShare,
  nameOfType,
  wordsOf,
  wordsOfChange,
} from './format';
export { Guarded } from './Guarded';
export { Hash } from './Hash';
export { Icon, type IconName } from './Icon';
export { DescribedLink, NameLink, NameLinks, NamesInText, PageLink, useGo, usePagePath } from './PageLink';
export { Page } from './Page';
export { Pager, usePageNumber } from './Pager';
export { Panel } from './Panel';
export { SafeLink } from './SafeLink';
export { Empty, Failure, isUnloaded, Loading } from './States';
export { Table, type Column } from './Table';
export { Duration, RecordedTime, Time, useNow } from './Time';
export { Badge, Verdict } from './Verdict';
