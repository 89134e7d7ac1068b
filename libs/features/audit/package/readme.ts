/** The first file of every package: how to check it without the service that made it. */
export const README = `This is an audit package: evidence of how software came about and where it ran,
as one service of Deployment Assurance recorded it. Begin with report.pdf.

  report.pdf           what happened and what it came to, for readers
  verdict.json         what it came to, and why
  trail.json           the trail as it was set
  attestations/        each statement that was recorded, with its payload and its files
  artifacts/           what was built, and where and when it ran
  vex.json             imported VEX statements about vulnerabilities of it, and where each came from
  flow/                the flow, and the template that says what was expected
  policies/            the policies that judged it, as they were then
  events/              the recorded events: one commit a line, each names the hash of the one before it
  checkpoints/         signed words of the service on how far those events had come
  public-keys.pem      the public keys of the service (Ed25519)
  manifest.json        what this is, and every file with its size and SHA-256
  manifest.dsse.json   the signature: a DSSE envelope with an in-toto statement on manifest.json
  SHA256SUMS           the same digests for common tools

To see whether a file was changed:                      sha256sum -c SHA256SUMS
To check digests, signature, events and checkpoints:    npm run verify-package -- FILE.tgz
in a copy of Deployment Assurance; no running service is needed. Compare the key that the
command shows with the one that the service gives to everybody at /api/v2/signing-keys.
`;
