import type { Served } from './serve';

/** The text on standard output when the process accepts requests. */
export function greeting({ url, folder, settings, operations }: Served): string {
  const lines = [
    `Deployment Assurance listens on ${url}`,
    ...(folder === null ? [] : [`  data folder     ${folder}`]),
    `  pages           ${settings.publicUrl}/`,
    `  API             ${settings.publicUrl}/api/v2`,
    `  API reference   ${settings.publicUrl}/api/v2/doc/`,
    `  operations      ${operations.url}`,
    '  where next      README.md: the first five minutes',
  ];
  return `${lines.join('\n')}\n`;
}
