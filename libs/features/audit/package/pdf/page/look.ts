import type { TrailState } from '@assurance/flows/domain/requirements';
import type { Style } from '../text/set';

/** A4, in points (a 72nd of an inch). */
export const PAGE = { width: 595.28, height: 841.89, left: 48, right: 48, top: 66, bottom: 58 } as const;
/** The width between the margins. */
export const BODY = PAGE.width - PAGE.left - PAGE.right;

const BLACK = '#1a1a1a';
export const GREY = '#5f6368';
export const RULE = '#d0d4d9';
export const SHADE = '#f1f3f4';
export const GREEN = '#0b6b3a';
export const RED = '#b3261e';
const AMBER = '#8a5a00';
/** Colours of statuses. The text also names the status, and colours only help to find it. */
export const STATUS_COLORS: Readonly<Record<TrailState, string>> = {
  COMPLIANT: GREEN,
  'NON-COMPLIANT': RED,
  INCOMPLETE: AMBER,
};

const style = (face: Style['face'], size: number, color: string = BLACK): Style => ({ face, size, color });

export const STYLES = {
  title: style('bold', 22),
  section: style('bold', 14),
  verdict: style('bold', 16),
  body: style('sans', 9.5),
  cell: style('sans', 8.5),
  strong: style('bold', 8.5),
  small: style('sans', 7.5, GREY),
  head: style('bold', 8, GREY),
  /** 64 digits are 250 points wide. */
  digest: style('mono', 6.5),
  code: style('mono', 8.5),
} as const;
