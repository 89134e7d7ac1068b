import { BODY, STYLES } from '../page/look';
import type { Paper } from '../page/paper';
import { openTable } from '../page/table';
import type { ChainRow } from '../report';

const STEPS: readonly { readonly why: string; readonly command: string }[] = [
  {
    why: 'Unpack the package, and see whether a file in it was changed. Every line should end in “OK”.',
    command: 'mkdir package && tar xzf FILE.tgz -C package && cd package && sha256sum -c SHA256SUMS',
  },
  {
    why: 'Check digests, signature, the chain of events and the checkpoints at once, in a copy of Deployment Assurance. No running service is needed.',
    command: 'npm run verify-package -- FILE.tgz',
  },
];

/** Draws the last section: how to verify that nothing was changed. */
export function verify(paper: Paper, chains: readonly ChainRow[]): void {
  paper.section('How to verify this package');
  paper.text(
    'This report is for reading; it proves nothing by itself. The package that it came in holds everything it tells of, and a signature of the service on the list of all files (manifest.json). The digests in this report are those of the files in the package.',
  );
  for (const { why, command } of STEPS) {
    paper.y += 6;
    paper.text(why);
    paper.y += 2;
    paper.text(command, STYLES.code, 'Code');
  }
  paper.y += 6;
  paper.text(
    'Compare the public key that the command shows with the one that the service gives to everybody at /api/v2/signing-keys. Every recorded event names the hash of the one before it; these are the newest ones in the package:',
  );
  paper.y += 8;
  const widths = [BODY - 330, 60, 270];
  const table = openTable(
    paper,
    ['Stream', 'Commits', 'Hash of the last one'].map((title, i) => ({ title, width: widths[i] ?? 0 })),
  );
  for (const { stream, from, to, head } of chains) {
    const texts = [
      { text: stream, style: STYLES.small },
      { text: from === to ? String(to) : `${from} to ${to}`, style: STYLES.cell },
      { text: head, style: STYLES.digest },
    ];
    table.row([texts.map((text, i) => ({ texts: [text], width: widths[i] ?? 0 }))]);
  }
  table.end();
  paper.text(
    'About this report: all times are UTC. A character that no font here has, or that nobody would see, is shown by its number, such as ⟨U+200B⟩; “↵” stands where a text had a line break. The exact texts are in the package.',
    STYLES.small,
  );
}
