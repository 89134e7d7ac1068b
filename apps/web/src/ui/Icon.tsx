import css from './Icon.module.css';

/** Strokes on a grid of 20 by 20. */
const SHAPES = {
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  cross: 'm5.5 5.5 9 9m0-9-9 9',
  dash: 'M5 10h10',
  clock: 'M10 5.5V10l3 2M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z',
  search: 'm13 13 4 4M14.5 8.8a5.7 5.7 0 1 1-11.4 0 5.7 5.7 0 0 1 11.4 0Z',
  copy: 'M7.5 7.5h9v9h-9zM12.5 7.5v-4h-9v9h4',
  external: 'M11 4h5v5m0-5-7 7M8 5H4v11h11v-4',
  down: 'm5 8 5 5 5-5',
  right: 'm8 5 5 5-5 5',
  menu: 'M3 6h14M3 10h14M3 14h14',
  download: 'M10 3v10m-4-4 4 4 4-4M4 17h12',
  overview: 'M3 3h6v8H3zM11 3h6v5h-6zM3 13h6v4H3zM11 10h6v7h-6z',
  environments: 'M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.01M6 13.5h.01',
  deployments: 'M10 17V8m-4 4 4-4 4 4M4 4h12',
  components: 'M10 2.500 16.500 6v8L10 17.500 3.500 14V6ZM3.500 6l6.500 3.500L16.500 6M10 9.500v8',
  vulnerabilities: 'm10 3 8 13.500H2ZM10 8v4m0 2h.01',
  flows:
    'M6 5h5a3 3 0 0 1 0 6H9a3 3 0 0 0 0 6h5M6 5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0Zm11 12a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0Z',
  repositories: 'M5 3h11v14H6.5A1.5 1.5 0 0 1 5 15.500V3Zm0 12.500A1.500 1.500 0 0 1 6.500 14H16',
  policies: 'M10 2.500 16.500 5v4.500c0 4-2.700 6.700-6.500 8-3.800-1.300-6.500-4-6.500-8V5L10 2.500Z',
  controls: 'M3 6h8m4 0h2M3 14h2m4 0h8M13 4v4M7 12v4',
  types: 'M4 3h8l4 4v10H4zM12 3v4h4M7 11h6M7 14h4',
  notifications:
    'M10 3a4.500 4.500 0 0 1 4.500 4.500c0 4 1.500 5.500 1.500 5.500H4s1.500-1.500 1.500-5.500A4.500 4.500 0 0 1 10 3Zm-1.500 13h3',
  settings:
    'M10 12.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM10 2.500v2m0 11v2m7.500-7.500h-2m-11 0h-2m12.800-5.300-1.400 1.400m-7.800 7.800-1.400 1.400m10.600 0-1.400-1.400M6.100 6.100 4.700 4.700',
  sun: 'M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM10 2.500v1.500m0 12v1.500M17.500 10H16M4 10H2.500',
  swap: 'M4 7h12m-3-3 3 3-3 3M16 13H4m3-3-3 3 3 3',
  plus: 'M10 4v12M4 10h12',
} as const;

export type IconName = keyof typeof SHAPES;

/** A picture beside a text with the same meaning. Assistive technology ignores it. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className={css.icon} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d={SHAPES[name]} />
  </svg>
);
