/** Commit subjects follow Conventional Commits, because the changelog and reviewers read them. */
export default {
  extends: ['@commitlint/config-conventional'],
  rules: {
    'header-max-length': [2, 'always', 72],
    // Subjects may begin with a name, such as "OpenAPI" or "MongoDB".
    'subject-case': [0],
    // Bodies hold links and commands that cannot be broken.
    'body-max-line-length': [0],
    'footer-max-line-length': [0],
  },
};
