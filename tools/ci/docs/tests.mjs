// Checks tests that a page names in table cells: | what | `libs/a/src/b.spec.ts`: title of the test |

/**
 * @param page Markdown
 * @param testsIn returns the titles of the tests of a file; null if there is no such file
 * @returns {string[]} one sentence for each test that does not exist
 */
export function missingTests(page, testsIn) {
  return [...page.matchAll(/\| `([^`]+\.ts)`: (.+?) \|$/gm)]
    .filter(([, path, title]) => !testsIn(path)?.includes(title))
    .map(([, path, title]) => `${path} has no test "${title}"`);
}
