import { visibleText } from '@assurance/kernel/shown/visible';
import type { ReactNode } from 'react';
import { jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime';

export { Fragment, type JSX } from 'react/jsx-runtime';

/** Attributes that are shown or read out, beside the content. Values of fields stay exact, because they are sent back. */
const SHOWN = ['title', 'aria-label', 'alt'] as const;

/**
 * What JSX of the pages becomes. Every text that an element shows passes here, so that characters that change the order of others are shown by their
 * number, wherever a name appears.
 */
export const jsx: typeof reactJsx = (type, props, key) => reactJsx(type, visibleProps(props), key);

/** As `jsx`, for several children. */
export const jsxs: typeof reactJsxs = (type, props, key) => reactJsxs(type, visibleProps(props), key);

function visibleProps<Props>(props: Props): Props {
  const values = props as Readonly<Record<string, unknown>>;
  const changed: Record<string, unknown> = {};
  for (const name of SHOWN) {
    const value = values[name];
    if (typeof value === 'string') changed[name] = visibleText(value);
  }
  if ('children' in values) changed['children'] = visibleChildren(values['children'] as ReactNode);
  return { ...props, ...changed };
}

function visibleChildren(children: ReactNode): ReactNode {
  if (typeof children === 'string') return visibleText(children);
  return Array.isArray(children) ? children.map((child: ReactNode) => visibleChildren(child)) : children;
}
