import { compareDigits } from './order';
import type { VersionRules } from './rules';

const VERSION = /^[0-9]+(?:[.-][0-9]+)*$/;

/**
 * The order of R packages: that of `package_version`. Numbers are separated by dots or hyphens, which count the same. A version comes before
 * those that it begins.
 *
 * @see https://cran.r-project.org/doc/manuals/r-release/R-exts.html#The-DESCRIPTION-file
 */
export const cran: VersionRules<readonly string[]> = {
  read: (text) => (VERSION.test(text) ? text.split(/[.-]/) : null),
  compare(a, b) {
    for (const [at, number] of a.entries()) {
      const other = b[at];
      const order = other === undefined ? 1 : compareDigits(number, other);
      if (order !== 0) return order;
    }
    return Math.sign(a.length - b.length);
  },
};
